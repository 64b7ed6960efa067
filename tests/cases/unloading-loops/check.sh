# A slip taken at one overlap and given back at another: four times the overlap doubles the area, and the stiffness k of the smaller area. Energy
# dissipated in units of k s^2; the values of the rules follow from k and the force that each keeps.
. "$CASES/lib.sh"
# m: sphere of 2.5 mm of aluminium oxide on soda-lime glass; friction that never slides
loop() { # RULE FIRST SECOND
    awk -v a="$2" -v b="$3" 'BEGIN {
        n = 400; s = 1e-9
        print "overlap_m,slip_x_m,slip_y_m"
        for (i = 0; i <= n; i++) printf "%.17g,%.17g,0\n", a, s * i / n
        for (i = 1; i <= n; i++) { r = sqrt(a) + (sqrt(b) - sqrt(a)) * i / n; printf "%.17g,%.17g,0\n", r * r, s }
        # back until the force is far on the other side: the zero is found from the table
        for (i = 1; i <= 4 * n; i++) printf "%.17g,%.17g,0\n", b, s - s * i / n
    }' >"loop_$2_$3.csv"
    "$DEM" study path --law "hertz-mindlin:unloading=$1" --file "loop_$2_$3.csv" --friction 1000 --out "out_$1_$2_$3" >/dev/null || return 1
    # work put in until the force passes zero on the way back, over k s^2 with the stiffness of the first slip at the smaller overlap
    awk -F, -v small="$([ "$2" = 1e-6 ] && echo 1 || echo 2)" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { x = $at["slip_x_m"]; f = $at["force_x_N"]; o = $at["overlap_m"] }
        NR == 3 { k = f / x / small }
        NR > 2 { if (NR > 804 && f <= 0) { print work / (k * 1e-18); exit } work += 0.5 * (f + before) * (x - at_x) }
        { before = f; at_x = x }' "out_$1_$2_$3/path_points.csv"
}
figures=""
right=0
check() { # RULE RISING FALLING
    local up down
    up=$(loop "$1" 1e-6 4e-6) && down=$(loop "$1" 4e-6 1e-6) || { right=1; return; }
    figures+="$1 $up $down; "
    within "$up" "$2" 0.01 && within "$down" "$3" 0.01 || right=1
}
check carried 0.25 0.5
check none 0.25 -1
check area 0.25 0.5
check neutral 0.25 0
check total -0.5 0.5
check displacement -0.5 0.875
echo "${figures% }"
exit $right
