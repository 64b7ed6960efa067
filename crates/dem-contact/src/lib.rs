//! Contact laws and the loop over contacts that evaluates them.
//!
//! A law is a pure function of the state and geometry at the start of a step and the geometry at its end
//! ([`law::ContactLaw`]); it never sees a particle index, a wall or a thread. [`geometry`] turns sphere–sphere and
//! sphere–wall contacts into the same [`law::Kinematics`], [`frame`] carries tangential vectors with the contact,
//! [`kernel`] owns the histories and runs the law over the contact list in parallel, and [`registry`] names the laws.
//!
//! Adding a law is one file in `laws/` and one line in [`registry`].

pub mod composite;
pub mod contact_forces;
mod deformed_pairs;
pub mod evaluator;
pub mod frame;
pub mod geometry;
mod incidence;
pub mod kernel;
mod lane_bits;
#[cfg(test)]
mod lane_check;
pub mod law;
pub mod laws;
pub mod near_field;
mod near_list;
pub mod normal;
pub mod parameter;
pub mod registry;
pub mod resistance;
mod selection;
pub mod submodels;
pub mod tangential;
pub mod time_step;
pub mod wrench;

pub use law::{ContactLaw, Kinematics, Mode, Response};
pub use parameter::{
    Declaration, Interval, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec, ParameterValue,
};
