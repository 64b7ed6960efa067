"""Writes ase.xyz: a frame of extended XYZ by ASE 3.29."""
import numpy
from ase import Atoms
from ase.io import write

atoms = Atoms("X3", positions=[[0.01, 0.02, 0.03], [0.04, 0.02, 0.03], [0.01, 0.06, 0.09]], cell=[0.1, 0.1, 0.2], pbc=[True, True, False])
atoms.set_array("radius", numpy.array([0.004, 0.005, 0.006]))
atoms.set_array("velo", numpy.array([[0.1, 0.0, -1.0 / 3.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]]))
atoms.set_array("id", numpy.array([3, 1, 2]))
atoms.set_array("density", numpy.array([2500.0, 2500.0, 2500.0]))
write("ase.xyz", atoms, format="extxyz")
