# A sphere jammed between two walls is named with both, and the command that goes on with a larger limits.overlap does.
. "$CASES/lib.sh"
refused 3 'particle 0 and wall' "$DEM" run scene.toml --out out 2>first.txt || exit 1
said=$("$DEM" run scene.toml --out out --force 2>&1)
[[ "$said" == *'jammed between this wall and wall "'* && "$said" == *'they close at 0.100 m/s'* && "$said" != *'time step is too long'* ]] || exit 1
onwards=$(sed -n 's/.*continue with: dem //p' <<<"$said")
[[ "$onwards" == *'--set limits.overlap='*' --restart latest' ]] || exit 1
eval "\"$DEM\" $onwards" >/dev/null 2>&1
limit=$(sed -n 's/.*limits.overlap=\([0-9.]*\) .*/\1/p' <<<"$onwards")
peak=$(sed -n 's/.*"max_overlap_ratio_peak": \([0-9.]*\).*/\1/p' out/summary.json)
echo "named with both walls; with limits.overlap=$limit it goes on to $peak"
awk "BEGIN { exit !($peak > 0.11 && $peak < $limit) }"
