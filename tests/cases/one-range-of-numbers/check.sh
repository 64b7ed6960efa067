# Whatever a scene may say can be saved and read again; what cannot is refused before the run, by its key.
. "$CASES/lib.sh"
runs=0
restarts() {
    local set=() change
    for change in "$@"; do set+=(--set "$change"); done
    rm -rf out
    "$DEM" run scene.toml --out out --steps 20 --threads 1 "${set[@]}" >said 2>&1 || { tail -n 3 said >&2; return 1; }
    "$DEM" run scene.toml --out out --steps 30 --threads 1 --restart latest "${set[@]}" >said 2>&1 || { tail -n 3 said >&2; return 1; }
    runs=$((runs + 1))
}
restarts output.snapshots=1e100 output.series=9e99 output.checkpoints=1e99 || exit 1
restarts time.step=adaptive time.largest_step=1e100 || exit 1
restarts 'walls.floor.motion={servo={force=1,max_speed=0.1,max_travel=1e100}}' || exit 1
restarts 'walls.floor.motion={amplitude=["1 um",0,0],frequency=100,phase=1e90}' || exit 1
refusals=0
for change in output.snapshots=1e300 output.series=2e100 'output.checkpoints="1e98 Gs"' time.largest_step=-1e101 \
    'walls.floor.motion={servo={force=1,max_travel=1e200}}' 'walls.floor.motion={phase=1e101}' limits.overlap=1e101; do
    refused 2 "is beyond 1e100, the largest number of a scene" "$DEM" run scene.toml --out new --set "$change" || exit 1
    refused 2 "${change%%=*}" "$DEM" check scene.toml --set "$change" || exit 1
    refusals=$((refusals + 1))
done
printf 'x,y,z,r\n0,0,1e101,0.001\n' >far.csv
refused 2 "expected a number of at most 1e100" "$DEM" check scene.toml --set 'particles=[{name="far",material="glass",fill={type="file",path="far.csv"}}]' || exit 1
refused 2 "has a mass of" "$DEM" check scene.toml --set materials.glass.density=1e99 --set particles.block.sizes.radius=1e30 || exit 1
[ ! -e new ] || exit 1
echo "$runs runs with large numbers went on from their checkpoints, $refusals larger ones were refused by key"
