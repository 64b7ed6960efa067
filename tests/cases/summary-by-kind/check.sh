# What a run was about is in its summary: stress and porosity of cells and pistons, outflow, power of driven walls; what has no meaning is not.
. "$CASES/lib.sh"
lattice() {
    awk -v layers="$1" 'BEGIN {
        print "x,y,z,r"
        for (k = 0; k < layers; k++) for (j = 0; j < 6; j++) for (i = 0; i < 6; i++)
            printf "%.9g,%.9g,%.9g,0.001\n", 0.001 + 0.002 * i, 0.001 + 0.002 * j, 0.001 + 0.002 * k
    }'
}
lattice 8 >lattice.csv
lattice 6 >cube.csv
awk 'BEGIN { print "x,y,z,r"; for (k = 0; k < 100; k++) printf "0,0,%.9g,0.001\n", 0.0505 + 0.01 * k }' >string.csv
for kind in plate outflow piston cell; do
    "$DEM" run $kind.toml --out $kind >$kind.txt 2>$kind.errors || { tail -n 3 $kind.errors >&2; exit 1; }
done
# a number of a summary: number RUN KEY [OCCURRENCE]
number() { awk -v key="\"$2\":" -v n="${3:-1}" '$1 == key && ++seen == n { gsub(",", "", $2); print $2; exit }' "$1/summary.json"; }
power=$(number plate power) rate=$(number outflow rate)
pressure=$(number piston zz) p=$(number cell mean_stress)
held=$(number piston porosity) pores=$(number cell porosity)
# of the piston: 288 spheres under it, which has come down from 16.2 mm
way=$(value piston/series.csv wall_piston_way)
under=$(compute "1 - 288 * 4 / 3 * 3.14159265358979 * 1e-9 / (0.012^2 * (0.0162 - $way))")
edges=$(compute "$(value cell/series.csv cell_edge_1_x) * $(value cell/series.csv cell_edge_2_y) * $(value cell/series.csv cell_edge_3_z)")
empty=$(compute "1 - 216 * 4 / 3 * 3.14159265358979 * 1e-9 / $edges")
echo "power $power W of 3.924e-4; rate $rate kg/s of 0.1; piston $pressure Pa, porosity $held of $under; cell $p Pa, porosity $pores of $empty"
within "$power" 3.924e-4 1e-8 && within "$rate" 0.1 0.0011 && within "$pressure" 50000 60 && within "$held" "$under" 1e-6 &&
    within "$p" 50000 60 && within "$pores" "$empty" 1e-6 || exit 1
# what has no meaning for a run is left out
for kind in outflow piston cell; do
    grep -E "bed height|3 d" $kind.txt >&2 && exit 1
    [ "$(number $kind bed_height)" = null ] && [ "$(number $kind weight)" = null ] || exit 1
done
grep -q "q/p" cell.txt && grep -q "void ratio" piston.txt && grep -q "outflow" outflow.txt && grep -q "power" plate.txt
