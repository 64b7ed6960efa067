//! Time integrators. Adding one is one file and one line in [`INTEGRATORS`].
//!
//! Leapfrog is not among them: its kick-drift-kick form is velocity Verlet, and its staggered form has the same
//! positions with velocities of half a step earlier, which is what `semi-implicit-euler` computes. The position form is
//! that of Newmark's `pec` on the path of its predicted positions. What is left to choose, the velocity that forces
//! use, is the option `corrected` of `velocity-verlet`.

pub(crate) mod extent;
pub(crate) mod gear;
pub(crate) mod generalized_trapezoidal;
pub(crate) mod id_order;
pub(crate) mod integrator;
pub(crate) mod mobile;
pub(crate) mod newmark;
pub(crate) mod options;
pub(crate) mod passes;
pub(crate) mod registry;
pub(crate) mod rigid_bodies;
pub(crate) mod schemes;
pub(crate) mod semi_implicit_euler;
pub(crate) mod spheres;
pub(crate) mod velocity_verlet;

pub use gear::Gear;
pub use generalized_trapezoidal::{GeneralizedTrapezoidal, Sweep};
pub use integrator::{Integrator, Iterations};
pub use newmark::Newmark;
pub use registry::{Entry, INTEGRATORS, find};
pub use schemes::{Scheme, all_schemes};
pub use semi_implicit_euler::SemiImplicitEuler;
pub use velocity_verlet::scheme::VelocityVerlet;
