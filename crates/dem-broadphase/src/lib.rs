//! Neighbour search: which pairs of spheres are closer than the sum of their radii plus a margin.
//!
//! A broadphase is chosen for speed only: every one finds the same pairs, and the contact list built from them gives the
//! same bits.
//!
//! ```
//! use dem_broadphase::{Broadphase, BruteForce, CellList};
//! use dem_core::cell::{Cell, FacePolicy};
//! use dem_core::contact_list::CandidateRows;
//! use dem_core::particles::{NewParticle, Particles};
//! use dem_core::{DQuat, DVec3};
//!
//! // a row of 100 spheres, each 0.1 mm from the next
//! let mut particles = Particles::default();
//! for k in 0..100 {
//!     particles.push(NewParticle {
//!         position: DVec3::new(1e-3 + 2.1e-3 * f64::from(k), 1e-3, 1e-3),
//!         velocity: DVec3::ZERO,
//!         angular_velocity: DVec3::ZERO,
//!         orientation: DQuat::IDENTITY,
//!         radius: 1e-3,
//!         density: 2500.0,
//!         material: 0,
//!         group: 1,
//!         frozen: 0,
//!     });
//! }
//! let cell = Cell::orthogonal(DVec3::ZERO, DVec3::new(0.3, 0.01, 0.01), [false; 3], [[FacePolicy::Error; 2]; 3]);
//! let broadphases: [Box<dyn Broadphase>; 2] = [Box::new(CellList::default()), Box::new(BruteForce)];
//! for mut broadphase in broadphases {
//!     let mut rows = CandidateRows::default();
//!     broadphase.candidates(&particles, &cell, 0.05e-3, &mut rows);
//!     assert_eq!(rows.partner.len(), 0);
//!     broadphase.candidates(&particles, &cell, 0.15e-3, &mut rows);
//!     assert_eq!(rows.partner.len(), 99, "{}", broadphase.key());
//! }
//! ```

#![forbid(unsafe_code)]

mod automatic;
mod brute_force;
mod cell_list;
mod grid;
mod kd_tree;
mod quota;
mod reference;
mod search;
mod skin;
mod sweep;

pub use automatic::Automatic;
pub use brute_force::BruteForce;
pub use cell_list::CellList;
pub use kd_tree::KdTree;
pub use skin::Skin;

use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::Particles;

/// More pairs are near each other than there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPairs {
    /// How many there may be.
    pub most: usize,
}

impl TooManyPairs {
    /// Checks a search that has ended.
    ///
    /// # Errors
    /// There are more than `most` pairs; the rows hold none any more.
    pub fn unless_within(most: usize, rows: &mut CandidateRows) -> Result<(), Self> {
        if rows.partner.len() <= most {
            return Ok(());
        }
        rows.row.fill(0);
        rows.partner = Vec::new();
        Err(Self { most })
    }
}

/// Finds candidate pairs.
pub trait Broadphase: Send + Sync {
    /// Name in scenes and output.
    fn key(&self) -> &'static str;

    /// Finds every pair with `|xⱼ − xᵢ| < rᵢ + rⱼ + margin` (nearest image), each once, but gives up as soon as there are more than `most`; no
    /// more are then held than these and a few. A search without a bound of its own ends with [`TooManyPairs::unless_within`].
    ///
    /// `margin` is in metres.
    ///
    /// # Errors
    /// [`TooManyPairs`]; the rows then hold none.
    fn candidates_within(
        &mut self,
        particles: &Particles,
        cell: &Cell,
        margin: f64,
        most: usize,
        rows: &mut CandidateRows,
    ) -> Result<(), TooManyPairs>;

    /// The same for as many as the numbers of a list allow for; more are none.
    fn candidates(&mut self, particles: &Particles, cell: &Cell, margin: f64, rows: &mut CandidateRows) {
        let _ = self.candidates_within(particles, cell, margin, usize::MAX, rows);
    }

    /// An order of the slots that places neighbours in space near each other in memory.
    fn spatial_order(&mut self, particles: &Particles, cell: &Cell, margin: f64) -> Vec<u32>;
}
