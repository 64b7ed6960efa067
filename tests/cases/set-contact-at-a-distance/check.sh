# A stage doubles the attraction of two spheres: the energy that this takes is booked as exchanged, and the balance goes on.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out x >/dev/null 2>&1
row() { awk -F, -v at="$1" '/^#/ { next } !s { for (i = 1; i <= NF; i++) if ($i == "step") s = i; next } { n++; if ($s == at) { print n; exit } }' x/series.csv; }
before=$(row 50)
after=$(row 55)
balance=$(value x/series.csv energy_balance "$before")
exchanged=$(value x/series.csv exchanged_energy "$after")
jump=$(compute "$(value x/series.csv energy_balance "$after") - ($balance)")
near=$(value x/series.csv near_field_energy "$before")
echo "near-field energy $near J doubled: exchanged $exchanged J, balance moves by $jump J"
within "$exchanged" "$near" 1e-11
within "$jump" 0 1e-9
