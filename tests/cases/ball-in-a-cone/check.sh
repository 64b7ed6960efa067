# A ball that falls along the axis of a cone of facets: viscous work grows, the energy of the fall (2.05e-3 J) is all there, and the ball comes
# to rest as deep as in the frustum, carried without a force to the side.
. "$CASES/lib.sh"
# column FILE NAME: all values of a column
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } at { print $at }' "$1"
}
figures=""
overlaps=""
for run in "scene.toml auto" "scene.toml 5us" "cone.toml auto"; do
    set -- $run
    out=out_${1%.toml}_$2
    step=(); [ "$2" = auto ] || step=(--set 'time.step="5 us"')
    "$DEM" run "$1" "${step[@]}" --out "$out" > said 2>&1 || exit 1
    series=$out/series.csv
    falls=$(column $series viscous_work | awk 'NR > 1 && $1 < last { n++ } { last = $1 } END { print (NR > 1 ? n + 0 : "none") }')
    off=$(column $series energy_balance | awk 'NR == 1 { first = $1 } { d = ($1 - first) / 2.05e-3; if (d < 0) d = -d; if (d > most) most = d }
        END { print (NR > 1 ? most + 0 : "none") }')
    aside=$(paste -d ' ' <(column $series wall_a_force_x) <(column $series wall_a_force_y) |
        awk -v weight=0.10273 '{ f = sqrt($1 * $1 + $2 * $2) / weight } END { print (NR > 1 ? f + 0 : "none") }')
    overlap=$(value $series overlap_ratio)
    figures="$figures ${1%.toml} $2: viscous work falls $falls times, energy off by $off, horizontal force $aside, overlap $overlap;"
    [ "$falls" = 0 ] && within "$aside" 0 0.01 && within "$off" 0 0.05 || bad=1
    overlaps="$overlaps $overlap"
done
echo "$figures"
[ -z "$bad" ] || exit 1
set -- $overlaps
within "$(compute "$1 / $3")" 1 0.01 && within "$(compute "$2 / $3")" 1 0.01
