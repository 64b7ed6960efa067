//! Sums of wrenches over the contacts of particles, in canonical order; within the pass over contacts in large
//! assemblies, where an integrator may advance the particles at once.

pub mod contact_forces;
pub mod contact_view;
pub mod exported_force;
pub mod fused_integration;
pub(crate) mod group_reduction;
pub(crate) mod incidence;
pub mod sums;
pub mod wrench;
pub(crate) mod written;
