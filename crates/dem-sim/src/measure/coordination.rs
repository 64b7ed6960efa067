//! Coordination numbers with and without rattlers.

use dem_contact::Mode;
use dem_core::contact_list::PartnerKind;

use crate::state::world::World;

/// Coordination of an assembly of grains: spheres by themselves, and rigid bodies with all of their members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coordination {
    /// `2 N_c / N` over pair contacts.
    pub all: f64,
    /// `2 N_c / N` over grains that are no rattlers and the contacts between them.
    pub without_rattlers: f64,
    /// Number of rattlers.
    pub rattlers: usize,
    /// Number of contacts below which a grain is one. For bodies without friction it is a lower bound of what holds them.
    pub threshold: u32,
    /// Fraction of contacts, walls included, that slide.
    pub sliding_share: f64,
}

/// Coordination; a grain with fewer than `threshold` contacts, walls counted, is a rattler, and removing it may make others so.
pub fn coordination(world: &World, threshold: u32) -> Coordination {
    let p = &world.particles;
    let count = p.len();
    if count == 0 {
        return Coordination::default();
    }
    // of a body, the slot of its first member
    let is_grain = |slot: usize| p.grain(slot) == slot;
    let grains = (0..count).filter(|&slot| is_grain(slot)).count();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut contacts = vec![0u32; count];
    let (mut sliding, mut total) = (0u64, 0u64);
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            if !c.touches {
                return;
            }
            total += 1;
            sliding += u64::from(world.forces.mode(c.candidate) == Some(Mode::Slide));
            let first = p.grain(c.first);
            contacts[first] += 1;
            if c.key.kind == PartnerKind::Particle {
                let second = p.grain(c.second);
                contacts[second] += 1;
                pairs.push((first as u32, second as u32));
            }
        });
    }
    let neighbours = Neighbours::of(&pairs, count);
    let all = pairs.len();
    drop(pairs);
    let mut rattles = vec![false; count];
    let mut pending: Vec<u32> =
        (0..count as u32).filter(|&k| is_grain(k as usize) && contacts[k as usize] < threshold).collect();
    while let Some(k) = pending.pop() {
        if std::mem::replace(&mut rattles[k as usize], true) {
            continue;
        }
        for &other in neighbours.of_slot(k as usize) {
            contacts[other as usize] = contacts[other as usize].saturating_sub(1);
            if contacts[other as usize] < threshold && !rattles[other as usize] {
                pending.push(other);
            }
        }
    }
    let rattlers = rattles.iter().filter(|&&r| r).count();
    let of_slot = |slot: usize| neighbours.of_slot(slot).iter().filter(|&&other| !rattles[other as usize]).count();
    let carrying = (0..count).filter(|&slot| !rattles[slot]).map(of_slot).sum::<usize>() / 2;
    let ratio = |contacts: usize, particles: usize| {
        if particles == 0 { 0.0 } else { 2.0 * contacts as f64 / particles as f64 }
    };
    Coordination {
        all: ratio(all, grains),
        without_rattlers: ratio(carrying, grains - rattlers),
        rattlers,
        threshold,
        sliding_share: if total == 0 { 0.0 } else { sliding as f64 / total as f64 },
    }
}

/// Neighbours of all particles by slots, one row after the other.
struct Neighbours {
    /// Start of each row; one entry more than slots.
    row: Vec<u32>,
    slot: Vec<u32>,
}

impl Neighbours {
    fn of(pairs: &[(u32, u32)], count: usize) -> Self {
        let ends = || pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let mut row = vec![0; count + 1];
        ends().for_each(|(a, _)| row[a as usize] += 1);
        let mut start = 0;
        for length in &mut row {
            start += std::mem::replace(length, start);
        }
        let mut slot = vec![0; 2 * pairs.len()];
        for (a, b) in ends() {
            let next = &mut row[a as usize];
            slot[*next as usize] = b;
            *next += 1;
        }
        // the starts have become the ends
        row.copy_within(..count, 1);
        row[0] = 0;
        Self { row, slot }
    }

    fn of_slot(&self, slot: usize) -> &[u32] {
        &self.slot[self.row[slot] as usize..self.row[slot + 1] as usize]
    }
}
