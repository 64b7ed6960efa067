# The walls of a branch are those of the same name: in another order in the file the ball rests on the floor with the same friction.
. "$CASES/lib.sh"
set -e
"$DEM" run d.toml --out rest >/dev/null 2>&1
"$DEM" run d_same.toml --from rest --out same >same.txt 2>&1
"$DEM" run d_swap.toml --from rest --out swap >swap.txt 2>&1
figures=""
for column in wall_floor_force_x wall_floor_force_y wall_right_force_y wall_right_force_z; do
    one=$(value same/series.csv $column)
    other=$(value swap/series.csv $column)
    figures="$figures $column $one"
    [ "$one" = "$other" ] || { echo "$column: $one, swapped $other"; exit 1; }
done
sed 's/name = "right"/name = "side"\nmax_overlap = "1 %"/' d_swap.toml >other.toml
"$DEM" run other.toml --from rest --out other >other.txt 2>&1
echo "$figures; the same with the walls swapped; renamed: $(grep 'with wall "right"' other.txt | xargs)"
grep -q 'with wall "floor": kept 1, dropped 0' swap.txt
grep -q 'contact histories kept: 1, dropped: 1' other.txt
grep -q 'with wall "right": kept 0, dropped 1' other.txt
