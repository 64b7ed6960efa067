# The energy of rotation after the impact converges: two halvings of the step change it by a quarter as much.
. "$CASES/lib.sh"
rotation() {
    "$DEM" run scene.toml --set time.step="$1ns" --out "out_$1" --force >/dev/null && value "out_$1/series.csv" kinetic_rotation
}
a=$(rotation 200) && b=$(rotation 100) && c=$(rotation 50) && d=$(rotation 25) || exit 1
echo "rotation $a, $b, $c, $d J with 200, 100, 50, 25 ns"
within "$(compute "($d - $c) / ($b - $a)")" 0.25 0.15
