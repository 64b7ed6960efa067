# No row has less friction_work or viscous_work than the one before.
. "$CASES/lib.sh"
for step in automatic "2 us"; do
    [ "$step" = automatic ] && set -- || set -- --set time.step="$step"
    "$DEM" run scene.toml "$@" --out out --force >/dev/null || exit 1
    awk -F, -v step="$step" '
        /^#/ { next }
        !seen { for (i = 1; i <= NF; i++) at[$i] = i; seen = 1; next }
        { f = $at["friction_work"]; v = $at["viscous_work"]
          if (f < last_f - 1e-12 * last_f || v < last_v - 1e-12 * last_v) falls++
          last_f = f; last_v = v }
        END { printf "%s step: friction %s J, damping %s J, %d rows fall; ", step, last_f, last_v, falls; exit !(falls == 0 && last_f > 0) }
    ' out/series.csv || exit 1
done
echo
