# A branch into the same law with other options keeps what the law still remembers, field by field.
. "$CASES/lib.sh"
set -e
"$DEM" run plain.toml --steps 110 --out plain >/dev/null 2>&1
"$DEM" run rolling.toml --from plain --out rolling --steps 110 >said 2>&1 || { tail -n 3 said >&2; exit 1; }
"$DEM" run plain.toml --from rolling --out back --steps 1 >said_back 2>&1 || { tail -n 3 said_back >&2; exit 1; }
held=$(value plain/series.csv elastic_tangential)
kept=$(value rolling/series.csv elastic_tangential 1)
told=$(grep -c 'has other history fields now: kept .*; dropped' said said_back | tr '\n' ' ')
echo "tangential springs $kept of $held J; $(grep -o 'starts at zero: .*' said); $(grep -o 'dropped [a-z].*' said_back)"
within "$kept" "$held" "$(compute "1e-6 * $held")"
grep -q 'starts at zero: .*rolling' said
grep -q 'dropped .*rolling' said_back
grep -q '"dropped": \[' back/beginning.json
