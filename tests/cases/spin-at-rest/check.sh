# A sphere that spins about the vertical on a floor is at rest: nothing resists that. A stage that waits for rest in vain says what moves.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out out > said 2>&1 || exit 1
time=$(value out/series.csv time)
"$DEM" run rolls.toml --out rolls > said 2>&1
[ $? -eq 3 ] || exit 1
grep -q '"stop_reason": "end of time reached, not at rest"' rolls/summary.json || exit 1
moves=$(grep "without rest" said)
"$DEM" run falls.toml --out falls > said 2>&1
[ $? -eq 3 ] || exit 1
grep -q "without rest: .*no contact carries a force" said || exit 1
unbalanced=$(value falls/series.csv unbalanced_force)
echo "at rest at $time s; in vain: ${moves##*\; }; unbalanced force without contacts: $unbalanced"
[ "$unbalanced" != inf ] || exit 1
within "$time" 0.15 0.1 || exit 1
[[ "$moves" == *'stage "rest" ends'*"particle 1 "*"m/s"* ]]
