# A run, or a member of several, that was killed before its pictures gets them when it is called again, and before its summary, the summary.
. "$CASES/lib.sh"
pictures="picture.png energy.png coordination.png"
has() { for name in $pictures summary.json; do [ -s "$1/$name" ] || { echo "$1 has no $name" >&2; return 1; }; done; }
"$DEM" run scene.toml --out out --threads 1 > said 2>&1 || exit 1
before=$(cd out && cksum $pictures)
for lost in picture.png energy.png "coordination.png picture.png" "$pictures" "summary.json $pictures"; do
    (cd out && rm $lost)
    "$DEM" run scene.toml --out out --threads 1 --restart latest > said 2>&1 || { cat said >&2; exit 1; }
    has out && [ "$(cd out && cksum $pictures)" = "$before" ] || exit 1
done
# killed as soon as there is a summary
"$DEM" run scene.toml --out killed --threads 1 > said 2>&1 &
run=$!
while kill -0 "$run" 2>/dev/null; do [ -e killed/summary.json ] && kill -KILL "$run" && break; done
wait "$run" 2>/dev/null
"$DEM" run scene.toml --out killed --threads 1 --restart latest > said 2>&1 || { cat said >&2; exit 1; }
has killed || exit 1
seeds() { "$DEM" run scene.toml --seeds 1..2 --out seeds > said 2>&1 || { cat said >&2; exit 1; }; }
seeds
rm seeds/members/seed=2/picture.png seeds/members/seed=2/energy.png
seeds
has seeds/members/seed=2 || exit 1
laws() { "$DEM" compare scene.toml --laws hertz-mindlin,mindlin --out laws > said 2>&1 || { cat said >&2; exit 1; }; }
laws
shown=$(ls laws/*.png | wc -l)
rm laws/members/*/picture.png
laws
echo "of a run, a member and a comparison with $shown pictures, after 6 kills"
[ "$(ls laws/*.png | wc -l)" = "$shown" ] && [ "$(ls laws/members/*/picture.png | wc -l)" = 2 ]
