# A restart that has no step to take changes nothing: at the step or time it was to stop at, at time.end, and behind it.
. "$CASES/lib.sh"
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort -k3); }
"$DEM" run scene.toml --out out --threads 1 --steps 60 > said 2>&1 || exit 1
before=$(sums out)
same() {
    "$DEM" run scene.toml --out out --threads 1 --restart latest "$@" > said 2>&1 || { cat said >&2; exit 1; }
    grep -q "nothing to do" said && [ "$(sums out)" = "$before" ] || { echo "$*: $(diff <(echo "$before") <(sums out))" >&2; exit 1; }
}
same --steps 60
same --steps 30
same --until 0.1ms
same --set 'time.end="1 us"'
row=$(value out/series.csv virial_zz)
# seeds that are stopped at a bound are asked again
"$DEM" run scene.toml --seeds 1..2 --steps 60 --out seeds > said 2>&1 || exit 1
rows=$(cksum < seeds/members/seed=1/series.csv)
"$DEM" run scene.toml --seeds 1..2 --steps 60 --out seeds > said 2>&1 || exit 1
[ "$(cksum < seeds/members/seed=1/series.csv)" = "$rows" ] || exit 1
"$DEM" run scene.toml --out out --threads 1 --restart latest > said 2>&1 || exit 1
"$DEM" run scene.toml --out whole --threads 1 > said 2>&1 || exit 1
echo "virial_zz = $row J in the last row, which stays; the run goes on to the same series as without a stop"
cmp -s out/series.csv whole/series.csv
