# positive = "compression" turns the whole tensor round, shear included, in what is asked for and in what is told, and dem check says so.
. "$CASES/lib.sh"
set -e
told=""
for positive in tension compression; do
    "$DEM" run scene.toml --out $positive --set cell.positive=$positive >/dev/null 2>&1
    told="$told $positive: the cell leans by $(value $positive/series.csv cell_edge_2_x) m and is $(value $positive/series.csv cell_edge_3_z) m high at strain_xy $(value $positive/series.csv strain_xy), strain_zz $(value $positive/series.csv strain_zz);"
    "$DEM" check scene.toml --set cell.positive=$positive | grep -q "stresses, strains and rates: $positive positive"
done
echo "$told"
awk -v a="$(value tension/series.csv cell_edge_2_x)" -v b="$(value compression/series.csv cell_edge_2_x)" 'BEGIN { exit !(a > 0.09 && b < -0.09) }'
within "$(value tension/series.csv strain_xy)" 0.05 0.001
within "$(value compression/series.csv strain_xy)" 0.05 0.001
