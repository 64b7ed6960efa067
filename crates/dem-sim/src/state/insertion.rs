//! Spheres and bodies of a source become particles of a world.

use dem_core::DVec3;
use dem_core::bodies::new_body::NewBody;
use dem_core::liquid;
use dem_core::particles::{ExternalLoad, NewParticle};

use super::world::World;
use crate::insertion::body_source::NewGrain;
use crate::insertion::pouring_source::Kind;

/// Adds a sphere or a body of a kind to the world; `shift` is added to its velocity.
pub(crate) fn insert_grain(world: &mut World, kind: &Kind, grain: NewGrain, shift: DVec3) {
    let velocity = kind.velocity + shift;
    let &Kind { material, density, group, frozen, angular_velocity, .. } = kind;
    let slot = world.particles.len();
    match kind.bodies.as_deref() {
        None => {
            world.insert(NewParticle {
                position: grain.centre,
                velocity,
                angular_velocity,
                orientation: grain.orientation,
                radius: grain.radius,
                density,
                material,
                group,
                frozen,
            });
        }
        Some(bodies) => {
            world.insert_body(NewBody {
                template: bodies.index,
                scale: bodies.scale(grain.radius),
                position: grain.centre,
                orientation: bodies.principal_orientation(&grain),
                velocity,
                angular_velocity,
                density,
                material: bodies.material,
                group,
                frozen,
            });
        }
    }
    wet(world, kind, slot);
    if kind.load != ExternalLoad::default() {
        // of a body it is that of the first member
        world.particles.external.resize(world.particles.len(), ExternalLoad::default());
        world.particles.external[slot] = kind.load;
    }
}

/// Gives spheres from a slot on, which are new, their liquid, and books it as brought in.
fn wet(world: &mut World, kind: &Kind, from: usize) {
    let World { particles, liquid_books, .. } = world;
    let radius = std::mem::take(&mut particles.radius);
    if let Some(films) = liquid::films_mut(particles) {
        for (film, &radius) in films[from..].iter_mut().zip(&radius[from..]) {
            *film = kind.wetness.volume(radius);
            liquid_books.brought += *film;
        }
    }
    particles.radius = radius;
}
