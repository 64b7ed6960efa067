//! Reference solutions: what an impact, a loop of slip, a passing of two spheres or a free top must give, solved without the engine.
//!
//! This crate depends on nothing of the engine: not on the contact laws, the stepper or the world, nor on its numbers and vectors. References and
//! engine agree only if both are right.
//! Sizes of tangential quantities along a line carry a sign; the tangential force is the one *against* the slip, so it has the sign
//! of the slip that built it up.

#![forbid(unsafe_code)]

pub mod adhesive_contact;
pub mod annuli_influence;
pub mod constant_load_slip;
pub mod error;
pub mod event_driven_impact;
pub mod finite_sliding;
pub mod free_top;
pub mod hertz_impact;
pub mod hysteretic_sliding;
pub mod kharaz;
pub mod linear_impact;
pub mod linear_slider;
pub mod liquid_bridge;
pub mod many_spring_foundation;
pub mod maw_barber_fawcett;
pub mod oblique_impact;
pub mod plastic_impact;
pub mod quadrature;
pub mod rigid_sphere;
pub mod runge_kutta;
pub mod scaled_impact;
pub mod sliding_under_force;
pub mod sphere_unions;
pub mod total_spring;

pub use error::ReferenceError;
