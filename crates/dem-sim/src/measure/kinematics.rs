//! The fastest particle, and which way is up.

use crate::state::world::World;

/// Largest speed of a particle, members of bodies included \[m/s\]: the point of a sphere that hits something moves along the normal as its centre does, whatever its
/// spin.
pub(crate) fn largest_speed(world: &World) -> f64 {
    let own = &world.particles.velocity[..world.particles.owned()];
    world.whole.largest(own.iter().map(|v| v.length()).fold(0.0, f64::max))
}

/// Upward direction, that of time zero if gravity turns; z without gravity.
pub fn up(world: &World) -> glam::DVec3 {
    let gravity = world.fields.gravity;
    if gravity.length() > 0.0 { -gravity.normalize() } else { glam::DVec3::Z }
}
