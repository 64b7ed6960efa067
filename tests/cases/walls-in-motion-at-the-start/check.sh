# The first forces are those of a wall that moves already: who flies with the sphere sees the same as who stands on the wall.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out wall >/dev/null 2>&1
"$DEM" run scene.toml --set walls.floor.motion={} --set 'particles.p.velocity=[0, 0, -0.2]' --out sphere >/dev/null 2>&1
"$DEM" run scene.toml --set walls.floor.motion={} --out still >/dev/null 2>&1
first() { value "$1/series.csv" wall_floor_force_z 1; }
echo "first force on the floor $(first wall) N as it comes, $(first sphere) N as the sphere comes, $(first still) N with both at rest"
within "$(compute "$(first wall) / ($(first sphere))")" 1 1e-9
within "$(compute "$(value wall/series.csv wall_floor_force_z) / ($(value sphere/series.csv wall_floor_force_z))")" 1 1e-6
awk "BEGIN { exit !($(first wall) < 1.5 * ($(first still))) }"
