# A wall that moves along a table: restarts go on bit for bit, the ends are at rest, and a table that goes back in time is refused.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out straight >/dev/null 2>&1
"$DEM" run scene.toml --until 15ms --out parts >/dev/null 2>&1
"$DEM" run scene.toml --restart latest --out parts >/dev/null 2>&1
cmp straight/series.csv parts/series.csv
force=$(value straight/series.csv wall_lid_force_z)
work=$(value straight/series.csv wall_work)
echo "force on the lid at the end $force N, work of the walls $work J"
awk "BEGIN { exit !($force > 0.5 && $work > 0) }"
printf 'time,z\n0,0\n0.02,-1e-3\n0.01,0\n' >lid.csv
refused 2 'row 3: the time is 0.01 s, expected later than the 0.02 s of the row before' "$DEM" check scene.toml --set 'walls.lid.motion={table="lid.csv"}' || exit 1
