//! What ranks would have to do, from where particles are and without a step: what forecasts are made of.

use std::collections::BTreeSet;

use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;

use super::decomposition::{Cuts, SAMPLE, place_in, widths};
use super::halo::{Extent, margin};
use crate::state::world::World;

/// What one of several ranks would have to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankLoad {
    /// Its particles.
    pub particles: usize,
    /// Contacts that it computes, those across borders included.
    pub contacts: usize,
    /// Ghosts that it has.
    pub ghosts: usize,
    /// Its particles that other ranks have as ghosts, each as often as it is one.
    pub told: usize,
    /// Ranks that it tells of them.
    pub neighbours: usize,
}

/// Loads of so many ranks that share the particles of a world, all of which it has; `step` is how far they move in a step \[m\].
pub(crate) fn of(world: &World, ranks: usize, step: f64) -> Vec<RankLoad> {
    let (p, cell) = (&world.particles, &world.cell);
    let places: Vec<DVec3> = p.position.iter().map(|&x| place_in(cell, x)).collect();
    let stride = places.len().div_ceil(SAMPLE).max(1);
    let mut sample: Vec<DVec3> = places.iter().step_by(stride).copied().collect();
    let cuts = Cuts::of(&mut sample, widths(cell), ranks);
    // of a member the place of its body
    let of_mover = |slot: usize| p.body_of(slot).map_or(places[slot], |body| place_in(cell, body.position));
    let part: Vec<usize> = (0..p.len()).map(|slot| cuts.part_of(of_mover(slot))).collect();
    let mut loads = vec![RankLoad::default(); ranks];
    let mut extents = vec![Extent::NOTHING; ranks];
    for (slot, (&place, &part)) in places.iter().zip(&part).enumerate() {
        extents[part].add(place, p.radius[slot]);
        loads[part].particles += 1;
    }
    let reach = world.range() + margin(&extents, step);
    let mut neighbours = vec![BTreeSet::new(); ranks];
    for (to, extent) in extents.iter().enumerate() {
        for from in extent.needed(p, cell, reach).into_iter().map(|slot| part[slot as usize]) {
            if from != to {
                loads[to].ghosts += 1;
                loads[from].told += 1;
                neighbours[from].insert(to);
            }
        }
    }
    for (load, neighbours) in loads.iter_mut().zip(neighbours) {
        load.neighbours = neighbours.len();
    }
    world.each_contact(&mut |contact| {
        let own = part[contact.first];
        loads[own].contacts += 1;
        if contact.key.kind == PartnerKind::Particle && part[contact.second] != own {
            loads[part[contact.second]].contacts += 1;
        }
    });
    loads
}
