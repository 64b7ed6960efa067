# Studies of single runs look at whole ensembles: the rate of a discharge against a parameter, with its interval over the seeds.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out many --threads 2 --seeds 1..3 --sweep particles.rain.fill.count=100,200 >said 2>&1 || { tail -n 3 said >&2; exit 1; }
"$DEM" study discharge many --out rates >said 2>errors || { cat errors >&2; exit 1; }
rate() { value rates/discharge.csv "$1" "$2"; }
echo "$(rate rate_kg_s 1) +- $(rate half_width_rate_kg_s 1) kg/s of 100 spheres, $(rate rate_kg_s 2) of 200, $(rate members 1) seeds each"
[ "$(rate members 1)" = 3 ] && [ "$(awk 'NR > 1' rates/discharge_members.csv | wc -l)" = 6 ] || exit 1
# the mean of the members, and Student's interval of three: 4.303 s/sqrt(3)
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rate_kg_s") at = i; next } NR <= 4 { n++; s += $at; q += $at * $at }
    END { m = s / n; d = sqrt((q - n * m * m) / (n - 1)); printf "%.9g %.9g\n", m, 4.302652730 * d / sqrt(n) }' rates/discharge_members.csv >expected
read -r mean half <expected
within "$(rate rate_kg_s 1)" "$mean" 1e-9 && within "$(rate half_width_rate_kg_s 1)" "$half" 1e-6 || { cat expected >&2; exit 1; }
within "$(compute "$(rate rate_kg_s 2) / $(rate rate_kg_s 1)")" 2 0.3 || exit 1
[ -f rates/discharge.png ] || { ls rates >&2; exit 1; }
# a heap that is too small is told the size that it needs
refused 2 "12 mean diameters, some" "$DEM" study surface many --kind heap --frame 0 --out angles
