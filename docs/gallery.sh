#!/usr/bin/env bash
# Draws the pictures of docs/src/gallery.md: runs every example, most of them for a part of their time, and renders its last frame.
#
#   bash docs/gallery.sh target/release/dem [EXAMPLE ..]        # some ten minutes on two cores; pictures go to docs/images/gallery
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] && [ -x "$1" ] || { echo "usage: gallery.sh path/to/dem [EXAMPLE ..], with an executable dem" >&2; exit 2; }
dem=$(realpath "$1")
shift
wanted=" $* "
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$here/images/gallery"

# example | options of the run | options of the picture
table='
clump_pouring         | --until 0.3s                                      | --colour body
closing_gate          | --until 0.4s                                      | --colour speed --azimuth -75
container_filling     | --until 0.35s                                     | --colour speed
container_slice       | --until 6s                                        | --colour speed --azimuth -90 --elevation 0 --orthographic --zoom 6 --look-at 2.5,3.3,0m
drum_rods             | --until 0.8s                                      | --colour body --azimuth -80 --elevation 5
hopper                | --until 0.55s                                     | --colour speed --cut 0,0,0,0,-1,0
mie_clusters          |                                                   | --colour contacts
oedometer             | --until 30ms                                      | --colour height --elevation 10
ordering              | --until 0.25s                                     | --colour height
powder_compaction     | --until 4ms                                       | --colour height --elevation 10
rigid_wall_triaxial   | --until 40ms                                      | --colour height
rotating_drum         | --until 0.8s                                      | --colour speed --azimuth -80 --elevation 5
settling_box          | --until 0.3s                                      | --colour speed
silo                  | --set particles.rain.fill.count=6000 --until 1.2s | --colour source --zoom 1.1 --cut 0,0,0,0,-1,0
soak                  | --until 1.5s                                      | --colour speed --azimuth -60 --elevation 10
spinning_sphere       | --until 1s                                        | --colour speed
stirred_hopper        | --until 0.5s                                      | --colour speed --cut 0,0,0,0,-1,0
stress_probe          | --steps 4000                                      | --colour radius
stress_probe_small    | --steps 20000                                     | --colour radius
three_rolling_spheres | --until 0.4s                                      | --colour speed
triaxial              | --steps 4000                                      | --colour contacts
triaxial_clusters     | --steps 20000                                     | --colour body
triaxial_small        | --steps 40000                                     | --colour contacts
wet_sand_pile         | --until 1.3s                                      | --colour speed
'

while IFS='|' read -r name run picture; do
    name=${name// /}
    [ -n "$name" ] || continue
    [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || continue
    echo "$name"
    # shellcheck disable=SC2086
    "$dem" run "$here/../examples/$name.toml" --out "$scratch/$name" --no-pictures $run >"$scratch/log" 2>&1 ||
        { tail -n 5 "$scratch/log" >&2; echo "error: $name" >&2; exit 1; }
    # shellcheck disable=SC2086
    "$dem" render "$scratch/$name" --size 480x360 --out "$here/images/gallery/$name.png" $picture >"$scratch/log"
    rm -rf "${scratch:?}/$name"
done <<<"$table"

for scene in "$here"/../examples/*.toml; do
    name=$(basename "$scene" .toml)
    [[ $table == *"$name "* ]] || { echo "error: $name has no line in docs/gallery.sh" >&2; exit 1; }
done
