# A stage puts a lid through two spheres: refused, or with max_overlap booked as exchanged energy and warned about.
. "$CASES/lib.sh"
set -e
settled=(--set particles.p.fill.max_overlap=0.01)
refused 3 'the wall "lid" is not put in place: particle' "$DEM" run scene.toml "${settled[@]}" --out refused || exit 1
"$DEM" run scene.toml "${settled[@]}" --set walls.lid.max_overlap=0.1 --out booked >booked.txt 2>&1
# the row in which the stage is told first was written before its actions
row=$(awk -F, '/^#/ { next } !s { for (i = 1; i <= NF; i++) if ($i == "stage") s = i; next } { n++; if ($s == 2) { print n + 1; exit } }' booked/series.csv)
before=$(value booked/series.csv energy_balance $((row - 2)))
exchanged=$(compute "$(value booked/series.csv exchanged_energy "$row") - ($(value booked/series.csv exchanged_energy $((row - 2))))")
jump=$(compute "$(value booked/series.csv energy_balance "$row") - ($before)")
echo "refused without max_overlap; with it $exchanged J are exchanged (1.68e-2), the balance moves by $jump J"
within "$exchanged" 0.0168 0.0005
within "$jump" 0 0.0003
grep -q 'WARN.*"lid".*booked as exchanged' booked.txt
