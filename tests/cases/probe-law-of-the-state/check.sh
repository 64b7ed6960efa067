# A probe is done under the law of the state, whose histories it goes on from; a law that remembers other things is refused, and a state that moves by
# itself is told with exit code 3.
. "$CASES/lib.sh"
set -e
"$DEM" triaxial sample.toml --once --strain 0.005 --fraction 0.47 --points 10 --out test >said.txt 2>&1
state=test/states/peak_0.47.ckpt
"$DEM" probe test --state $state --directions 8 --steps 10 --relax 20 --unload 0 --out own >said.txt 2>&1
law=$(value own/probe.csv law 1)
[ "$law" = linear ]
within "$(value own/probe_quality.csv null_stress_over_smallest 1)" 0 0.05
refused 2 "--drop-histories" "$DEM" probe test --state $state --directions 8 --law kuhn --unload 0 --out other || exit 1
refused 3 "the probe without strain changed the stress by" \
    "$DEM" probe test --state $state --directions 8 --steps 10 --relax 20 --law kuhn --drop-histories --unload 0 --out other || exit 1
drift=$(value other/probe_quality.csv null_stress_over_smallest 1)
grep -q "histories dropped; state not at rest" other/probe.csv
grep -q "histories dropped; state not at rest" other/probe.svg
echo "law of the state $law, modulus $(value own/probe.csv plastic_modulus_MPa 1) MPa; under kuhn without histories a drift of $drift of the smallest probe"
