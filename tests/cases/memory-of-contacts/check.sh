# Memory that contacts would need is known before it is asked for: none of these scenes may die within 3 GB of addresses.
. "$CASES/lib.sh"
ulimit -v 3000000 || exit 1
block='particles.block.fill={type="lattice",count=40000}'
small=(--set "$block" --set "particles.block.sizes.radius=0.4 mm")
{ echo x,y,z,r; for row in $(seq 60000); do echo 0,0,0.05,0.01; done; } >heap.csv
table=(--set 'particles=[{name="heap",material="glass",fill={type="file",path="heap.csv"}}]')
refused 2 "pairs overlap, particle 1 and particle 2 overlap by" "$DEM" check scene.toml "${table[@]}" || exit 1
refused 2 "contact_search.skin" "$DEM" check scene.toml "${small[@]}" --set "contact_search.skin=1 m" || exit 1
mie=(--set contact.near_field=mie --set contact.mie_attraction=1e-9 --set contact.mie_attraction_exponent=2
    --set contact.mie_repulsion=1e-16 --set contact.mie_repulsion_exponent=5)
refused 2 "pairs of particles are within range" "$DEM" check scene.toml "${small[@]}" "${mie[@]}" --set "contact.mie_cutoff=1 m" || exit 1
refused 2 "contact.springs" "$DEM" check scene.toml "${small[@]}" --set contact.law=mdr --set contact.springs=10000 || exit 1
"$DEM" check scene.toml "${small[@]}" --set "contact_search.skin=0.8 mm" >said 2>&1 || { tail -n 3 said >&2; exit 1; }
echo "a heap of 60000 rows, a skin and a cut-off of 1 m, and 10000 springs were refused; a skin of a diameter was not"
