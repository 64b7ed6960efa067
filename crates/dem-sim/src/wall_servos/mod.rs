//! Walls that press with a force or a pressure: before a step the controller of the deforming cell turns the distance of the force from
//! its target into a velocity, which becomes the motion of the wall for this step. The wall stays what every wall is, a rigid body with a
//! pose, whose force the contacts exert and whose work is booked.
//!
//! The stiffness K is that of the particles which are connected with the wall through contacts, if every contact
//! followed the strain between its near and its far side (Voigt's bound). The response time is a multiple of `√(m/K)`
//! with their mass m, the time that an elastic wave takes across them: the pressure of a wall, unlike that of a cell
//! which carries all particles along, has to run through the sample. The gain `1/(K τ)` is then a fixed fraction of
//! `1/√(m K)`, the speed that a wave gives a wall per force, whatever the length of the sample.

pub(crate) mod assembly;
pub(crate) mod servo;

pub use assembly::Assembly;
pub use servo::{Hold, Target, WallMotion, WallServo};
