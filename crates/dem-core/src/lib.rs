//! Particles, rotations, cell, walls, contact list and history: the state of a discrete element simulation.
