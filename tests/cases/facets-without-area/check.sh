# Facets without area are left out and counted, and what they joined is one plane; a byte order mark and comments may stand before `solid`.
. "$CASES/lib.sh"
set -e
for file in point sliver; do
    "$DEM" check scene.toml --set walls.w.shape.file=$file.stl >"$file.txt" 2>&1
    grep -q '1 facets without area, left out' "$file.txt"
    grep -q '8 facets: 1 faces, 4 edges, 4 vertices' "$file.txt"
done
{ printf '\xef\xbb\xbf; exported\n# units: m\n'; cat point.stl; } >marked.stl
for file in point marked; do
    "$DEM" run scene.toml --set walls.w.shape.file=$file.stl --set 'output.series="0.1 ms"' --out "$file" >/dev/null 2>&1
done
"$DEM" run scene.toml --set 'walls.w.shape={type="rectangle",centre=[0,0,0],edge_u=[0.2,0,0],edge_v=[0,0.2,0]}' --set 'output.series="0.1 ms"' \
    --out plate >/dev/null 2>&1
peak() { awk -F, '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "wall_w_force_z") c = i; next } { if (-$c > m) m = -$c } END { printf "%.6f", m }' "$1/series.csv"; }
echo "left out and counted; peak on what is left $(peak point) N, with a mark and comments $(peak marked) N, on a plate $(peak plate) N"
within "$(peak point)" "$(peak plate)" 1e-5
within "$(peak marked)" "$(peak point)" 0
