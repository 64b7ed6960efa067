#!/usr/bin/env bash
# Scenes that once gave a wrong result, each with the right one.
#
#   bash tests/cases/all.sh target/release/dem [CASE ..]
#
# Every folder beside this file is a case: its `check.sh` runs in a copy of the folder, prints the figures it found on one line and fails if
# they are wrong. One line a case; the exit code is 0 only if all cases hold.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] && [ -x "$1" ] || { echo "usage: all.sh path/to/dem [CASE ..], with an executable dem" >&2; exit 2; }
DEM=$(realpath "$1")
shift
export DEM CASES="$here"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ $# -gt 0 ]; then
    cases=("$@")
else
    cases=()
    for check in "$here"/*/check.sh; do
        cases+=("$(basename "$(dirname "$check")")")
    done
fi
failed=0
for case in "${cases[@]}"; do
    cp -r "$here/$case" "$scratch/$case" || { failed=1; continue; }
    if figures=$(cd "$scratch/$case" && bash check.sh 2>"$scratch/$case.errors"); then
        printf 'ok    %-32s %s\n' "$case" "$figures"
    else
        printf 'FAIL  %-32s %s\n' "$case" "$figures"
        sed 's/^/      /' "$scratch/$case.errors" | tail -n 5
        failed=1
    fi
    rm -rf "${scratch:?}/$case"
done
exit $failed
