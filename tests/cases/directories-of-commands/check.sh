# A run, a test and a study of one scene have directories of their own, and none replaces anything of another, with --force or without.
. "$CASES/lib.sh"
set -e
sums() { (cd "$1" && find . -type f ! -name .lock -exec cksum {} + | sort -k3); }
"$DEM" run sample.toml --steps 50 >said.txt 2>&1
of_run=$(sums runs/sample)
test="--once --strain 0.002 --fraction 0.5 --points 10"
"$DEM" triaxial sample.toml $test >said.txt 2>&1
[ "$(sums runs/sample)" = "$of_run" ]
of_test=$(sums runs/sample_triaxial)
refused 2 "give --force" "$DEM" triaxial sample.toml $test --set contact.damping_ratio=0.3 || exit 1
refused 2 'holds results of `dem run`' "$DEM" triaxial sample.toml $test --force --out runs/sample || exit 1
refused 2 'holds results of `dem triaxial`' "$DEM" run sample.toml --steps 5 --force --out runs/sample_triaxial || exit 1
"$DEM" study rotation --no-runs --steps 20 --out study >said.txt 2>&1
refused 2 "give --force" "$DEM" study rotation --no-runs --steps 30 --out study || exit 1
refused 2 "does not touch" "$DEM" study rotation --no-runs --steps 30 --out runs/sample --force || exit 1
"$DEM" study rotation --no-runs --steps 30 --out study --force >said.txt 2>&1
[ "$(sums runs/sample)" = "$of_run" ] && [ "$(sums runs/sample_triaxial)" = "$of_test" ]
echo "$(wc -l <<<"$of_run") files of a run and $(wc -l <<<"$of_test") of a test as they were"
