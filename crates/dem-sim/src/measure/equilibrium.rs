//! How far an assembly is from equilibrium.

use dem_core::exact_sum::{BlockSum, in_blocks};
use dem_core::lanes::Width;
use dem_core::particles::frozen;

use crate::state::world::World;

/// Mean net force on a sphere by itself or a rigid body in proportion to the mean contact force \[-\], every contact counted once; infinite without contacts. Particles that cannot move do not count,
/// nor do components of forces along which they cannot: whatever holds them balances these.
pub fn unbalanced_force(world: &World) -> f64 {
    let p = &world.particles;
    let list = &world.list;
    if list.incidence_row.len() != p.len() + 1 {
        return f64::INFINITY;
    }
    let [net, movable] = world.sums_of_movers(|mover| {
        let free = || frozen::without(world.frozen_of(mover), frozen::TRANSLATION, world.force_on(mover)).length();
        if world.can_move(mover) { [free(), 1.0] } else { [0.0; 2] }
    });
    let add = |slots: std::ops::Range<usize>, sums: &mut BlockSum<2>| {
        // every contact with its first body
        let entries = &list.incidence[list.incidence_row[slots.start] as usize..list.incidence_row[slots.end] as usize];
        for &entry in entries.iter().filter(|&entry| entry & 1 == 0) {
            let candidate = (entry >> 1) as usize;
            if let Some(wrench) = world.forces.get(candidate).filter(|_| world.forces.touches(candidate)) {
                sums.add([wrench.force_on_first().length(), 1.0]);
            }
        }
    };
    let [contact, contacts] = world.whole.sums(in_blocks(p.owned(), Width::fastest(), &add));
    if contact > 0.0 && movable > 0.0 { net / movable / (contact / contacts) } else { f64::INFINITY }
}
