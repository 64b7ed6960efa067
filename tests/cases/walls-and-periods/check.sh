# Walls have no periodic images: a floor that is shifted against the cell is refused, one that is as wide as the cell holds the spheres.
. "$CASES/lib.sh"
refused 2 "walls have no periodic images" "$DEM" check scene.toml || exit 1
"$DEM" run scene.toml --set walls.w.shape.file=exact.stl --out out > said 2>&1 || exit 1
left=$(value out/series.csv particles)
echo "shifted floor refused; on the floor as wide as the cell $left of 3 spheres stay"
[ "${left%.*}" = 3 ]
