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

palette='split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=bayer:bayer_scale=4'

# example | options of the run | options of the picture
table='
clump_pouring         | --until 0.3s                                      | --colour body --zoom 2.2 --look-at 0,0,14mm
closing_gate          | --until 0.4s                                      | --colour speed --azimuth -75
container_filling     | --until 0.35s                                     | --colour speed
container_slice       | --until 6s                                        | --colour speed --azimuth -90 --elevation 0 --orthographic --zoom 6 --look-at 2.5,3.3,0m
drum_rods             | --until 0.7s                                      | --colour body --azimuth -80 --elevation 5
hopper                | --until 0.55s                                     | --colour speed --cut 0,0,0,0,-1,0
mie_clusters          |                                                   | --colour contacts
oedometer             | --until 30ms                                      | --colour height --elevation 10
ordering              | --until 0.25s                                     | --colour height
powder_compaction     | --until 4ms                                       | --colour height --elevation 10
rigid_wall_triaxial   | --until 40ms                                      | --colour height
rotating_drum         | --until 0.8s                                      | --colour speed --azimuth -80 --elevation 5
settling_box          | --until 0.3s                                      | --colour speed
silo                  | --set particles.rain.fill.count=3000 --until 0.7s | --colour height --elevation 5 --zoom 3 --look-at 0,0,300mm
soak                  | --until 1s                                        | --colour speed --azimuth -60 --elevation 10
spinning_sphere       | --until 1s                                        | --colour speed
stirred_hopper        | --until 0.36s                                     | --colour speed --cut 0,0,0,0,-1,0
stress_probe          | --steps 2000                                      | --colour radius
stress_probe_small    | --steps 20000                                     | --colour radius
three_rolling_spheres | --until 0.4s                                      | --colour speed
triaxial              | --steps 2000                                      | --colour radius --azimuth -40
triaxial_clusters     | --steps 3000                                      | --colour body
triaxial_small        | --steps 30000                                     | --colour contacts
wet_sand_pile         | --until 0.6s                                      | --colour contacts
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
    # of 128 colours instead of all: half the size
    if command -v ffmpeg >/dev/null; then
        ffmpeg -nostdin -v error -y -i "$here/images/gallery/$name.png" -vf "$palette" "$scratch/$name.png"
        mv "$scratch/$name.png" "$here/images/gallery/$name.png"
    fi
done <<<"$table"

for scene in "$here"/../examples/*.toml; do
    name=$(basename "$scene" .toml)
    [[ $table == *"$name "* ]] || { echo "error: $name has no line in docs/gallery.sh" >&2; exit 1; }
done
