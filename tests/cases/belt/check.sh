# A belt drags a sphere along: at the end it rolls with 2/7 of the belt's speed, and the belt has done 2/7 m u^2 of work, half of it as heat.
. "$CASES/lib.sh"
set -e
# the tangential spring comes to rest by its dashpot
slow=(--set contact.tangential_damping_ratio=0.3 --set 'walls.belt.motion.surface_velocity=[-1, 0, 0]' --set 'time.end="0.3 s"' --set 'time.step="5 us"')
"$DEM" run scene.toml "${slow[@]}" --out out >/dev/null 2>&1
mass=$(compute "2500 * 4 / 3 * 3.14159265358979 * 1e-6")
work=$(compute "$(value out/series.csv wall_work) / (2 / 7 * $mass)")
kinetic=$(compute "$(value out/series.csv kinetic_energy) / ($mass / 7)")
translation=$(compute "$(value out/series.csv kinetic_translation) / (2 / 49 * $mass)")
echo "work $work, kinetic energy $kinetic and that of translation $translation of what they must be"
within "$work" 1 0.003
within "$kinetic" 1 0.003
within "$translation" 1 0.005
refused 2 'walls.belt.motion.surface_velocity = [-4.5, 0, 1], expected no part along the normal of the rectangle' \
    "$DEM" check scene.toml --set 'walls.belt.motion.surface_velocity=[-4.5, 0, 1]' || exit 1
