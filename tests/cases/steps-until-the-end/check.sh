# Time is counted, not summed: N steps of a length end at N times it, and rows every one and a half steps neither drift nor come twice.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out whole --set 'output.series="1 s"' >/dev/null 2>&1
steps=$(value whole/series.csv step)
time=$(value whole/series.csv time)
ends=""
for end in 0.3 0.7 0.6 1.1; do
    "$DEM" run scene.toml --out "end$end" --set time.step=0.1 --set time.end=$end --set 'output.series="1 s"' >/dev/null 2>&1
    ends="$ends $(value "end$end/series.csv" step)"
done
"$DEM" run scene.toml --out rows --set 'time.end="30 ms"' >/dev/null 2>&1
"$DEM" run scene.toml --out parts --set 'time.end="30 ms"' --until "9.01 ms" >/dev/null 2>&1
"$DEM" run scene.toml --out parts --set 'time.end="30 ms"' --restart latest >/dev/null 2>&1
rows=$(grep -vc '^#' rows/series.csv)
echo "12 s of 20 us take $steps steps (600000) to $time s; 0.3, 0.7, 0.6 and 1.1 s of 0.1 s take$ends (3 7 6 11); $rows lines of rows (1002)"
[ "$steps" = 600000 ]
within "$time" 12 1e-12
[ "$ends" = " 3 7 6 11" ]
[ "$rows" = 1002 ]
cmp rows/series.csv parts/series.csv
