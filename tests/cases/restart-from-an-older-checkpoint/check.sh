# A restart from an older checkpoint that is killed before its next one leaves no later checkpoint and no hole in the series.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out whole --threads 1 --steps 300 > said 2>&1 || exit 1
cp -r whole out
older=$(ls out/checkpoints | head -n 1)
latest=$(ls out/checkpoints | tail -n 1)
# nothing more is written than what stands before the first step
"$DEM" run scene.toml --out out --threads 1 --restart out/checkpoints/$older --set 'output.checkpoints="1 h"' > said 2>&1 &
run=$!
for _ in $(seq 3000); do [ -e out/checkpoints/$latest ] || break; sleep 0.01; done
kill -KILL "$run"
wait "$run" 2>/dev/null
left=$(ls out/checkpoints | tail -n 1)
[ "$left" = "$older" ] || { echo "left: $left" >&2; exit 1; }
"$DEM" run scene.toml --out out --threads 1 --restart latest --steps 300 > said 2>&1 || { cat said >&2; exit 1; }
# from the checkpoint of another directory
"$DEM" run scene.toml --out other --threads 1 --steps 300 > said 2>&1 || exit 1
rm other/checkpoints/$older
"$DEM" run scene.toml --out other --threads 1 --restart whole/checkpoints/$older --set 'output.checkpoints="1 h"' > said 2>&1 &
run=$!
for _ in $(seq 3000); do [ -e other/checkpoints/$latest ] || break; sleep 0.01; done
kill -KILL "$run"
wait "$run" 2>/dev/null
"$DEM" run scene.toml --out other --threads 1 --restart latest --steps 300 > said 2>&1 || { cat said >&2; exit 1; }
rows=$(wc -l < whole/series.csv)
echo "set back from $latest to $older and killed: $rows rows and the last state as without"
for run in out other; do
    cmp -s whole/series.csv $run/series.csv && cmp -s whole/checkpoints/$latest $run/checkpoints/$latest || exit 1
done
