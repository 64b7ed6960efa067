//! The solid sphere. Particles and templates of bodies compute it by the same code, so that a body of one sphere has the bits of the particle.

/// Volume of a sphere \[m³\].
#[inline]
pub fn sphere_volume(radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius
}
