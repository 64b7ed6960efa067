# A frame after every step of one sphere: frames that come faster than the file of frames can be opened and synced are written together.
. "$CASES/lib.sh"
"$DEM" run scene.toml --out out --json >out.json 2>said || { tail -n 3 said >&2; exit 1; }
frames=$("$DEM" info out/snapshots.vtkhdf | awk '$1 == "frames" { print $2 }')
counted() {
    command -v strace >/dev/null || return 1
    strace -f -c -e trace=openat,fsync -o calls "$DEM" run scene.toml --out again >/dev/null 2>&1 || return 1
    awk '$NF == "fsync" { print $4 }' calls
}
waited=$(grep -oE '"output_seconds": [0-9.e-]+' out/summary.json | grep -oE '[0-9.e-]+$')
each=$(compute "1000 * $waited / 3001")
syncs=$(counted) || syncs="not counted"
echo "$frames frames (3001), $each ms of waiting for each, syncs $syncs (at most 1500, once one each)"
[ "$frames" = 3001 ] || exit 1
[ "$syncs" = "not counted" ] || [ "$syncs" -lt 1500 ]
