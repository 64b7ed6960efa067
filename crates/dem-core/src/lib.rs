//! State of a discrete element simulation of spheres, and nothing that acts on it:
//! particles, rotations, the periodic cell, walls, the contact list, contact histories and the energy ledger.
//!
//! Sign convention, used by every crate: for a pair (i, j) the unit normal `n` points from i to j, the overlap
//! `δ = rᵢ + rⱼ − |xⱼ − xᵢ|` is positive in contact, and forces are given on particle i.

pub mod affine;
pub mod cell;
pub mod contact_list;
pub mod energy;
pub mod history;
pub mod lanes;
pub mod material;
pub mod particles;
pub mod rotation;
pub mod twist;
pub mod wall;

pub use glam::{DMat3, DQuat, DVec3};
