# The paragraph on methods has the friction of the test, units of numbers that the scene gives without, every parameter once, and no name of a file.
. "$CASES/lib.sh"
set -e
"$DEM" run sample.toml --steps 5 --out run --set 'stages.shear.deform={ mean_stress = 1e5, zz = { rate = 0.5 } }' >said.txt 2>&1
"$DEM" methods run >methods.txt
for text in "stage shear on, contacts had friction = 0.5" "normal stiffness = 2e5 N/m" "mean stress 1e5 Pa, zz rate 0.5 1/s"; do
    grep -q "$text" methods.txt || { echo "no '$text'" >&2; exit 1; }
done
twice=$(grep -o "normal stiffness" methods.txt | wc -l)
[ "$twice" -eq 1 ]
grep -q '\.cff' methods.txt && exit 1
echo "friction of the test, $(grep -o "N/m" methods.txt | wc -l) stiffnesses in N/m, normal stiffness $twice time"
