//! What a law is given: overlaps, normals, slips and rotations of contacts, from the columns of particles and the poses of walls.

pub(crate) mod body_masses;
pub(crate) mod deformed_pairs;
pub mod geometry;
pub(crate) mod partner;
pub(crate) mod sphere_masses;
pub mod wall_geometry;
