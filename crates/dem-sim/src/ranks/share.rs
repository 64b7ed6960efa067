//! What owners tell others of their particles in every step.
//!
//! Ghosts of rigid bodies are told of by their members: with an arm and a mobility each they are all that contacts read, and no bit depends on
//! where they were placed. The state of the body itself stays with its owner.

use std::collections::BTreeSet;

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use dem_core::particles::{NO_BODY, Particles};

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

/// What they read of a member of a rigid body beside that.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Lever {
    arm: DVec3,
    /// As in [`Bodies::mobility`](dem_core::bodies::table::Bodies::mobility), without the zeros.
    mobility: [f64; 6],
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

    /// Those of the particles that are members of rigid bodies, by their numbers among all members.
    fn members<'a>(slots: &'a [u32], p: &'a Particles) -> impl Iterator<Item = usize> + use<'a> {
        let slots = if p.bodies.have_members() { slots } else { &[] };
        let slots = slots.iter().map(|&slot| slot as usize).filter(|&slot| p.body[slot] != NO_BODY);
        slots.map(|slot| p.bodies.member_in(slot))
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
        for member in Self::members(&self.slots, p) {
            let [xx, yy, zz, yz, zx, xy, ..] = p.bodies.mobility[member];
            let lever = Lever { arm: p.bodies.arm[member], mobility: [xx, yy, zz, yz, zx, xy] };
            bytes.extend_from_slice(bytemuck::bytes_of(&lever));
        }
        bytes
    }

    /// Gives them the states of a message.
    pub fn hear(&mut self, p: &mut Particles, by_id: &mut Vec<(u64, u32)>, bytes: &[u8]) {
        self.find(p, by_id);
        let (states, levers) = bytes.split_at(bytes.len().min(self.slots.len() * size_of::<State>()));
        let states = states.chunks_exact(size_of::<State>()).map(bytemuck::pod_read_unaligned::<State>);
        let levers = levers.chunks_exact(size_of::<Lever>()).map(bytemuck::pod_read_unaligned::<Lever>);
        let members: Vec<usize> = Self::members(&self.slots, p).collect();
        for (member, lever) in members.into_iter().zip(levers) {
            p.bodies.arm[member] = lever.arm;
            p.bodies.mobility[member][..6].copy_from_slice(&lever.mobility);
        }
        for (slot, state) in self.slots.iter().map(|&slot| slot as usize).zip(states) {
            p.position[slot] = state.position;
            p.previous_position[slot] = state.previous_position;
            p.velocity[slot] = state.velocity;
            p.angular_velocity[slot] = state.angular_velocity;
            p.rotation_increment[slot] = state.rotation_increment;
        }
    }
}
