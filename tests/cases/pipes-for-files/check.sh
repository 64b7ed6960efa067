# A pipe or a device in the place of a file is refused at once: a pipe would be waited for without end, a device may have none.
. "$CASES/lib.sh"
mkfifo pipe pipe.ckpt pipe.vtkhdf pipe.csv
"$DEM" run scene.toml --out out --steps 3 --threads 1 >said 2>&1 || exit 1
tried=0
at_once() {
    refused 2 "not a regular file" timeout -s KILL 20 "$DEM" "$@" || { echo "dem $*" >&2; return 1; }
    tried=$((tried + 1))
}
for file in pipe /dev/zero; do
    at_once render $file && at_once export $file && at_once profile $file --axis z && at_once diff $file out/snapshots.vtkhdf || exit 1
    at_once check $file && at_once run scene.toml --out new --from $file || exit 1
    at_once run scene.toml --out new --seeds 1,2 --sweep-file $file || exit 1
done
at_once info pipe.ckpt && at_once info pipe.vtkhdf || exit 1
at_once check scene.toml --set 'particles=[{name="t",material="glass",fill={type="file",path="pipe.csv"}}]' || exit 1
rm -f out/.lock && mkfifo out/.lock
at_once run scene.toml --out out --restart latest --steps 5 || exit 1
rm out/.lock && cp -r out other
rm out/snapshots.vtkhdf && mkfifo out/snapshots.vtkhdf
at_once run scene.toml --out out --restart latest --steps 5 || exit 1
rm other/series.csv && mkfifo other/series.csv
at_once run scene.toml --out other --restart latest --steps 5 || exit 1
[ ! -e new ] || exit 1
echo "$tried commands refused a pipe or a device"
