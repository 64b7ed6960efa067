//! Uniform random numbers from the 64 bits of the generator.
//!
//! Written out instead of taken from `rand`, whose conversions may change between
//! versions and with them every packing generated from a seed.

use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Uniform in `[0, 1)`, a multiple of 2⁻⁵³.
pub(crate) fn unit(rng: &mut Pcg64Mcg) -> f64 {
    const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
    (rng.next_u64() >> 11) as f64 * STEP
}

/// Uniform between `low` and `high`.
pub(crate) fn between(rng: &mut Pcg64Mcg, low: f64, high: f64) -> f64 {
    low + unit(rng) * (high - low)
}

/// Uniform integer in `0..count` (0 for an empty range); the bias is below `count`·2⁻⁶⁴.
pub(crate) fn below(rng: &mut Pcg64Mcg, count: usize) -> usize {
    ((u128::from(rng.next_u64()) * count as u128) >> 64) as usize
}

/// Uniform in the box between two corners.
pub(crate) fn in_box(rng: &mut Pcg64Mcg, lower: DVec3, upper: DVec3) -> DVec3 {
    let x = between(rng, lower.x, upper.x);
    let y = between(rng, lower.y, upper.y);
    let z = between(rng, lower.z, upper.z);
    DVec3::new(x, y, z)
}

/// Uniform in the ball of this radius about the origin.
pub(crate) fn in_ball(rng: &mut Pcg64Mcg, radius: f64) -> DVec3 {
    let distance = radius * libm::cbrt(unit(rng));
    let height = 1.0 - 2.0 * unit(rng);
    let angle = std::f64::consts::TAU * unit(rng);
    let across = (1.0 - height * height).max(0.0).sqrt();
    distance * DVec3::new(across * libm::cos(angle), across * libm::sin(angle), height)
}
