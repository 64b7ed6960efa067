//! Spheres of a source become particles of a world.

use dem_core::particles::NewParticle;
use dem_core::{DQuat, DVec3};

use super::world::World;
use crate::insertion::pouring_source::Kind;
use crate::insertion::sphere::NewSphere;

/// Adds a sphere of a kind to the world; `shift` is added to its velocity.
pub(crate) fn insert_sphere(world: &mut World, kind: &Kind, sphere: NewSphere, shift: DVec3) -> u64 {
    world.insert(NewParticle {
        position: sphere.centre,
        velocity: kind.velocity + shift,
        angular_velocity: kind.angular_velocity,
        orientation: DQuat::IDENTITY,
        radius: sphere.radius,
        density: kind.density,
        material: kind.material,
        group: kind.group,
        frozen: kind.frozen,
    })
}
