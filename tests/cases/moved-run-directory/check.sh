# A run whose directory is moved away stops and writes nothing into the directory of the run that took its place.
. "$CASES/lib.sh"
trap 'kill -KILL "$first" 2>/dev/null' EXIT
"$DEM" run scene.toml --out out --threads 1 > said 2>&1 &
first=$!
for _ in $(seq 3000); do [ "$(ls out/checkpoints 2>/dev/null | wc -l)" -ge 2 ] && break; sleep 0.01; done
kill -STOP "$first"
mv out moved
"$DEM" run scene.toml --out out --threads 1 --steps 282 --set title=second > second 2>&1 || exit 1
before=$(cd out && find . -type f -exec cksum {} + | sort -k3)
kill -CONT "$first"
wait "$first"
code=$?
after=$(cd out && find . -type f -exec cksum {} + | sort -k3)
echo "the first ends with $code, $(wc -l <<<"$before") files of the second are as they were"
[ "$code" = 2 ] && [ "$before" = "$after" ] && grep -q "moved, removed or replaced" said || { diff <(echo "$before") <(echo "$after"); cat said; } >&2
[ "$code" = 2 ] && [ "$before" = "$after" ] && grep -q "moved, removed or replaced" said && [ "$(grep -c error said)" = 1 ] || exit 1
# what it had written is a run that goes on in its new place
"$DEM" run scene.toml --out moved --threads 1 --restart latest --steps 100000 > said 2>&1
