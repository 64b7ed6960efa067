# What is allowed and can hardly be meant is told: units that are off by a thousand, steps, strains and seeds without a chance.
. "$CASES/lib.sh"
"$DEM" check scene.toml >said 2>/dev/null || { "$DEM" check scene.toml >&2; exit 1; }
for text in "materials.glass.density = 2.500 kg/m^3, solids have 100 to 30000" "time.step is" \
    'stage "shear" waits for a strain of zz, whose rate has the opposite sign' "seed has no effect"; do
    grep -qF "$text" said || { echo "no: $text" >&2; cat said >&2; exit 1; }
done
"$DEM" check scene.toml --json 2>/dev/null | grep -q '"sound": true' || exit 1
"$DEM" check funnel.toml >said 2>/dev/null || { "$DEM" check funnel.toml >&2; exit 1; }
grep -qE 'the mesh of wall "funnel" is .* m large, 3[0-9]{3} times what particles fill; is its `unit` right' said || { cat said >&2; exit 1; }
# the same without its faults
"$DEM" check scene.toml --set materials.glass.density=2500 --set time.step=1e-7 --set 'stages.shear.deform.zz.rate="1 1/s"' \
    --set 'particles.sand.fill.jitter=0.5' >said 2>/dev/null || exit 1
grep -q "^warnings" said && { cat said >&2; exit 1; }
echo "5 warnings of 5, none without the faults"
