# A restart whose wall probes have other bins, or whose series has other columns, is refused with the difference before it changes anything.
. "$CASES/lib.sh"
sums() { (cd out && find . -type f -exec cksum {} + | sort -k3); }
"$DEM" run scene.toml --out out --threads 1 --until "5 ms" >said 2>&1 || { cat said >&2; exit 1; }
before=$(sums)
again=("$DEM" run scene.toml --out out --threads 1 --restart latest)
refused 2 "the wall probes differ from those of the checkpoint" "${again[@]}" --set output.wall_probes.0.bins=3 || exit 1
refused 2 "move the file away" "${again[@]}" --set output.wall_probes.0.sectors=2 || exit 1
region='output.regions=[{name="low",region={type="box",min=["-20 mm","-20 mm",0],max=["20 mm","20 mm","20 mm"]}}]'
refused 2 "series.csv:1: the columns differ: the file lacks region_low" "${again[@]}" --set "$region" || exit 1
[ "$(sums)" = "$before" ] || exit 1
mv out/profiles.csv earlier.csv
"${again[@]}" --set output.wall_probes.0.bins=3 >said 2>&1 || { cat said >&2; exit 1; }
bins=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bin") at = i; next } { print $at }' out/profiles.csv | sort -u | wc -l)
echo "3 changes refused; with the file moved away the next one has $bins bins"
[ "$bins" = 3 ]
