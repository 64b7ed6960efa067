# A target without a unit is refused; a test that misses its stress, and one whose preparation waits in vain, end with exit code 3 and are marked.
. "$CASES/lib.sh"
set -e
test="triaxial sample.toml --once --strain 0.002 --fraction 0.5 --points 10"
refused 2 'as in "100 Pa"' "$DEM" $test --path drained --pressure 100 --rate "0.5 1/s" --out plain || exit 1
refused 2 "--rate = 0.5" "$DEM" $test --path drained --pressure "100 kPa" --rate 0.5 --out plain || exit 1
[ ! -e plain ]
"$DEM" $test --path drained --pressure "100 kPa" --rate "0.5 1/s" --out held >said.txt 2>&1
refused 3 "stress error up to" "$DEM" $test --path drained --pressure "1 kPa" --rate "0.5 1/s" --out missed || exit 1
refused 3 "inertial number up to" "$DEM" $test --path drained --pressure "100 kPa" --rate "20 1/s" --out hasty || exit 1
refused 3 "waited for its stress at equilibrium" "$DEM" $test --set stages.compress.until.time=1ms --out early || exit 1
grep -q "stress error up to" missed/triaxial.csv
grep -q "(out of bounds)" missed/triaxial.svg
held=$(value held/triaxial.csv largest_stress_error)
missed=$(value missed/triaxial.csv largest_stress_error)
within "$held" 0 0.05
echo "largest stress error $held where it is held, $missed where it is missed, inertial number $(value hasty/triaxial.csv largest_inertial_number) when hasty"
