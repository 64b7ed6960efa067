# The energy of rotation after the impact converges: each halving of the step changes it by half as much.
. "$CASES/lib.sh"
rotation() {
    "$DEM" run scene.toml --set time.step="$1ns" --out "out_$1" --force >/dev/null && value "out_$1/series.csv" kinetic_rotation
}
a=$(rotation 200) && b=$(rotation 100) && c=$(rotation 50) && d=$(rotation 25) || exit 1
echo "rotation $a, $b, $c, $d J with 200, 100, 50, 25 ns"
within "$(compute "($b - $a) / ($c - $b)")" 2 0.3 && within "$(compute "($c - $b) / ($d - $c)")" 2 0.3
