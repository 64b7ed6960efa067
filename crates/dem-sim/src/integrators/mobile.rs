//! What integrators move: a sphere by itself, or a rigid body.
//!
//! Both parts of a motion obey the same formulae, but not in the same quantities. The rotation of a sphere goes by its angular velocity and a torque
//! gives an angular acceleration. That of a rigid body goes by its angular momentum, whose rate is the torque itself, and a displacement is a free
//! rotation by an angular momentum times a time. The angular part of a [`Twist`] is the one or the other here.

use std::ops::{Add, Mul, Sub};

use crate::forces::trial_loads::TrialLoads;

/// What integrators move: one sphere, or the rigid bodies in SIMD lanes.
pub(super) trait Mobile {
    /// A displacement, a velocity or its rate.
    type Twist: Copy + Add<Output = Self::Twist> + Sub<Output = Self::Twist> + Mul<f64, Output = Self::Twist>;

    /// Begins a step: moves the centre into the cell and notes the place as the start, from which contacts take the displacement of the step.
    fn begin(&mut self);

    /// The same, where forces were last evaluated `offset` before the place.
    fn begin_behind(&mut self, offset: Self::Twist);

    /// Velocity of the degrees of freedom that are not frozen.
    fn velocity(&self) -> Self::Twist;

    /// Sets the velocity.
    fn set_velocity(&mut self, velocity: Self::Twist);

    /// Its rate by the last accepted forces.
    fn acceleration(&self) -> Self::Twist;

    /// Its rate by the forces that have just been evaluated.
    fn acceleration_on_trial(&self, loads: &TrialLoads) -> Self::Twist;

    /// Moves and turns on from where it is.
    fn shift(&mut self, displacement: Self::Twist);
}

/// What an integrator does to all that it moves. Not a closure, because only what is inlined is compiled for the lanes of a width.
pub(super) trait MobileTask: Sync {
    /// Does it to one.
    fn act<M: Mobile>(&self, mobile: &mut M);
}
