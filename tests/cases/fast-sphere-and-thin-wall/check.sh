# A sphere that moves by ten radii a step would pass through a closed box without a contact: the run stops and says so.
. "$CASES/lib.sh"
refused 3 'particle 0 moves by 10.000 of the radius per step against wall "box"' "$DEM" run scene.toml --out fast || exit 1
"$DEM" run scene.toml --set 'time.step="20 ns"' --set 'time.end="2 us"' --set limits.overlap=0.9 --out fine >/dev/null 2>&1 || exit 1
echo "stopped at ten radii a step; a step of 20 ns goes on"
grep -q 'against wall \\"box\\"' fast/summary.json
