# Version, snapshots, checkpoints, summary and methods say which code made a result. DEM must have been built in a working tree or with DEM_COMMIT.
. "$CASES/lib.sh"
version=$("$DEM" --version)
"$DEM" run scene.toml --out out >said.txt 2>errors.txt || { cat errors.txt >&2; exit 1; }
summary=$(awk -F'"' '$2 == "engine" { print $4 }' out/summary.json)
# of the snapshots and of the checkpoint
held=$("$DEM" info out/snapshots.vtkhdf | awk '$1 == "engine" { $1 = ""; print substr($0, 2) }')
saved=$("$DEM" info out/checkpoints/*.ckpt | awk '$1 == "engine" { $1 = ""; print substr($0, 2) }' | sort -u)
echo "$version"
[[ "$version" =~ ^dem\ [0-9.]+\ \([0-9a-f]{12}(, modified)?\)$ ]] || exit 1
[ "$summary" = "$version" ] && [ "$held" = "$version" ] && [ "$saved" = "$version" ] || exit 1
grep -qF "$version" said.txt && "$DEM" methods out | grep -qF "$version" || exit 1
commit=${version#*(}
"$DEM" methods out --bibtex | grep -qF "note = {commit ${commit%)}}"
