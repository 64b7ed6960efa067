# A steel ball on a bed of small soft grains: two bodies alone tell 8 % of overlap, the ball at rest on one grain more than the limit.
. "$CASES/lib.sh"
"$DEM" check scene.toml >said 2>&1 || { cat said >&2; exit 1; }
ratio() { sed -nE "s/^  ([0-9.]+) %  $1.*/\1/p" said; }
alone=$(ratio "in an impact of steel on wall")
rest=$(ratio "under a sphere of steel")
once=$(sed -nE 's/.* ([0-9.]+) % if applied suddenly$/\1/p' said | tail -n 1)
echo "$alone % of two bodies alone, $rest % under the ball at rest, $once % if it is applied suddenly"
# Hertz on one grain: F = m g = 1.0816 N, E* = 9.7229 MPa, r* = 0.9 x 15/15.9 mm; at once 2.5^(2/3) times as deep
exact=$(compute "100 * exp(2 / 3 * log(1.081559 / (4 / 3 * 9.7229e6 * sqrt(0.9e-3 * 15 / 15.9)))) / 0.9e-3")
within "$rest" "$exact" 0.05 || { echo "expected $exact" >&2; exit 1; }
within "$once" "$(compute "$exact * exp(2 / 3 * log(2.5))")" 0.1 || exit 1
grep -q "more than 100 %  in an impact at that speed" said || exit 1
grep -q "at rest on a sphere of glass .* overlaps by 22.4 % of the radius" said
