# More walls than a row of series.csv has room for are refused before the run, not when it is over.
. "$CASES/lib.sh"
walls() {
    for number in $(seq "$1"); do
        printf '[[walls]]\nname = "w%d"\nmaterial = "glass"\nshape = { type = "disc", centre = [0, 0, -0.005], radius = 1e-3 }\n' "$number"
    done
}
{ cat scene.toml; walls 6000; } >many.toml
refused 2 "walls: 6001 entries give series.csv" "$DEM" run many.toml --out out --steps 3 || exit 1
[ ! -e out ] || exit 1
{ cat scene.toml; walls 1000; } >fewer.toml
"$DEM" run fewer.toml --out out --steps 3 >said 2>&1 || { tail -n 3 said >&2; exit 1; }
"$DEM" run fewer.toml --out out --steps 5 --restart latest >said 2>&1 || { tail -n 3 said >&2; exit 1; }
echo "6001 walls refused, $(head -n 1 out/series.csv | tr ',' '\n' | grep -c '_force_x$') written and read again"
