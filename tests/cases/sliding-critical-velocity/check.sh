# A sphere that slides over another with little friction is stopped where tan(beta) = mu, not at the end of the path: its critical velocity
# is above that of the friction work of the whole path. Ratios of an independent evaluation.
. "$CASES/lib.sh"
for pair in 0.3:1.0165 0.05:1.577; do
    friction=${pair%:*} expected=${pair#*:}
    "$DEM" study sliding --friction "$friction" --steps 1000 --out "at-$friction" > log || exit 1
    table="at-$friction/sliding_displacement_control.csv"
    ratio=$(compute "$(value "$table" v_crit_m_s 1) / $(value "$table" v_loss_m_s 1)")
    printf 'mu %s: %s (%s)  ' "$friction" "$ratio" "$expected"
    within "$ratio" "$expected" 5e-4 || exit 1
    # the engine passes above it and not below
    grep -q '^- \([0-9]*\) of \1 comparisons agree' log || { grep expected log >&2; exit 1; }
done
"$DEM" study sliding --overlap 0.5 --steps 1000 --out deep > log || exit 1
grep -q '^- \([0-9]*\) of \1 comparisons agree' log || { grep expected log >&2; exit 1; }
echo 'overlap 0.5: all agree'
