# A number of spheres from the lower corner of a region with far more sites.
. "$CASES/lib.sh"
set -e
"$DEM" check scene.toml >count.txt 2>&1
placed=$(sed -n 's/^  \([0-9]*\) at the start.*/\1/p' count.txt)
echo "$placed spheres of 1000"
[ "$placed" = 1000 ]
refused 2 'the request needs about' "$DEM" check scene.toml --set 'particles.p.fill={type="lattice"}' || exit 1
