# Files are what their names say, stages count from 1 everywhere, and what is gone has not been left.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out out >said.txt 2>errors.txt || { cat errors.txt >&2; exit 1; }
refused 2 "ends in .png" "$DEM" render out --out film.mp4 && refused 2 "ends in .html" "$DEM" report out --out page.pdf || exit 1
[ ! -e film.mp4 ] && [ ! -e page.pdf ] || exit 1
stage=$("$DEM" info out/checkpoints/*.ckpt | awk '$1 == "stage" { print $2 }' | tail -n 1)
row=$(value out/series.csv stage)
said=$(grep "inserted" said.txt)
echo "stage $stage of the checkpoint, $row of the series; ${said#  }"
[ "$stage" = "$row" ] && [ "$stage" = 2 ] && [[ "$said" == *"1 removed"* ]]
