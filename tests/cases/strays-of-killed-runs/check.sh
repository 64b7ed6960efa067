# What a process leaves that is killed between writing a file and giving it its name is swept by the next one that owns the directory.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out out > said 2>&1 || exit 1
strays=(out/.unfinished-a out/tables/.unfinished-b out/checkpoints/.unfinished-c out/snapshots.vtkhdf.new)
left() {
    local count=0 stray
    for stray in "${strays[@]}"; do [ ! -e "$stray" ] || count=$((count + 1)); done
    echo $count
}
touch "${strays[@]}"
"$DEM" run scene.toml --out out --restart latest --until 15ms > said 2>&1 || { tail -n 3 said >&2; exit 1; }
restarted=$(left)
touch "${strays[@]}"
"$DEM" run scene.toml --out out --force > said 2>&1 || { tail -n 3 said >&2; exit 1; }
echo "of ${#strays[@]} strays $restarted are left after a restart, $(left) after a new run"
[ "$restarted" = 0 ] && [ "$(left)" = 0 ]
