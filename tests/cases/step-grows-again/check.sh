# One fast grain shortens the automatic step as long as it is there.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out out >/dev/null 2>&1
"$DEM" run scene.toml --out parts --until "100 ms" >/dev/null 2>&1
"$DEM" run scene.toml --out parts --restart latest --threads 1 >/dev/null 2>&1
"$DEM" run scene.toml --out quiet --steps 1 --set particles.shot.velocity=[0,0,0] >/dev/null 2>&1
first=$(value out/series.csv time_step 1)
last=$(value out/series.csv time_step)
quiet=$(value quiet/series.csv time_step)
echo "$first s while it flies, $last s when it has left, $quiet s without it"
awk -v a="$first" -v b="$last" -v c="$quiet" 'BEGIN { exit !(a < 0.7 * c && b > 0.9 * c && b < 1.3 * c) }'
cmp out/series.csv parts/series.csv
