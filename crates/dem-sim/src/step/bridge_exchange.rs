//! The exchange of liquid between films and bridges at the end of a step.
//!
//! What a bridge takes depends on the films of both spheres at the start of the step and on how many bridges each of them forms in it: the share that
//! the law asks for, at most the film over their number, and both less in proportion if it would be more than the largest bridge. So no
//! order matters and no film can be overdrawn. What broken bridges held goes to their bodies half and half, and all of it to the sphere at a wall, which has no film.
//! Films are changed in order of keys.

use std::collections::BTreeMap;

use dem_contact::kernel::{BridgeEvents, FormingBridge};
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::liquid;
use dem_core::particles::Particles;

use super::shared_bridges::{SharedEvents, spheres_of};
use crate::state::world::World;

/// A sphere with a bridge that forms or has broken.
#[derive(Clone, Copy, Debug, Default)]
struct Sphere {
    /// Bridges that it forms.
    forming: u32,
    /// Its film \[m³\].
    film: f64,
}

/// A bridge that is filled: what both bodies give \[m³\].
struct Filled {
    key: ContactKey,
    given: [f64; 2],
}

/// Fills bridges of contacts that touch and returns the liquid of those that have broken.
pub(crate) fn exchange(world: &mut World) {
    if !world.shares_films() {
        return;
    }
    let mut events = BridgeEvents::default();
    let mut forming = Vec::new();
    let mut kernels = std::mem::take(&mut world.kernels);
    let context = world.context();
    for (law, kernel) in kernels.iter_mut().enumerate() {
        kernel.take_bridge_events(&world.list, &context, &mut events);
        forming.extend(events.forming.drain(..).map(|bridge| (law, bridge)));
    }
    world.kernels = kernels;
    events.forming = forming.iter().map(|&(_, bridge)| bridge).collect();
    let filled = settle(world, events);
    if filled.is_empty() {
        return;
    }
    let mut kernels = std::mem::take(&mut world.kernels);
    let context = world.context();
    for (law, bridge) in forming {
        if let Ok(at) = filled.binary_search_by_key(&bridge.key, |filled| filled.key) {
            let volume = filled[at].given[0] + filled[at].given[1];
            kernels[law].fill_bridge(&world.list, &context, bridge.candidate, volume);
        }
    }
    world.kernels = kernels;
}

/// Breaks the bridges of particles in some slots (ascending), which are about to leave, and books the liquid that they take along.
pub(crate) fn take_along(world: &mut World, leaving: &[u32]) {
    if !world.shares_films() {
        return;
    }
    let mut events = BridgeEvents::default();
    let World { kernels, list, particles, .. } = world;
    for kernel in kernels {
        kernel.break_bridges(list, &particles.id, &|slot| leaving.binary_search(&slot).is_ok(), &mut events);
    }
    settle(world, events);
    let films = liquid::films(&world.particles).unwrap_or_default();
    let owned = world.particles.owned();
    let held = |at: usize| {
        let slot = leaving[at] as usize;
        [films.get(slot).copied().filter(|_| slot < owned).unwrap_or(0.0)]
    };
    let [held] = world.sums_over(leaving.len(), held);
    world.liquid_books.removed += held;
}

/// Changes films by the events of all parts; returns the bridges that are filled, in order of keys.
fn settle(world: &mut World, events: BridgeEvents) -> Vec<Filled> {
    let is_none = events.forming.is_empty() && events.broken.is_empty();
    if !world.whole.any(!is_none) || liquid::films(&world.particles).is_none() {
        return Vec::new();
    }
    let places = places_of(&events, &world.particles);
    let SharedEvents { mut forming, mut broken, films } = SharedEvents::of(world, events, &places);
    forming.sort_unstable_by_key(|bridge| bridge.key);
    broken.sort_by_key(|bridge| bridge.key);

    let mut spheres: BTreeMap<u64, Sphere> =
        films.into_iter().map(|(id, film)| (id, Sphere { forming: 0, film })).collect();
    for id in forming.iter().flat_map(|bridge| spheres_of(bridge.key)) {
        spheres.entry(id).or_default().forming += 1;
    }
    let filled: Vec<Filled> = forming.iter().filter_map(|bridge| fill(bridge, &spheres)).collect();
    for bridge in &filled {
        for (id, given) in spheres_of(bridge.key).zip(bridge.given) {
            if let Some(sphere) = spheres.get_mut(&id) {
                // n times the n-th part may be more than the whole by rounding
                sphere.film = (sphere.film - given).max(0.0);
            }
        }
    }
    for bridge in &broken {
        let bodies = if bridge.key.kind == PartnerKind::Wall { 1.0 } else { 2.0 };
        for id in spheres_of(bridge.key) {
            if let Some(sphere) = spheres.get_mut(&id) {
                sphere.film += bridge.volume / bodies;
            }
        }
    }
    let own: Vec<(usize, f64)> = spheres
        .into_iter()
        .filter_map(|(id, sphere)| {
            let slot = places.get(&id).copied().or_else(|| world.particles.id.iter().position(|known| *known == id))?;
            Some((slot, sphere.film))
        })
        .collect();
    if let Some(films) = liquid::films_mut(&mut world.particles) {
        for (slot, film) in own {
            films[slot] = film;
        }
    }
    filled
}

/// What a bridge takes of both films, if it is enough for one.
fn fill(bridge: &FormingBridge, spheres: &BTreeMap<u64, Sphere>) -> Option<Filled> {
    let mut given = [0.0; 2];
    for (k, id) in spheres_of(bridge.key).enumerate() {
        let &Sphere { forming, film } = spheres.get(&id)?;
        given[k] = (bridge.shares[k] * film).min(film / f64::from(forming));
    }
    let (sum, films) = (given[0] + given[1], bridge.films);
    if sum > films.largest {
        given = given.map(|part| part * (films.largest / sum));
    }
    (sum >= films.least).then_some(Filled { key: bridge.key, given })
}

/// Slots of the spheres of events.
fn places_of(events: &BridgeEvents, particles: &Particles) -> BTreeMap<u64, usize> {
    let forming = events.forming.iter().map(|bridge| (bridge.key, bridge.slots));
    let broken = events.broken.iter().map(|bridge| (bridge.key, bridge.slots));
    let mut places = BTreeMap::new();
    for (key, slots) in forming.chain(broken) {
        for (id, slot) in spheres_of(key).zip(slots) {
            // a list may have been made anew since
            if particles.id.get(slot as usize) == Some(&id) {
                places.insert(id, slot as usize);
            } else if let Some(slot) = particles.id.iter().position(|known| *known == id) {
                places.insert(id, slot);
            }
        }
    }
    places
}
