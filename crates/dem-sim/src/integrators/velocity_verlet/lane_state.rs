//! State of several particles in SIMD lanes, and what all parts of the scheme do with it.

use dem_core::lanes::{Lanes, Vector};

/// What some particles are advanced from.
#[derive(Clone, Copy)]
pub(crate) struct State<R: Lanes> {
    pub(super) mass: R,
    pub(super) radius: R,
    pub(super) force: Vector<R>,
    pub(super) torque: Vector<R>,
    pub(super) velocity: Vector<R>,
    pub(super) angular_velocity: Vector<R>,
}

/// Whether any component of some particles is frozen.
#[inline(always)]
pub(crate) fn is_any_frozen(frozen: &[u8]) -> bool {
    frozen.iter().fold(0, |all, bits| all | bits) != 0
}

/// Zeroes the frozen components of a vector.
#[inline(always)]
pub(crate) fn release<R: Lanes>(vector: Vector<R>, frozen: &[u8], at: usize, bits: [u8; 3]) -> Vector<R> {
    Vector::new(
        R::select(free::<R>(frozen, at, bits[0]), vector.x, R::zero()),
        R::select(free::<R>(frozen, at, bits[1]), vector.y, R::zero()),
        R::select(free::<R>(frozen, at, bits[2]), vector.z, R::zero()),
    )
}

#[inline(always)]
fn free<R: Lanes>(frozen: &[u8], at: usize, bit: u8) -> R::Mask {
    R::zero().less(R::from_lanes(|lane| if frozen[at + lane] & bit == 0 { 1.0 } else { 0.0 }))
}

/// Zero, or NaN if a component is not finite.
#[inline(always)]
pub(crate) fn zero_if_finite<R: Lanes>(v: Vector<R>) -> R {
    v.dot(Vector::zero())
}

/// Moment of inertia of solid spheres.
#[inline(always)]
pub(crate) fn inertia<R: Lanes>(mass: R, radius: R) -> R {
    R::splat(0.4) * mass * radius * radius
}
