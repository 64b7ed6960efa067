//! One time step, in order.
//!
//! [`pipeline`] goes through it:
//!
//! 1. `wall_servo`: walls that press get their velocity, from what `wall_assembly` finds that they press on;
//! 2. `cell_deformation`: a cell that deforms carries its particles along, with `assembly_stiffness` for its servo, `own_motion` where only
//!    its boundary drives the sample, and `cell_stress` at the end;
//! 3. the integrator, which has the forces evaluated;
//! 4. guides, `overlap_check` (`overlap_diagnosis` finds the likely cause), `tunnelling`;
//! 5. `bridge_exchange`: liquid goes between films and bridges, with `shared_bridges` between parts; then `faces` of the domain, by which particles
//!    may be `leaving`.

pub(crate) mod assembly_stiffness;
pub(crate) mod bridge_exchange;
pub(crate) mod cell_deformation;
pub(crate) mod cell_stress;
mod faces;
mod leaving;
mod overlap_check;
pub(crate) mod overlap_diagnosis;
pub(crate) mod own_motion;
pub mod pipeline;
pub(crate) mod shared_bridges;
pub(crate) mod tunnelling;
pub(crate) mod wall_assembly;
pub(crate) mod wall_servo;
