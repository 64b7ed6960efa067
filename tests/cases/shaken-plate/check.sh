# A plate that shakes at 20 kHz: the automatic step resolves its period, `dem check` names the bound, a longer step is warned about.
. "$CASES/lib.sh"
set -e
fast=(--set 'walls.plate.motion.frequency="20 kHz"' --set 'walls.plate.motion.amplitude=[0,0,"5 um"]'
      --set 'stages.shake.until.time="40 ms"' --set 'output.series="0.2 ms"')
"$DEM" check scene.toml "${fast[@]}" >check.txt 2>&1
"$DEM" run scene.toml "${fast[@]}" --out auto >/dev/null 2>&1
"$DEM" run scene.toml "${fast[@]}" --set time.step=2.5e-7 --out fine >/dev/null 2>&1
"$DEM" run scene.toml "${fast[@]}" --set time.step=2e-5 --steps 1 --out long >long.txt 2>&1
# the speed of the plate is that of the oscillation: its largest value over the steps is A ω
auto=$(value auto/series.csv wall_work)
fine=$(value fine/series.csv wall_work)
step=$(value auto/series.csv time_step)
echo "automatic step $step s (50 a period), wall work $auto J, with a quarter of it $fine J"
within "$step" 1e-6 1e-12
within "$(compute "$auto / $fine")" 1 0.1
grep -q '1.0000e-6 s  0.02 x period of a motion 5.0000e-5 s (wall "plate" swings at 20000' check.txt
grep -q 'period of a motion (wall "plate"' long.txt
