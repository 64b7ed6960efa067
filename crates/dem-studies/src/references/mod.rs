//! Reference solutions: what an impact, a loop of slip or a passing of two spheres must give, solved without the laws.
//!
//! None of these modules uses the contact laws, the stepper or the world; they agree with the engine only if both are right.
//! Sizes of tangential quantities along a line carry a sign; the tangential force is the one *against* the slip, so it has the sign
//! of the slip that built it up.

pub mod annuli_influence;
pub mod constant_load_slip;
pub mod event_driven_impact;
pub mod finite_sliding;
pub mod hertz_impact;
pub mod hysteretic_sliding;
pub mod kharaz;
pub mod linear_impact;
pub mod linear_slider;
pub mod many_spring_foundation;
pub mod maw_barber_fawcett;
pub mod oblique_impact;
pub mod quadrature;
pub mod rigid_sphere;
pub mod runge_kutta;
pub mod scaled_impact;
pub mod sliding_under_force;
pub mod total_spring;
