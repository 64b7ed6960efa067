# A restart whose frames would have other columns than those of the file is refused at once, with what to do.
. "$CASES/lib.sh"
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort -k3); }
"$DEM" run scene.toml --out out --threads 1 --steps 150 > said 2>&1 || exit 1
before=$(sums out)
for change in output.contacts=false output.orientations=false output.total_rotation=true; do
    refused 2 "set output.contacts, output.orientations and output.total_rotation as before, or move the file away" \
        "$DEM" run scene.toml --out out --threads 1 --restart latest --set $change || exit 1
    [ "$(sums out)" = "$before" ] || exit 1
done
mv out/snapshots.vtkhdf earlier.vtkhdf
"$DEM" run scene.toml --out out --threads 1 --restart latest --set output.contacts=false > said 2>&1 || { cat said >&2; exit 1; }
grep -q "WARN snapshots.vtkhdf" said || exit 1
echo "3 refused at step 150, the fourth goes on to $(value out/series.csv step) with a file of its own"
[ "$("$DEM" info out/snapshots.vtkhdf | grep -c "step 0,")" = 0 ]
