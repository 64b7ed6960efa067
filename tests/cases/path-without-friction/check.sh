# A path without friction: no law resists the slip, and a warning is said once.
. "$CASES/lib.sh"
"$DEM" study path --law hertz-mindlin,linear,mdr --path constant-load,circle --friction 0 --out out >said 2>errors || { cat errors >&2; exit 1; }
rows=$(awk -F, 'NR > 1' out/path.csv | wc -l)
most=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "max_tangential_force_N") at = i; next } $at > most { most = $at } END { print most + 0 }' out/path.csv)
repeated=$(grep WARN errors | sort | uniq -d | wc -l)
echo "$rows rows, tangential force $most N, $(grep -c WARN errors) warnings, $repeated of them repeated"
[ "$rows" = 6 ] && [ "$most" = 0 ] && [ "$repeated" = 0 ]
