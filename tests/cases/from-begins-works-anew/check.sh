# What living contacts had dissipated in the first run is no part of the ledger of a branch: all works begin at zero, springs stay loaded.
. "$CASES/lib.sh"
set -e
"$DEM" run scene.toml --steps 110 --out first >/dev/null 2>&1
"$DEM" run scene.toml --steps 100 --from first --out second >/dev/null 2>&1
begins=""
for work in friction_work viscous_work rolling_work twisting_work released_energy energy_balance; do
    begins="$begins $(value second/series.csv $work 1)"
done
spring=$(value second/series.csv elastic_tangential 1)
held=$(value first/series.csv elastic_tangential)
"$DEM" run compress.toml --out compressed >/dev/null 2>&1
"$DEM" compare shear.toml --laws hertz-mindlin,mdr --from compressed --seeds 1 --out compared --set time.step=1e-5 >compared.txt 2>&1
share=$(awk '/^friction_share_of_dissipation/ { print $5 }' compared.txt)
echo "works begin at$begins, tangential springs $spring of $held J; friction's share of the dissipation $share (0.314)"
for work in $begins; do
    within "$work" 0 1e-18
done
# a sliding spring is cut to the friction limit at the velocities that the last step ended with
within "$spring" "$held" 1e-9
within "$share" 0.3145 0.003
