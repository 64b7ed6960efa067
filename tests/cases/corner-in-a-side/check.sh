# A corner in the middle of another facet's side is no rim: one contact on one plane. Two walls that meet in a plane are told of by `dem check`.
. "$CASES/lib.sh"
set -e
peak() {
    "$DEM" run "$1" "${@:2}" --out out --force >/dev/null 2>&1
    awk -F, '/^#/ { next } !n { for (i = 1; i <= NF; i++) if ($i ~ /^wall_.*_force_z$/) c[++n] = i; next } { s = 0; for (k = 1; k <= n; k++) s -= $c[k]; if (s > m) m = s } END { printf "%.6f", m }' out/series.csv
}
whole=$(peak scene.toml --set walls.w.shape.file=whole.stl)
divided=$(peak scene.toml)
"$DEM" check scene.toml >mesh.txt 2>&1
grep -q '1 corners in the middle of a side' mesh.txt
"$DEM" check two_walls.toml >walls.txt 2>&1
grep -q 'walls "a" and "b" are coplanar and adjoin along a line' walls.txt
echo "peak $whole N where facets share whole sides, $divided N where they share them in part (was 8.72); two walls are told of"
within "$divided" "$whole" 1e-5
