# A contact under constant load slides 10 mu N/k_t along x, then 0.3 mu N/k_t along y, at 0.05 m/s, with a tangential dashpot c v = 0.019 mu N.
# Angle of the force from the motion along y. Right values: integration of the differential equations of spring, dashpot and slider for kelvin and
# lammps, 2 atan(exp(-0.3)) for dropped.
. "$CASES/lib.sh"

# k_t = 5e5 N/m, N = 10 N, mu = 0.3
path() {
    awk -v n="$1" 'BEGIN {
        reach = 0.3 * 10 * 0.3 / 5e5; step = reach / n; before = int(10 * reach / 0.3 / step + 0.5)
        print "overlap_m,slip_x_m,slip_y_m\n1e-5,0,0"
        for (i = 1; i <= before; i++) printf "1e-5,%.17g,0\n", step * i
        for (i = 1; i <= n; i++) printf "1e-5,%.17g,%.17g\n", step * before, step * i
    }' >"turn_$1.csv"
}
angle() { # STEPS RULE
    [ -f "turn_$1.csv" ] || path "$1"
    local law="linear:normal_stiffness=1e6,stiffness_ratio=0.5,damping_ratio=0,tangential_damping_ratio=0.05,sliding_dashpot=$2"
    "$DEM" study path --law "$law" --file "turn_$1.csv" --friction 0.3 --time-step "$(compute "3.6e-5 / $1")s" --out "out_$1_$2" >/dev/null || return 1
    compute "atan2($(value "out_$1_$2/path_points.csv" force_x_N), $(value "out_$1_$2/path_points.csv" force_y_N)) * 180 / 3.14159265358979"
}
coarse=$(angle 500 kelvin) && kelvin=$(angle 1000 kelvin) && lammps=$(angle 1000 lammps) && dropped=$(angle 1000 dropped) || exit 1
echo "kelvin $kelvin (500 steps: $coarse), lammps $lammps, dropped $dropped degrees"
within "$kelvin" 72.071 0.1 && within "$lammps" 71.889 0.1 && within "$dropped" 73.063 0.1 && within "$coarse" "$kelvin" 0.01
