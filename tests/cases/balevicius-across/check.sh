#!/usr/bin/env bash
# Slip across a straight line changes what friction takes by little, and shorter steps change it by less and less. The axis of the history once swung
# round where the force passes zero: with 1 % across and 6,400 steps a cycle friction took
# 7.31e-7 J instead of 5.83e-7 J.
set -u
. "$CASES/lib.sh"

# friction_work of two cycles: rub LAW SHARE_ACROSS STEPS_A_CYCLE
rub() {
    local step scene=$(<rub.toml)
    step=$(compute "0.02 / $3")
    scene=${scene//LAW/$1}
    scene=${scene//ACROSS/$(compute "5e-6 * $2")}
    scene=${scene//DRIFT/$(compute "2.5e-4 * $2")}
    scene=${scene//PRESS/$(compute "1e-7 / $step")}
    scene=${scene//STEPS/$((2 * $3))}
    printf '%s\n' "${scene//STEP/$step}" >scene.toml
    "$DEM" run scene.toml --out out --force --threads 1 >&2 && value out/series.csv friction_work
}

# friction_work and kinetic_rotation of the impact: impact LAW STEPS
impact() {
    local scene=$(<impact.toml)
    scene=${scene//LAW/$1}
    printf '%s\n' "${scene//STEP/$(compute "0.0025 / $2")}" >scene.toml
    "$DEM" run scene.toml --out out --force --threads 1 >&2 && value out/series.csv friction_work && value out/series.csv kinetic_rotation
}

straight=$(rub balevicius 0 1600)
coarse=$(rub balevicius 0.01 100)
fine=$(rub balevicius 0.01 1600)
finer=$(rub balevicius 0.01 6400)
read -r -d '' friction1 spin1 < <(impact balevicius 4000)
read -r -d '' friction2 spin2 < <(impact balevicius 16000)
echo "friction work straight $straight J, 1 % across $coarse, $fine, $finer J; impact $friction1, $friction2 J, spin energy $spin1, $spin2 J"
within "$straight" 5.83e-7 3e-9 &&
    within "$coarse" "$straight" "$(compute "2e-2 * $straight")" &&
    within "$fine" "$straight" "$(compute "1e-3 * $straight")" &&
    within "$finer" "$straight" "$(compute "2e-3 * $straight")" &&
    within "$friction2" "$friction1" "$(compute "2e-2 * $friction1")" &&
    within "$spin2" "$spin1" "$(compute "2e-2 * $spin1")"
