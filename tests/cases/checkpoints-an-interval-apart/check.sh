# A run that ends a step after a checkpoint keeps the one before that, too far back to have seen what happened in the last steps.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --out out >/dev/null 2>&1
kept=$(ls out/checkpoints | tr '\n' ' ')
"$DEM" run scene.toml --out parts --steps 450 >/dev/null 2>&1
half=$(ls parts/checkpoints | tr '\n' ' ')
"$DEM" run scene.toml --out parts --restart latest >/dev/null 2>&1
echo "1001 steps, a checkpoint every 100: $kept; stopped after 450: $half"
[ "$kept" = "step_000000000900.ckpt step_000000001001.ckpt " ]
[ "$half" = "step_000000000300.ckpt step_000000000450.ckpt " ]
[ "$(ls parts/checkpoints | tr '\n' ' ')" = "$kept" ]
cmp out/checkpoints/step_000000001001.ckpt parts/checkpoints/step_000000001001.ckpt
