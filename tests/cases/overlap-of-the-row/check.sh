# The overlap of a row of the series is that of its positions, whatever an integrator has predicted.
. "$CASES/lib.sh"
set -e
figures=""
for integrator in '"velocity-verlet"' '{name="newmark",mode="pec"}' '"gear"' '"generalized-trapezoidal"'; do
    rm -rf out
    "$DEM" run scene.toml --out out --set "time.integrator=$integrator" >/dev/null 2>&1
    worst=$(awk -F, '
        /^#/ { next }
        FNR == 1 { file++ }
        /step/ { for (i = 1; i <= NF; i++) at[file, $i] = i; next }
        file == 1 { o = $at[1, "overlap"] / 0.005; s = $at[1, "step"]; if (o > deepest[s]) deepest[s] = o; next }
        { d = $at[2, "overlap_ratio"] - deepest[$at[2, "step"]]; if (d < 0) d = -d; if (d > worst) worst = d; if ($at[2, "overlap_ratio"] > 0) n++ }
        END { if (n < 20) print "no contacts"; else printf "%.1e", worst }' out/contacts.csv out/series.csv)
    figures="$figures $worst"
    within "$worst" 0 1e-12 || { echo "$figures"; exit 1; }
done
echo "off by$figures (6e-4 once) with velocity-verlet, newmark, gear and generalized-trapezoidal"
