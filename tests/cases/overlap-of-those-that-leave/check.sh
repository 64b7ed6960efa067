# Spheres that pass a floor within a step and leave through the open face behind it have overlapped the floor all the same.
. "$CASES/lib.sh"
refused 3 'and wall "floor" is ' "$DEM" run scene.toml --out out --threads 1 --set "time.step=50 ms" --set "time.end=20 s" || exit 1
reason=$(grep stop_reason out/summary.json)
[[ "$reason" == *"failed: step"*"limit 0.1"* ]] || exit 1
ratio=$(sed -n 's/.* is \([0-9.]*\) of the radius.*/\1/p' <<<"$reason")
echo "stopped at an overlap of $ratio of the radius"
awk "BEGIN { exit !($ratio > 0.1) }"
