# The default domain goes around the particles of a table, too, and is the same in a restart.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --set 'output.checkpoints="1 ms"' --until 2ms --out out >/dev/null 2>&1
"$DEM" run scene.toml --set 'output.checkpoints="1 ms"' --restart latest --out out >/dev/null 2>&1
left=$(value out/series.csv particles)
echo "$left particle is left of 1"
[ "${left%.*}" = 1 ]
