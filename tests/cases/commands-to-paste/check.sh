# The command that goes on with an interrupted run does that when it is pasted, and nothing else, whatever the files are named.
. "$CASES/lib.sh"
pasted=0
try() {
    local scene=$1 out=$2
    cp scene.toml "./$scene"
    "$DEM" run "./$scene" --out "$out" --threads 1 --set "time.end=1 h" --set "title=it's" \
        --set 'stages=[{name="long",until={time="1 h"}}]' >said 2>errors &
    local run=$! again
    for again in $(seq 500); do [ -n "$(ls "$out/checkpoints" 2>/dev/null)" ] && break; sleep 0.02; done
    kill -TERM $run
    wait $run
    local hint
    hint=$(sed -n 's/.*continue with: dem //p' errors)
    bash -c "\"\$DEM\" $hint --steps 1" >said 2>errors || { echo "dem $hint: $(tail -n 1 errors)" >&2; return 1; }
    [ ! -e harm ] || { echo "dem $hint did harm" >&2; return 1; }
    pasted=$((pasted + 1))
}
try "my scene.toml" "my run" && try '$(touch harm).toml' '`touch harm`' && try "it's; touch harm.toml" $'line\nbreak' || exit 1
# what a terminal obeys is not sent to it
escape=$(printf '\033')
"$DEM" check "no${escape}[31m.toml" >said 2>errors
grep -q "$escape" said errors && exit 1
refused 2 'U+001B' "$DEM" check scene.toml --set "walls.floor.name=\"a\\u001Bb\"" || exit 1
refused 2 'U+000A' "$DEM" check scene.toml --set "walls.floor.name=\"a\\nb\"" || exit 1
refused 2 'U+202E' "$DEM" check scene.toml --set "title=\"a\\u202Eb\"" || exit 1
echo "$pasted commands were pasted"
