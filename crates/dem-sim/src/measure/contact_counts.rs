//! Numbers of contacts, and the largest overlap.

use dem_core::contact_list::PartnerKind;

use crate::state::world::World;

/// Largest overlap in proportion to the smaller radius \[-\], of the present state also before a step has been done.
pub fn largest_overlap_ratio(world: &World) -> f64 {
    let radius = &world.particles.radius;
    let mut largest = 0.0_f64;
    world.each_contact(&mut |c| {
        let smaller = match c.key.kind {
            PartnerKind::Particle => radius[c.first].min(radius[c.second]),
            PartnerKind::Wall => radius[c.first],
        };
        largest = largest.max(c.overlap / smaller);
    });
    world.whole.largest(largest)
}

/// Number of contacts of each sphere by itself and of each body, by [the slot that stands for it](dem_core::particles::Particles::grain): (with
/// particles, with walls).
pub(super) fn grain_contacts(world: &World) -> Vec<(u32, u32)> {
    let mut numbers = contact_numbers(world);
    for body in &world.particles.bodies.all {
        let members = body.first as usize..(body.first + body.count) as usize;
        let sum = numbers[members].iter().fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
        numbers[body.first as usize] = sum;
    }
    numbers
}

/// Number of contacts of each particle, by slot: (with particles, with walls).
pub fn contact_numbers(world: &World) -> Vec<(u32, u32)> {
    let mut numbers = vec![(0, 0); world.particles.len()];
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            if !c.touches {
                return;
            }
            match c.key.kind {
                PartnerKind::Particle => {
                    numbers[c.first].0 += 1;
                    numbers[c.second].0 += 1;
                }
                PartnerKind::Wall => numbers[c.first].1 += 1,
            }
        });
    }
    numbers
}
