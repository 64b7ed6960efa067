//! Walls, cell and domain of a scene.

pub(crate) mod cell;
pub(crate) mod domain;
pub(crate) mod meshes;
pub(crate) mod motions;
pub(crate) mod servos;
pub(crate) mod walls;
