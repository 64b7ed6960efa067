# A run under a limit of file sizes ends with a message, and one that a batch system warns saves a checkpoint, from which it goes on.
. "$CASES/lib.sh"
( ulimit -f 40; "$DEM" run scene.toml --out limited --threads 1 >said 2>errors )
limited=$?
grep -q "File too large" errors && [ "$limited" = 2 ] || { echo "exit code $limited: $(tail -n 1 errors)" >&2; exit 1; }
saved=0
for signal in XCPU USR1 USR2 HUP; do
    "$DEM" run scene.toml --out "$signal" --threads 1 --set "time.end=1 h" --set 'stages=[{name="long",until={time="1 h"}}]' >said 2>errors &
    run=$!
    for try in $(seq 500); do [ -n "$(ls "$signal/checkpoints" 2>/dev/null)" ] && break; sleep 0.02; done
    kill "-$signal" $run
    [ "$signal" = HUP ] || kill "-$signal" $run
    wait $run
    code=$?
    [ "$code" = 130 ] && grep -q "continue with: dem run" errors || { echo "$signal: exit code $code: $(tail -n 1 errors)" >&2; exit 1; }
    saved=$((saved + 1))
done
# what nohup has set up stays
( trap '' HUP; exec "$DEM" run scene.toml --out nohup --threads 1 --set "time.end=1 h" --set 'stages=[{name="long",until={time="1 h"}}]' >said 2>errors ) &
run=$!
for try in $(seq 500); do [ -n "$(ls nohup/checkpoints 2>/dev/null)" ] && break; sleep 0.02; done
kill -HUP $run
sleep 0.5
kill -0 $run 2>/dev/null || { echo "nohup did not last" >&2; exit 1; }
kill -TERM $run
wait $run
echo "exit code $limited at the limit of file sizes, $saved signals saved a checkpoint"
