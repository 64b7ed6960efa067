# Figures in messages are short and on their side of the limit that stands beside them; positions too coarse for overlaps are told of.
. "$CASES/lib.sh"
"$DEM" run fast.toml --out fast --threads 1 >said 2>&1
grep -q "m/s" said && grep -qE "[0-9]{40}" said && { grep -E "[0-9]{40}" said | cut -c1-200 >&2; exit 1; }
speed=$(grep -oE "[0-9.]+e10[0-9] m/s" said | head -n 1)
[ -n "$speed" ] || { head -n 3 said >&2; exit 1; }
"$DEM" run far.toml --out far --threads 1 >said 2>&1 || { tail -n 3 said >&2; exit 1; }
grep -q "from the origin positions have a resolution of 1.2e-4 m" said || { cat said >&2; exit 1; }
echo "a warning of $speed, and one of a resolution of $(grep -oE 'resolution of [0-9.e-]+ m' said | head -n 1 | cut -d' ' -f3) m"
