# A source that finds no room for what it was asked for: said at the end and in the summary, exit code 3.
. "$CASES/lib.sh"
refused 3 'poured less than requested: rain: ' "$DEM" run scene.toml --out full || exit 1
"$DEM" run scene.toml --set particles.rain.fill.count=5 --set 'time.end="0.2 s"' --out few >few.txt 2>&1 || exit 1
grep -q 'poured             rain: 5 of 5 particles' few.txt || exit 1
poured=$(sed -n '/"pouring"/,/]/s/.*"particles": \([0-9]*\).*/\1/p' full/summary.json)
echo "$poured of 500 found room, and the run says so"
[ "$poured" -gt 5 ] && [ "$poured" -lt 500 ] && grep -q '"lacks_room": true' full/summary.json
