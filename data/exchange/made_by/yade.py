"""Writes yade_*.txt by Yade 2023.02a (Debian 12): yade-batch or `yade -n -x yade.py`."""
from yade import export, utils
O.materials.append(FrictMat(density=2600, label='glass'))
O.materials.append(FrictMat(density=7800, label='steel'))
for i in range(9):
    O.bodies.append(utils.sphere((0.0065 * i + 0.0001 * (i % 2), 0.0013 * (i % 4), 0.02 / 3), 0.002 + 0.0007 * (i % 3), material='steel' if i % 3 == 0 else 'glass'))
export.text('yade_text.txt')
for f in ['x_y_z_r_matId', 'id_x_y_z_r_matId', 'x_y_z_r_attrs', 'liggghts_in']:
    export.textExt('yade_%s.txt' % f, format=f, comment='vx vy vz' if 'attrs' in f else '', attrs=['b.state.vel'] if 'attrs' in f else [])
