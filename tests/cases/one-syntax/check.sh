# Laws stand between commas everywhere, numbers may have units and percents in every option, JSON is to be had everywhere, slips are answered with
# the name that is meant.
. "$CASES/lib.sh"
laws() { "$DEM" study path --path constant-load --out "$1" --json "${@:2}" 2>&1 | grep -c '"law"'; }
[ "$(laws a --law "linear:normal_stiffness=1 MN/m,mdr")" = 2 ] && [ "$(laws b --laws linear --laws mdr)" = 2 ] || exit 1
"$DEM" study path --path constant-load --law mdr --friction "10 %" --out percent >said 2>&1 || { cat said >&2; exit 1; }
"$DEM" study path --path constant-load --law mdr --friction 0.1 --out plain >said 2>&1 || exit 1
[ "$(value percent/path.csv max_tangential_force_N)" = "$(value plain/path.csv max_tangential_force_N)" ] || exit 1
refused 2 "did you mean hertz-mindlin?" "$DEM" laws hertz-mindlni && refused 2 "did you mean friction?" "$DEM" study path --law mdr:frictoin=1 || exit 1
refused 2 "did you mean" "$DEM" check scene.toml --set 'stages=[{name="a",until={measure={quantity="kinetic_enrgy",below=1}}}]' || exit 1
"$DEM" laws --json | grep -c '"name": "hertz-mindlin"' >count && [ "$(cat count)" = 1 ] || exit 1
"$DEM" laws linear --json | grep -q '"name": "normal_stiffness"' || exit 1
"$DEM" run scene.toml --out out --threads 1 --no-pictures >said 2>&1 || exit 1
"$DEM" info out --json | grep -q '"kind": "checkpoint"' && "$DEM" info scene.toml --json | grep -q '"law": "hertz-mindlin"' || exit 1
"$DEM" check scene.toml --json | grep -q '"of": "Rayleigh time"' || exit 1
"$DEM" render out --azimuth "0.5 rad" --elevation "20 deg" >said 2>&1 || { cat said >&2; exit 1; }
refused 2 "did you mean velocity?" "$DEM" render out --colour velocty || exit 1
"$DEM" schema | grep -q '"averaged-spin"' && "$DEM" schema | grep -q '"semi-implicit-euler"' && "$DEM" schema | grep -q '"pattern"' || exit 1
echo "2 laws of a list, 10 % as 0.1, JSON of laws, info and check, the schema with its names"
