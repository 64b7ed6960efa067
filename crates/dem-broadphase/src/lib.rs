//! Neighbour search: which pairs of spheres are closer than the sum of their radii plus a margin.
//!
//! A broadphase is chosen for speed only: every one finds the same pairs, and the contact list built from them gives the
//! same bits.

mod automatic;
mod brute_force;
mod cell_list;
mod grid;
mod kd_tree;
mod search;
mod skin;

pub use automatic::Automatic;
pub use brute_force::BruteForce;
pub use cell_list::CellList;
pub use kd_tree::KdTree;
pub use skin::Skin;

use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::Particles;

/// Finds candidate pairs.
pub trait Broadphase: Send {
    /// Name in scenes and output.
    fn key(&self) -> &'static str;

    /// Finds every pair with `|xⱼ − xᵢ| < rᵢ + rⱼ + margin` (nearest image), each once.
    ///
    /// `margin` is in metres.
    fn candidates(&mut self, particles: &Particles, cell: &Cell, margin: f64, rows: &mut CandidateRows);

    /// An order of the slots that places neighbours in space near each other in memory.
    fn spatial_order(&mut self, particles: &Particles, cell: &Cell, margin: f64) -> Vec<u32>;
}
