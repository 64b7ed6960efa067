#!/usr/bin/env bash
# Kills a random rank of a run at a random moment, again and again: the others must end within 10 s, and the run must go on.
#
#   tests/mpi/kills.sh DEM [COUNT]        200 kills take some 20 minutes; MPICH comes from the Python index
set -euo pipefail
dem=$(realpath "$1")
count=${2:-200}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/mpi/lib.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/mpi"
"$scratch/mpi/bin/pip" install --quiet --disable-pip-version-check mpich
export PATH=$scratch/mpi/bin:$PATH

run=(run examples/settling_box.toml --threads 1 --quiet --no-pictures --set output.checkpoints=5ms --out "$scratch/run")
slowest=0 hit=0 resumed=0
for ((kill = 1; kill <= count; kill++)); do
    rm -rf "$scratch/run"
    mpiexec -n 3 "$dem" "${run[@]}" >/dev/null 2>&1 &
    launcher=$!
    sleep "$((RANDOM % 3)).$((RANDOM % 1000))"
    mapfile -t ranks < <(processes_of "$scratch/run")
    if [ ${#ranks[@]} -gt 0 ] && kill -KILL "${ranks[RANDOM % ${#ranks[@]}]}" 2>/dev/null; then hit=$((hit + 1)); fi
    begin=$(date +%s%N)
    wait "$launcher" || true
    while [ -n "$(processes_of "$scratch/run")" ]; do
        sleep 0.1
        if [ $((($(date +%s%N) - begin) / 1000000)) -gt 10000 ]; then echo "kill $kill: ranks are left after 10 s"; exit 1; fi
    done
    took=$((($(date +%s%N) - begin) / 1000000))
    if [ "$took" -gt "$slowest" ]; then slowest=$took; fi
    if ls "$scratch/run/checkpoints/"*.ckpt >/dev/null 2>&1; then
        "$dem" "${run[@]}" --restart latest --until "1 us" >/dev/null
        resumed=$((resumed + 1))
    fi
done
echo "$count runs, of which $hit lost a rank: all ranks ended, at most $slowest ms later, and the $resumed runs that had a checkpoint go on"
[ $((2 * hit)) -ge "$count" ] && [ "$resumed" -gt 0 ]
