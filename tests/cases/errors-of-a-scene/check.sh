# `dem check` tells every error of a scene with its line and key, not the first alone, and no error that follows from another.
. "$CASES/lib.sh"
"$DEM" check scene.toml >out 2>said
[ $? -eq 2 ] && [ ! -s out ] || exit 1
expected="3: time
5: materials.glass.density
7: materials.glass.poisson_ratio
9: contact.law
11: contact.restitution
14: walls.floor.material
19: particles.sand.sizes.radius
23: output.series"
found=$(sed -nE 's/^error: scene.toml:([0-9]+):[0-9]+: ([^ :]+).*/\1: \2/p' said)
[ "$found" = "$expected" ] || { cat said >&2; exit 1; }
[ "$(tail -n 1 said)" = "8 errors" ] || { tail -n 1 said >&2; exit 1; }
grep -q 'did you mean `hertz-mindlin`' said || exit 1
"$DEM" check scene.toml --json 2>/dev/null >errors.json
[ "$(grep -c '"line"' errors.json)" = 8 ] && grep -q '"sound": false' errors.json || { cat errors.json >&2; exit 1; }
# a run stops at the first, as it did
"$DEM" run scene.toml --out out.d >/dev/null 2>run.said
[ $? -eq 2 ] && [ "$(grep -c '^error: ' run.said)" = 1 ] && [ ! -e out.d ] || exit 1
echo "8 errors of 8"
