//! Forces on particles that do not come from contacts: gravity, drag, the Magnus force, local non-viscous and global mass damping.
//!
//! Gravity may turn uniformly in space, as in the frame of a drum that turns slowly: `g(t) = R(Ω t) g(0)`. The other
//! forces of a turning frame, centrifugal and Coriolis, are not part of it. Turning gravity has no potential: its work
//! counts like that of the other fields.
//!
//! Work of a step is booked to second order: that of forces that depend on the velocity with the mean velocity of the step, displacement over
//! time, and with the mean of the local porosities, that of gravity and local damping with the mean of the forces at its start and end.

pub(crate) mod body_forces;
pub mod drag;
pub(crate) mod in_lanes;
pub(crate) mod motion;
pub mod porosity;

pub use body_forces::{Fields, Magnus, StepFields};
pub use drag::{Drag, DragLaw, Fluid};
pub use in_lanes::MotionInLanes;
pub use motion::{Load, Motion};
pub use porosity::Porosity;
