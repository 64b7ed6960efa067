# Members that are the same, however their values are written, are refused before any of them runs.
. "$CASES/lib.sh"
short=(--set "time.end=0.2 ms")
for sweep in contact.friction=0.1,1e-1 'contact.friction=50 %,0.5' 'walls.floor.motion={},{ }' 'time.end=1 ms,0.001' seed=1,01; do
    "$DEM" run scene.toml --out out --sweep "$sweep" "${short[@]}" --threads 1 >said 2>&1
    [ $? = 2 ] || { echo "$sweep was not refused" >&2; exit 1; }
    [ ! -e out ] || { echo "$sweep left something" >&2; exit 1; }
done
refused 2 ": 0.1 and 1e-1 are the same" "$DEM" run scene.toml --out out --sweep contact.friction=0.1,1e-1 || exit 1
printf 'contact.friction,contact.restitution\n0.1,0.5\n0.2,0.5\n1e-1,5e-1\n' >list.csv
refused 2 "0.1,0.5 and 1e-1,5e-1 are the same" "$DEM" run scene.toml --out out --sweep-file list.csv || exit 1
"$DEM" run scene.toml --out out --sweep contact.friction=0.1,0.2 "${short[@]}" --threads 1 >said 2>&1 || { tail -n 3 said >&2; exit 1; }
echo "equal values refused, $(ls out/members | wc -l) members of different ones"
