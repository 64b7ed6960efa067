# A command with --force that cannot begin or is stopped leaves the earlier results whole: runs, packings, tests and tables.
. "$CASES/lib.sh"
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort -k3); }
small="--count 60 --seed 3 --threads 1"
"$DEM" run scene.toml --out run --threads 1 > said 2>&1 || exit 1
"$DEM" pack random-sequential $small --out packing > said 2>&1 || exit 1
"$DEM" study rotation --no-runs --steps 20 --out study > said 2>&1 || exit 1
before=$(sums run; sums packing; sums study)
same() { [ "$(sums run; sums packing; sums study)" = "$before" ] || { echo "$1: $(diff <(echo "$before") <(sums run; sums packing; sums study))" >&2; exit 1; }; }
# a disk that is full for all but the smallest files
full() { (trap '' XFSZ; ulimit -f 4; exec "$@"); }
refused 2 "error:" full "$DEM" run scene.toml --out run --threads 1 --force || exit 1
same "a run on a full disk"
refused 2 "error:" full "$DEM" pack random-sequential $small --out packing --force || exit 1
same "a packing on a full disk"
refused 2 "error:" full "$DEM" study rotation --no-runs --steps 30 --out study --force || exit 1
same "a study on a full disk"
refused 2 "friction" "$DEM" run scene.toml --out run --threads 1 --force --set contact.friction=-1 || exit 1
refused 3 "has not ended after 20 steps" "$DEM" pack compression $small --max-steps 20 --out packing --force || exit 1
same "what cannot be done"
"$DEM" run scene.toml --out run --threads 1 --steps 20 --force > said 2>&1 || exit 1
"$DEM" pack random-sequential --count 50 --seed 3 --threads 1 --out packing --force > said 2>&1 || exit 1
echo "5 failures leave $(wc -l <<<"$before") files as they were; then they are replaced"
[ "$(sums run; sums packing; sums study)" != "$before" ] && [ "$(value run/series.csv step)" = 20 ] && [ "$(wc -l < packing/packing.csv)" = 51 ]
