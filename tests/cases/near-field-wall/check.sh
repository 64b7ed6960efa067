# A wall that takes part in the force at a distance holds a bead where the closed form says; one that does not leaves it alone.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out out > log || exit 1
weight=$(compute '2500 * 4 / 3 * 3.14159265358979 * 1e-9 * 9.81')
# kappa_2 u^2 - kappa_1 u = m g with u = d^-2
distance=$(compute "1 / sqrt((1e-9 + sqrt(1e-18 + 4 * 4e-15 * $weight)) / 8e-15)")
height=$(compute "2.5e-3 + $(value out/series.csv guide_wire_coordinate)")
floor=$(value out/series.csv wall_floor_force_z)
lid=$(value out/series.csv wall_lid_force_z)
printf 'height %s m (%s), floor %s N (%s), lid %s N (0)' "$height" "$distance" "$floor" "-$weight" "$lid"
within "$height" "$distance" 1e-8 && within "$floor" "-$weight" 1e-9 && within "$lid" 0 0 || exit 1
grep -v 'mie_\|near_field = "mie"' scene.toml > without.toml
refused 2 'walls.floor.near_field = true, expected false' "$DEM" check without.toml
