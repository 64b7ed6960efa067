//! Forces on particles.
//!
//! `components` is what is kept from one evaluation to the next, `evaluation` is all of one: the contact list holds (`neighbour_update`, with `displacement_bound`), laws, sums of particles
//! (`particle_loads`) and of walls (`wall_loads`). `ghosts` renews what this rank knows of particles of others (`ranks_of_forces`). `initial` is the first one of a run, `particle_contacts` that of one particle alone. `body_loads` sums what acts on rigid bodies from their members.

pub(crate) mod body_loads;
pub(crate) mod components;
pub(crate) mod displacement_bound;
pub(crate) mod evaluation;
pub(crate) mod ghosts;
pub(crate) mod initial;
pub(crate) mod neighbour_update;
pub(crate) mod particle_contacts;
pub(crate) mod particle_loads;
pub(crate) mod ranks_of_forces;
pub(crate) mod trial_loads;
pub(crate) mod wall_loads;

pub use crate::state::other_loads::OtherLoads;
pub use components::{BLOCK, ForceEvaluation, StepFusionLimits};
pub use evaluation::Prepared;
pub use particle_loads::{Loads, force_and_torque};
pub use ranks_of_forces::RankCounts;
