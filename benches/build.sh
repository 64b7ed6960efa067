#!/usr/bin/env bash
# How long builds and tests take, against the limits that the project has set itself on two cores. Exit code 1 above a limit.
#
#   bash benches/build.sh          all of it, about half an hour on a machine that does nothing else
#   bash benches/build.sh NAME ..  some of: release, edit, tests, lanes, alone
#
# Everything is built from nothing in a copy of the committed tree, so that neither this tree nor its target folder changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone -q . "$scratch/tree"
cd "$scratch/tree"
export CARGO_INCREMENTAL=0
failed=0

# Runs a command; sets wall and cpu to what it took [s].
measure() {
    local begin=$EPOCHREALTIME before
    look
    before=$spent
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; printf 'FAILED: %s\n' "$*"; exit 2; }
    look
    wall=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }')
    cpu=$(awk -v a="$before" -v b="$spent" 'BEGIN { printf "%.1f", b - a }')
}

# Sets spent to the processor time of all commands so far [s]. A substitution would tell that of its own shell.
look() {
    times >"$scratch/times"
    spent=$(awk 'NR == 2 { gsub("s", ""); split($1, u, "m"); split($2, s, "m"); print 60 * u[1] + u[2] + 60 * s[1] + s[2] }' "$scratch/times")
}

# report WHAT VALUE LIMIT UNIT
report() {
    local verdict=ok
    if awk -v v="$2" -v l="$3" 'BEGIN { exit !(v > l) }'; then
        verdict="ABOVE THE LIMIT"
        failed=1
    fi
    printf '%-66s %7s %-5s (at most %s): %s\n' "$1" "$2" "$4" "$3" "$verdict"
}

release() {
    measure cargo build --release --locked
    report "release build from nothing" "$wall" 180 "s"
    echo "    processor time $cpu s"
}

# From saving a changed formula to the first step under it, and to that law's own tests: as cargo builds for who edits, unit by unit.
edit() {
    local -x CARGO_INCREMENTAL=1
    local law=crates/dem-contact/src/tangential/kuhn.rs
    measure cargo build --locked
    echo "    dev build from nothing: $wall s, processor time $cpu s"
    change_formula "$law" 0.5000001
    measure cargo run --locked -- study impact --law kuhn --out "$scratch/impact"
    report "from saving a law's file to dem study impact under it, dev profile" "$wall" 40 "s"
    measure cargo test --locked -p dem-contact --lib --no-run
    change_formula "$law" 0.5
    measure cargo test --locked -p dem-contact --lib kuhn
    report "that law's tests after an edit" "$cpu" 60 "CPU-s"
    git checkout -q .
}

# change_formula FILE HALF: its code is another afterwards.
change_formula() {
    sed -i "s/let (zero, half, one) = (R::zero(), R::constant([0-9.]*)/let (zero, half, one) = (R::zero(), R::constant($2)/" "$1"
    grep -q "R::constant($2), R::constant(1.0)" "$1" || { echo "no such formula in $1"; exit 2; }
}

tests() {
    rm -rf target
    measure cargo test --workspace --locked
    report "cargo test --workspace from nothing" "$wall" 720 "s"
    echo "    processor time $cpu s"
}

# add_law EVALUATOR NAME: another law with the models of kuhn.
add_law() {
    sed -e "s/KEY: &'static str = \"kuhn\"/KEY: \&'static str = \"$2\"/" crates/dem-contact/src/laws/kuhn.rs >"crates/dem-contact/src/laws/$2.rs"
    local table=crates/dem-contact/src/laws/mod.rs
    sed -i "s/^ *pub mod kuhn: Composite<kuhn::Kuhn> => InLanes;/&\n pub mod $2: Composite<$2::Kuhn> => $1;/" "$table"
    grep -q "$2::Kuhn" "$table" || { echo "no line of kuhn in the table of laws"; exit 2; }
}

# What a law more adds to the release build: that of the crate of laws and the link, with and without it.
law_more() {
    local without
    measure cargo build --release --locked
    touch crates/dem-contact/src/lib.rs
    measure cargo build --release --locked
    without=$cpu
    add_law "$1" "$2"
    measure cargo build --release --locked
    report "processor time of the release build for a law more, $3" \
        "$(awk -v a="$cpu" -v b="$without" 'BEGIN { printf "%.1f", a - b }')" "$4" "CPU-s"
    git checkout -q . && git clean -qfd crates
}

lanes() { law_more InLanes one_more_in_lanes "in lanes" 8; }
alone() { law_more OneByOne one_more_alone "one contact at a time" 1; }

for part in "${@:-release edit tests lanes alone}"; do
    for name in $part; do "$name"; done
done
exit "$failed"
