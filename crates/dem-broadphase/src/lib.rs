//! Neighbour search: candidate pairs of spheres from cell lists and k-d trees.
