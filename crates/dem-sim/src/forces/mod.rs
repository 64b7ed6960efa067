//! Forces on particles: the contact list, contacts, the sums of particles, walls.

pub(crate) mod displacement_bound;
pub(crate) mod evaluation;
pub(crate) mod initial;
pub(crate) mod neighbour_update;
pub(crate) mod particle_contacts;
pub(crate) mod particle_loads;
pub(crate) mod wall_loads;

pub use evaluation::{BLOCK, ForceEvaluation, Prepared, StepFusionLimits};
pub use particle_loads::{Loads, force_and_torque};
