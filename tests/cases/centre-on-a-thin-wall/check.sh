# A sphere whose centre lies in the surface of a thin wall is pushed across it, by any shape alike, and not along it.
. "$CASES/lib.sh"
normal_forces=()
for shape in '{type="plane",normal=[0,0,1]}' '{type="disc",radius=0.1}' '{type="disc",radius=0.1,inner_radius=0.005}' \
    '{type="rectangle",centre=[0,0,0],edge_u=[0.2,0,0],edge_v=[0,0.2,0]}' '{type="rectangle",centre=[0,0,0],edge_u=[0.13,0.07,0],edge_v=[-0.07,0.13,0]}'; do
    "$DEM" run scene.toml --out out --force --threads 1 --set "walls.w.shape=$shape" >said 2>&1 || { tail -n 3 said >&2; exit 1; }
    across=$(value out/series.csv wall_w_force_z 1)
    for axis in x y; do within "$(value out/series.csv wall_w_force_$axis 1)" 0 1e-9 || { echo "$shape pushes along itself" >&2; exit 1; }; done
    normal_forces+=("$across")
done
echo "forces across the walls: ${normal_forces[*]} N"
for force in "${normal_forces[@]}"; do within "${force#-}" "${normal_forces[0]#-}" 1e-6 || exit 1; done
awk "BEGIN { f = ${normal_forces[0]}; exit !(f * f > 1) }"
