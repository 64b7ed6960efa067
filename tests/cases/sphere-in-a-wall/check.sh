# A sphere of a table inside or behind a wall is refused as an overlapping pair is, with the names of both.
. "$CASES/lib.sh"
set -e
refused 2 'particle 1 and wall "floor" overlap by 9.000e-2 of the radius' "$DEM" check scene.toml || exit 1
refused 2 'particle 1 lies behind wall "floor"' "$DEM" check scene.toml --set particles.p.fill.path=behind.csv || exit 1
refused 2 'particle 1 and wall "floor" overlap' "$DEM" run scene.toml --out x || exit 1
"$DEM" check scene.toml --set particles.p.fill.max_overlap=0.1 >/dev/null 2>&1
echo "9 % of the radius inside and 40 mm behind: refused; allowed with max_overlap"
