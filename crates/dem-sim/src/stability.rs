//! Bounds of the time step that follow from the present state; those known beforehand are chosen when a scene is built.

use dem_contact::time_step::{Bound, Fractions, particle_bound};

use crate::builder::LARGEST_TURN;
use crate::world::World;

/// The tightest bound by the contacts of any particle and by the fastest spin, named after the particle.
pub(crate) fn tightest_bound(world: &World) -> Option<Bound> {
    let fraction = Fractions::default().particle;
    let stiffness = particle_bound(&world.kernels, &world.list, &world.context(), fraction);
    stiffness.into_iter().chain(rotation_bound(world)).min_by(|a, b| a.time_step.total_cmp(&b.time_step))
}

fn rotation_bound(world: &World) -> Option<Bound> {
    let p = &world.particles;
    let spin = |slot: usize| p.angular_velocity[slot].length_squared();
    // ties by id, so that the name does not depend on slots
    let fastest = (0..p.len()).max_by(|&a, &b| spin(a).total_cmp(&spin(b)).then(p.id[b].cmp(&p.id[a])))?;
    let speed = spin(fastest).sqrt();
    (speed > 0.0).then(|| Bound {
        criterion: "rotation per step",
        time_step: LARGEST_TURN / speed,
        detail: format!("particle {}", p.id[fastest]),
    })
}
