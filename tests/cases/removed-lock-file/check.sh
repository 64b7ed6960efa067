# The lock file of a living run, taken for a leftover and removed, lets no second run into the directory.
. "$CASES/lib.sh"
trap 'kill -KILL "$first" 2>/dev/null' EXIT
"$DEM" run scene.toml --out out --threads 1 > said 2>&1 &
first=$!
for _ in $(seq 3000); do [ "$(ls out/checkpoints 2>/dev/null | wc -l)" -ge 2 ] && break; sleep 0.01; done
rm out/.lock
refused 2 "is in use by another process" "$DEM" run scene.toml --out out --threads 1 --restart latest || exit 1
refused 2 "is in use by another process" "$DEM" run scene.toml --out out --threads 1 --force || exit 1
kill -INT "$first"
wait "$first"
code=$?
step=$(value out/series.csv step)
"$DEM" run scene.toml --out out --threads 1 --restart latest --steps $((step + 300)) > said 2>&1 || { cat said >&2; exit 1; }
echo "the first ends with $code at step $step and goes on to $(value out/series.csv step)"
[ "$code" = 130 ] && [ "$(value out/series.csv step)" = $((step + 300)) ]
