# Picture and plots can be left out, by an option and by a key; whoever wants them later draws them.
. "$CASES/lib.sh"
pictures() { ls "$1" | grep -c 'png$'; }
"$DEM" run scene.toml --out option --threads 1 --no-pictures >said 2>&1 || { cat said >&2; exit 1; }
"$DEM" run scene.toml --out key --threads 1 --set output.pictures=false >said 2>&1 || { cat said >&2; exit 1; }
"$DEM" run scene.toml --out with --threads 1 >said 2>&1 || exit 1
[ "$(pictures option)" = 0 ] && [ "$(pictures key)" = 0 ] && [ "$(pictures with)" = 3 ] || exit 1
cmp option/series.csv with/series.csv || exit 1
"$DEM" plot option >said 2>&1 && "$DEM" render option >said 2>&1 || exit 1
[ "$(pictures option)" = 3 ] || { ls option >&2; exit 1; }
# members that were never to be drawn are done
"$DEM" run scene.toml --out many --threads 1 --seeds 1,2 --no-pictures >said 2>&1 || { cat said >&2; exit 1; }
"$DEM" run scene.toml --out many --threads 1 --seeds 1,2 --no-pictures >said 2>&1 || exit 1
[ "$(grep -c "done before" said)" = 2 ] && [ "$(find many/members -name '*.png' | wc -l)" = 0 ] || { cat said >&2; exit 1; }
echo "0 pictures with the option and with the key, 3 without, 3 drawn later"
