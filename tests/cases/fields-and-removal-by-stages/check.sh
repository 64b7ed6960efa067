# Stages take grains out and set fields: the ledger closes, the summary lists what was done, a restart gives the same bits.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out out >/dev/null 2>&1
"$DEM" run scene.toml --out parts --until "215 ms" >/dev/null 2>&1
"$DEM" run scene.toml --out parts --restart latest --threads 1 >/dev/null 2>&1
cmp out/series.csv parts/series.csv
removed=$(value out/series.csv removed_by_stages)
left=$(value out/series.csv particles)
gone=$(value out/series.csv removed)
dissipated=$(compute "$(value out/series.csv friction_work) + $(value out/series.csv viscous_work)")
residual=$(compute "($(value out/series.csv energy_balance) - $(value out/series.csv energy_balance 1)) / $dissipated")
events=$(grep -c '"what":' out/summary.json)
echo "$removed of 100 grains taken out, $left left, $gone gone by themselves; $events events; the ledger is off by $residual of what contacts dissipated"
[ "$((removed + left))" = 100 ] && [ "$removed" -gt 20 ] && [ "$gone" = 0 ] && [ "$events" = 3 ]
grep -q "\"what\": \"$removed particles of" out/summary.json
within "$residual" 0 0.02
