//! What owners tell others of their particles in every step.

use std::collections::BTreeSet;

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use dem_core::particles::Particles;

/// What contacts read of a particle: its place and motion predicted for the end of the step, and where it was at the start.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct State {
    position: DVec3,
    previous_position: DVec3,
    velocity: DVec3,
    angular_velocity: DVec3,
    rotation_increment: DVec3,
}

/// Particles that this rank tells another one of, or is told of by it. Slots change when a contact list is made anew; ids tell where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    ids: Vec<u64>,
    slots: Vec<u32>,
}

impl Shared {
    /// Those in some slots.
    pub fn new(particles: &Particles, slots: Vec<u32>) -> Self {
        Self { ids: slots.iter().map(|&slot| particles.id[slot as usize]).collect(), slots }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Leaves out particles that are gone.
    pub fn forget(&mut self, ids: &BTreeSet<u64>) {
        let mut is_kept = self.ids.iter().map(|id| !ids.contains(id)).collect::<Vec<bool>>().into_iter();
        self.slots.retain(|_| is_kept.next().unwrap_or(true));
        self.ids.retain(|id| !ids.contains(id));
    }

    /// Finds the particles again if they have changed their slots; `by_id` has ids and slots in order of ids, once it has been asked for.
    fn find(&mut self, particles: &Particles, by_id: &mut Vec<(u64, u32)>) {
        let is_there = |(id, slot): (&u64, &u32)| particles.id.get(*slot as usize) == Some(id);
        if self.ids.iter().zip(&self.slots).all(is_there) {
            return;
        }
        if by_id.len() != particles.len() {
            *by_id = particles.id.iter().copied().zip(0..).collect();
            by_id.sort_unstable();
        }
        for (id, slot) in self.ids.iter().zip(&mut self.slots) {
            if let Ok(at) = by_id.binary_search_by_key(id, |&(id, _)| id) {
                *slot = by_id[at].1;
            }
        }
    }

    /// Their states as a message.
    pub fn tell(&mut self, p: &Particles, by_id: &mut Vec<(u64, u32)>) -> Vec<u8> {
        self.find(p, by_id);
        let mut bytes = Vec::with_capacity(self.ids.len() * size_of::<State>());
        for slot in self.slots.iter().map(|&slot| slot as usize) {
            let state = State {
                position: p.position[slot],
                previous_position: p.previous_position[slot],
                velocity: p.velocity[slot],
                angular_velocity: p.angular_velocity[slot],
                rotation_increment: p.rotation_increment[slot],
            };
            bytes.extend_from_slice(bytemuck::bytes_of(&state));
        }
        bytes
    }

    /// Gives them the states of a message.
    pub fn hear(&mut self, p: &mut Particles, by_id: &mut Vec<(u64, u32)>, bytes: &[u8]) {
        self.find(p, by_id);
        let states = bytes.chunks_exact(size_of::<State>()).map(bytemuck::pod_read_unaligned::<State>);
        for (slot, state) in self.slots.iter().map(|&slot| slot as usize).zip(states) {
            p.position[slot] = state.position;
            p.previous_position[slot] = state.previous_position;
            p.velocity[slot] = state.velocity;
            p.angular_velocity[slot] = state.angular_velocity;
            p.rotation_increment[slot] = state.rotation_increment;
        }
    }
}
