# A mesh is turned about the origin of its file and scaled beside its unit.
. "$CASES/lib.sh"
set -e
"$DEM" check scene.toml >turned.txt 2>&1
"$DEM" check scene.toml --set walls.part.shape.scale=0.5 >scaled.txt 2>&1
extent() { sed -n 's/^    from \[\(.*\)\] to \[\(.*\)\] m/\1, \2/p' "$1" | head -n 1; }
echo "turned: $(extent turned.txt); half as large: $(extent scaled.txt)"
check() {
    extent "$1" | awk -F', ' -v h="$2" '{ for (i = 1; i <= 6; i++) { e = (i % 3 == 1) ? 0 : (i < 4 ? -h : h); d = $i - e; if (d < -1e-12 || d > 1e-12) exit 1 } found = 1 } END { exit !found }'
}
check turned.txt 0.1
check scaled.txt 0.05
refused 2 'walls.part.shape.scale = 0 [-], expected value > 0' "$DEM" check scene.toml --set walls.part.shape.scale=0 || exit 1
