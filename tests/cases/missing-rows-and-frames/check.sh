# A restart tells of rows and frames that somebody has taken away, and the summary keeps it in mind.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out sound --threads 1 --steps 225 > said 2>&1 || exit 1
restart() { "$DEM" run scene.toml --out "$1" --threads 1 --restart latest --steps "$2" > said 2>&1 || { cat said >&2; exit 1; }; }
told() { # DIR TEXT: once, and for good
    restart "$1" 226
    grep -q "WARN .*$2" said || { echo "$1: no warning of $2" >&2; cat said >&2; exit 1; }
    restart "$1" 400
    ! grep -q "WARN .*missing" said && grep -q "missing .*$2" said && grep -q '"gaps"' "$1/summary.json" && [ -s "$1/gaps.json" ] || { echo "$1: $2 is forgotten" >&2; cat said >&2; exit 1; }
}
for case in cut removed emptied frames; do cp -r sound $case; done
head -3 sound/series.csv > cut/series.csv
told cut "series.csv: what was written after step 28 up to step 225"
rm removed/series.csv
told removed "series.csv: what was written from the beginning up to step 225"
: > emptied/series.csv
told emptied "series.csv: what was written from the beginning up to step 225"
rm frames/snapshots.vtkhdf
told frames "snapshots.vtkhdf: what was written from the beginning up to step 225"
# the checkpoint of another run that is later than these rows
"$DEM" run scene.toml --out early --threads 1 --steps 60 > said 2>&1 || exit 1
"$DEM" run scene.toml --out early --threads 1 --restart sound/checkpoints/step_000000000225.ckpt --steps 240 > said 2>&1 || exit 1
grep -q "WARN .*series.csv" said || { cat said >&2; exit 1; }
restart sound 400
! grep -q "WARN .*missing" said && [ ! -e sound/gaps.json ] && ! grep -q gaps sound/summary.json || { cat said >&2; exit 1; }
echo "5 losses told, none where nothing is lost"
