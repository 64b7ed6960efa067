//! Changes that a program makes between steps: what stages do, and what no scene can say.
//!
//! A program may read the state, and change it, only where [forces are known](dem_contact::contact_forces::ContactForces::are_known): after
//! [`Simulation::advance`](crate::simulation::Simulation::advance), or the last step of
//! [`advance_unseen`](crate::simulation::Simulation::advance_unseen). Energy that a change brings in or takes out is booked as exchanged, and the next
//! step starts from the forces of the changed state.

mod actions;
mod additions;
mod error;
mod motion;

pub use additions::Addition;
pub use error::{Partner, ProgramError};
pub use motion::Quantities;
