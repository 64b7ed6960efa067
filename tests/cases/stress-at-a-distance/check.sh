# Two spheres that attract each other, apart and in contact: cell, region and virial hold the same stress.
. "$CASES/lib.sh"
set -e
figures=""
for scene in apart touching; do
    for kind in cell region; do
        "$DEM" run ${scene}_$kind.toml --steps 3 --out ${scene}_$kind >/dev/null 2>&1
    done
    cell=$(value ${scene}_cell/series.csv stress_xx)
    region=$(value ${scene}_region/series.csv region_all_stress_xx)
    virial=$(compute "$(value ${scene}_region/series.csv virial_xx) / 6.4e-5")
    figures="$figures $scene: cell $cell, region $region, virial $virial Pa;"
    # 1e-4 N m^2 / d^2 attract; overlaps of 0.1 mm press with 2e4 N/m
    if [ $scene = apart ]; then right=$(compute "1e-4 / 0.011 / 6.4e-5"); else right=$(compute "(1e-4 / 0.0099 - 2 * 0.0099) / 6.4e-5"); fi
    for found in "$cell" "$region" "$virial"; do
        within "$found" "$right" 0.001 || { echo "$figures expected $right"; exit 1; }
    done
done
echo "${figures# }"
