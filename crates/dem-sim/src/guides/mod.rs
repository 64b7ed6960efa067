//! Guides: particles that move along a path, with one free coordinate or with a given speed.
//!
//! A guide is a force. At a position with the unit tangent t and the curvature κ of the path, under the sum F of all other forces,
//!
//! | motion | force of the guide | what is left |
//! |---|---|---|
//! | free, no friction | `R = m (v·t)² κ − (F − (F·t) t)` | `m s'' = F·t` |
//! | free, friction μ | `R − sign(v·t) μ \|R\| t`, at rest no more than balances `F·t` | `m s'' = F·t ∓ μ \|R\|` |
//! | prescribed speed | `m (v·t)² κ − F` | `s'' = 0` |
//!
//! It joins the other forces wherever they are summed, so that every integrator, whatever it predicts, corrects or iterates, integrates a
//! smooth motion in space that stays on the path up to its own error. After each step the particle is put back on the path exactly, and
//! what its velocity has across the path is dropped: position and velocity keep the order of the scheme (index reduction and projection,
//! E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., section VII.2).
//!
//! A rigid body is led by its centre of mass. Rotations are free, unless the guide gives a spin ω: then it adds the torque `ω × L − T` to the sum T of all others,
//! and after each step the body has exactly the orientation and the angular momentum L of a steady rotation.
//!
//! Parts of an assembly move the particles that they own, and tell all others after each step where these are on their paths and what holds them.
//!
//! A one-sided guide is the outside of a circle: it can only push outwards, and lets go for good when it would have to pull.

pub(crate) mod follower;
pub(crate) mod guide;
pub(crate) mod led;
pub(crate) mod path;
pub(crate) mod turns;

pub use follower::{Follower, Turn};
pub use guide::{Drive, Guide, Guides, Settled};
pub use led::GuidedMotion;
pub use path::{Frame, Path};
