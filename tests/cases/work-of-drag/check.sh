# The work of drag is booked to second order: a quarter of the residual is left with steps half as long.
. "$CASES/lib.sh"
set -e
for step in 200 100 50; do
    "$DEM" run scene.toml --out "step$step" --set "time.step=\"$step us\"" >/dev/null 2>&1
done
first=$(value step100/series.csv kinetic_energy 1)
share() {
    compute "($(value "step$1/series.csv" energy_balance) - $(value "step$1/series.csv" energy_balance 1)) / $first"
}
residuals="$(share 200) $(share 100) $(share 50)"
work=$(value step100/series.csv field_work)
expected=$(compute "$first * (1 - exp(-2))")
echo "residuals $residuals of the energy (4.9e-5 at 100 us once); work of drag $work J, in closed form $expected J"
set -- $residuals
awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(b * b < 1e-14 && a / b > 3.5 && b / c > 3.5) }'
within "$work" "$expected" "$(compute "1e-6 * $expected")"
