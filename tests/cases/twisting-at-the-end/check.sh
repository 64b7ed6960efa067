#!/usr/bin/env bash
# The work of twisting has a limit for short steps. The spring once kept its couple while the contact parted without a load and its stiffness faded, and
# its dashpot dissipated without bound: 9.47e-6 J or 8.05e-6 J with steps of 15 us, as the last of them happened to fall.
set -u
. "$CASES/lib.sh"

# twisting_work of the impact from a height: work HEIGHT STEP
work() {
    printf 'x,y,z,r,vx,vy,vz,wx,wy,wz\n0,0,%s,0.004,0.3,0,-1,10,50,200\n' "$(compute "0.004 + $1")" >ball.csv
    local scene=$(<scene.toml)
    printf '%s\n' "${scene//STEP/$2}" >scene_now.toml
    "$DEM" run scene_now.toml --out out --force --threads 1 >&2 && value out/series.csv twisting_work
}

fine=$(work 0 2.34375e-7)
found=()
for height in 1.95e-6 4.35e-6 8.55e-6; do
    found+=("$(work $height 1.5e-5)" "$(work $height 9.375e-7)")
done
echo "twisting work $fine J at 0.23 us; at 15 us and 0.94 us from three heights: ${found[*]} J"
for k in 0 2 4; do
    within "${found[k]}" "$fine" "$(compute "0.05 * $fine")" && within "${found[k + 1]}" "$fine" "$(compute "0.005 * $fine")" || exit 1
done
