# Commands that are given the wrong thing say what it is and what to do; a run that has ended says how to go on from its last state.
. "$CASES/lib.sh"
mkdir empty
refused 2 "holds no run" "$DEM" info empty || exit 1
refused 2 "scene.toml is a scene, expected the results of a run of it: dem run scene.toml, then dem render runs/scene" "$DEM" render scene.toml || exit 1
refused 2 "is a scene" "$DEM" export scene.toml || exit 1
mkdir examples && cp scene.toml examples/hopper.toml
refused 2 "did you mean examples/hopper.toml?" "$DEM" run hopper || exit 1
refused 2 "did you mean scene.toml?" "$DEM" check scen || exit 1
rm -r examples
refused 2 'did you mean `normal_stiffness`' "$DEM" check scene.toml --set contact.law=linear --set contact.normal_stifness=1e4 || exit 1
said=$("$DEM" check scene.toml --set contact.temperature=1 2>&1)
[[ "$said" == *"unknown parameter"* && "$said" != *"did you mean"* ]] || { echo "$said" >&2; exit 1; }
"$DEM" run scene.toml --out out --threads 1 >said 2>errors || { cat errors >&2; exit 1; }
grep -q "on 1 thread$" said || { grep threads said >&2; exit 1; }
hint=$(sed -nE 's/^to continue from its last state, .*: dem //p' errors)
[ -n "$hint" ] || { cat errors >&2; exit 1; }
step=$(value out/series.csv step)
bash -c "\"\$DEM\" $hint" >said 2>errors || { echo "dem $hint: $(tail -n 1 errors)" >&2; exit 1; }
more=$(value out/series.csv step)
[ "${more%.*}" -gt "${step%.*}" ] || exit 1
# a run that ended otherwise begins another one
"$DEM" run scene.toml --out done --threads 1 --set 'stages=[{name="short",until={steps=20}}]' >said 2>errors || exit 1
hint=$(sed -nE 's/^to start a new run from its last state: dem //p' errors)
bash -c "\"\$DEM\" $hint" >said 2>errors && [ -f done_2/summary.json ] || { echo "dem $hint" >&2; cat errors >&2; exit 1; }
state=$(ls out/checkpoints/*.ckpt | tail -n 1)
refused 2 "to start a new run: dem run scene.toml --out new --from $state" "$DEM" run scene.toml --restart "$state" --out new || exit 1
refused 2 "to continue its run: dem run scene.toml --out out --restart $state" "$DEM" run scene.toml --restart "$state" --out new || exit 1
[ ! -e new ] || exit 1
refused 2 "$state" "$DEM" probe out --state nowhere.ckpt || exit 1
echo "a run went on from step ${step%.*} to ${more%.*} by its own hint"
