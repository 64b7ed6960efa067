//! State of a discrete element simulation of spheres, and nothing that acts on it:
//! particles, rotations, the periodic cell, walls, the contact list, contact histories and the energy ledger.
//!
//! Sign convention, used by every crate: for a pair (i, j) the unit normal `n` points from i to j, the overlap
//! `δ = rᵢ + rⱼ − |xⱼ − xᵢ|` is positive in contact, and forces are given on particle i.
//!
//! ```
//! use dem_core::cell::{Cell, FacePolicy};
//! use dem_core::particles::{NewParticle, Particles};
//! use dem_core::{DQuat, DVec3};
//!
//! let sphere = |x: f64| NewParticle {
//!     position: DVec3::new(x, 0.5, 0.5),
//!     velocity: DVec3::ZERO,
//!     angular_velocity: DVec3::ZERO,
//!     orientation: DQuat::IDENTITY,
//!     radius: 0.15,
//!     density: 2500.0,
//!     material: 0,
//!     group: 1,
//!     frozen: 0,
//! };
//! let mut particles = Particles::default();
//! let ids = [particles.push(sphere(0.1)), particles.push(sphere(0.9))];
//! assert_eq!(ids, [0, 1]);
//!
//! // one metre wide and periodic along x: the spheres touch through the face
//! let cell = Cell::orthogonal(DVec3::ZERO, DVec3::ONE, [true, false, false], [[FacePolicy::Error; 2]; 3]);
//! let way = cell.nearest_image(particles.position[1] - particles.position[0]);
//! let overlap = particles.radius[0] + particles.radius[1] - way.length();
//! assert!(way.x < 0.0 && (overlap - 0.1).abs() < 1e-15);
//! ```

pub mod affine;
pub mod bodies;
pub mod cell;
pub mod contact_list;
pub mod delivery;
pub mod eigenvalue;
pub mod energy;
pub mod exact_sum;
pub mod figure;
pub mod frozen;
pub mod history;
pub mod lanes;
pub mod liquid;
pub mod material;
pub mod particles;
pub mod rotation;
mod rows;
pub mod sphere;
pub mod twist;
pub mod wall;

pub use glam::{DMat3, DQuat, DVec3};
