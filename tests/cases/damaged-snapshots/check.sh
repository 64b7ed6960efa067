# A restart that cannot go on with a damaged file of results changes nothing and says what to do; done, it goes on.
. "$CASES/lib.sh"
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort -k3); }
"$DEM" run scene.toml --out out --threads 1 --steps 225 > said 2>&1 || exit 1
restart() { "$DEM" run scene.toml --out out --threads 1 --restart latest --steps "$1"; }
: > out/snapshots.vtkhdf
before=$(sums out)
refused 2 "move out/snapshots.vtkhdf away" restart 270 || exit 1
[ "$(sums out)" = "$before" ] || exit 1
mv out/snapshots.vtkhdf damaged
restart 250 > said 2>&1 || { cat said >&2; exit 1; }
sed -i '3s/^[0-9]*/x/' out/series.csv
before=$(sums out)
refused 2 "move out/series.csv away" restart 270 || exit 1
[ "$(sums out)" = "$before" ] || exit 1
mv out/series.csv damaged
restart 270 > said 2>&1 || { cat said >&2; exit 1; }
echo "snapshots and series refused and left alone, then begun anew; at step $(value out/series.csv step)"
[ "$(value out/series.csv step)" = 270 ]
