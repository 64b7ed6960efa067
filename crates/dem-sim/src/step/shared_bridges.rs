//! Events of liquid bridges of all parts of an assembly, and the films that they need.

use std::collections::BTreeMap;

use dem_contact::kernel::{BridgeEvents, BrokenBridge, FormingBridge};
use dem_contact::law::Films;
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::liquid;

use crate::state::world::World;

/// Events of all parts, each once, and the films of their spheres by id \[m³\].
pub(super) struct SharedEvents {
    pub forming: Vec<FormingBridge>,
    pub broken: Vec<BrokenBridge>,
    pub films: Vec<(u64, f64)>,
}

/// Words of an event on its way between parts.
const WORDS: usize = 9;

impl SharedEvents {
    /// `places` has the slots of the spheres of this part's events.
    pub fn of(world: &World, events: BridgeEvents, places: &BTreeMap<u64, usize>) -> Self {
        let BridgeEvents { mut forming, mut broken } = events;
        let films = liquid::films(&world.particles).unwrap_or_default();
        let owned = world.particles.owned();
        if world.whole.is_alone() {
            let films = places.iter().map(|(&id, &slot)| (id, films[slot])).collect();
            return Self { forming, broken, films };
        }
        let counts = |key: ContactKey| places.get(&key.first).is_some_and(|&slot| slot < owned);
        forming.retain(|bridge| counts(bridge.key));
        broken.retain(|bridge| counts(bridge.key));
        let said = forming.iter().flat_map(words_of_forming).chain(broken.iter().flat_map(words_of_broken));
        let said = world.whole.gather(said.collect());
        let (mut forming, mut broken) = (Vec::new(), Vec::new());
        for words in said.as_chunks::<WORDS>().0 {
            match read(words) {
                Event::Forming(bridge) => forming.push(bridge),
                Event::Broken(bridge) => broken.push(bridge),
            }
        }
        let keys = forming.iter().map(|bridge| bridge.key).chain(broken.iter().map(|bridge| bridge.key));
        let mut ids: Vec<u64> = keys.flat_map(spheres_of).collect();
        ids.sort_unstable();
        ids.dedup();
        let own = world.particles.id[..owned].iter().zip(films);
        let own = own.filter(|(id, _)| ids.binary_search(id).is_ok()).flat_map(|(&id, film)| [id, film.to_bits()]);
        let said = world.whole.gather(own.collect());
        let films = said.as_chunks::<2>().0.iter().map(|&[id, film]| (id, f64::from_bits(film))).collect();
        Self { forming, broken, films }
    }
}

/// Ids of the spheres of a contact.
pub(super) fn spheres_of(key: ContactKey) -> impl Iterator<Item = u64> {
    let second = (key.kind == PartnerKind::Particle).then_some(key.second);
    std::iter::once(key.first).chain(second)
}

enum Event {
    Forming(FormingBridge),
    Broken(BrokenBridge),
}

fn words_of_key(key: ContactKey) -> [u64; 4] {
    [key.first, u64::from(key.kind == PartnerKind::Wall), key.second, u64::from(key.feature)]
}

fn words_of_forming(bridge: &FormingBridge) -> [u64; WORDS] {
    let [first, kind, second, feature] = words_of_key(bridge.key);
    let [one, other, largest, least] =
        [bridge.shares[0], bridge.shares[1], bridge.films.largest, bridge.films.least].map(f64::to_bits);
    [0, first, kind, second, feature, one, other, largest, least]
}

fn words_of_broken(bridge: &BrokenBridge) -> [u64; WORDS] {
    let [first, kind, second, feature] = words_of_key(bridge.key);
    [1, first, kind, second, feature, bridge.volume.to_bits(), 0, 0, 0]
}

fn read(words: &[u64; WORDS]) -> Event {
    let [tag, first, kind, second, feature, one, other, largest, least] = *words;
    let kind = if kind == 0 { PartnerKind::Particle } else { PartnerKind::Wall };
    let key = ContactKey { first, kind, second, feature: feature as u32 };
    // slots mean nothing in another part
    let slots = [u32::MAX; 2];
    let [one, other, largest, least] = [one, other, largest, least].map(f64::from_bits);
    if tag == 0 {
        let films = Films { share: None, largest, least };
        Event::Forming(FormingBridge { key, slots, candidate: usize::MAX, films, shares: [one, other] })
    } else {
        Event::Broken(BrokenBridge { key, slots, volume: one })
    }
}
