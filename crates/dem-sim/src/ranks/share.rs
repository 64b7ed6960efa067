//! What owners tell others of their particles in every step.
//!
//! Ghosts of rigid bodies are told of by their members: with an arm and a mobility each they are all that contacts read, and no bit depends on
//! where they were placed. The state of the body itself stays with its owner.

use std::collections::BTreeSet;

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::{NO_BODY, Particles};

/// What contacts read of a particle: its place and motion predicted for the end of the step.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct State {
    position: DVec3,
    velocity: DVec3,
    angular_velocity: DVec3,
    rotation_increment: DVec3,
}

/// Where particles were at the start of the step that a message is about, as far as both sides know it from the message before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
struct Start(u64);

impl Start {
    /// Neither of the others: places follow the states.
    const TOLD: Self = Self(0);
    /// Where they were to be at the end of the step of the last message, back in the cell.
    const LAST_END: Self = Self(1);
    /// It is the same step again.
    const SAME: Self = Self(2);
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
    /// Positions at the end and at the start of the step of the last message.
    last: Vec<[DVec3; 2]>,
}

impl Shared {
    /// Those in some slots.
    pub fn new(particles: &Particles, slots: Vec<u32>) -> Self {
        let ids = slots.iter().map(|&slot| particles.id[slot as usize]).collect();
        let places = |&slot: &u32| [particles.position[slot as usize], particles.previous_position[slot as usize]];
        Self { ids, last: slots.iter().map(places).collect(), slots }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Leaves out particles that are gone.
    pub fn forget(&mut self, ids: &BTreeSet<u64>) {
        let is_kept: Vec<bool> = self.ids.iter().map(|id| !ids.contains(id)).collect();
        let mut keeps = is_kept.iter();
        self.slots.retain(|_| *keeps.next().unwrap_or(&true));
        let mut keeps = is_kept.iter();
        self.last.retain(|_| *keeps.next().unwrap_or(&true));
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
    pub fn tell(&mut self, p: &Particles, cell: &Cell, by_id: &mut Vec<(u64, u32)>) -> Vec<u8> {
        self.find(p, by_id);
        let slots = || self.slots.iter().map(|&slot| slot as usize);
        let starts_at = |known: fn(&Cell, [DVec3; 2]) -> DVec3| {
            slots().zip(&self.last).all(|(slot, &last)| is_same(p.previous_position[slot], known(cell, last)))
        };
        let start = if starts_at(back_in_cell) {
            Start::LAST_END
        } else if starts_at(|_, [_, start]| start) {
            Start::SAME
        } else {
            Start::TOLD
        };
        let each = size_of::<State>() + if start == Start::TOLD { size_of::<DVec3>() } else { 0 };
        let mut bytes = Vec::with_capacity(size_of::<Start>() + slots().len() * each);
        bytes.extend_from_slice(bytemuck::bytes_of(&start));
        for slot in slots() {
            let state = State {
                position: p.position[slot],
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
        if start == Start::TOLD {
            slots().for_each(|slot| bytes.extend_from_slice(bytemuck::bytes_of(&p.previous_position[slot])));
        }
        for (&slot, last) in self.slots.iter().zip(&mut self.last) {
            *last = [p.position[slot as usize], p.previous_position[slot as usize]];
        }
        bytes
    }

    /// Gives them the states of a message.
    pub fn hear(&mut self, p: &mut Particles, cell: &Cell, by_id: &mut Vec<(u64, u32)>, bytes: &[u8]) {
        self.find(p, by_id);
        let Some((start, bytes)) = bytes.split_at_checked(size_of::<Start>()) else { return };
        let start: Start = bytemuck::pod_read_unaligned(start);
        let (states, rest) = bytes.split_at(bytes.len().min(self.slots.len() * size_of::<State>()));
        let states = states.chunks_exact(size_of::<State>()).map(bytemuck::pod_read_unaligned::<State>);
        let members: Vec<usize> = Self::members(&self.slots, p).collect();
        let (levers, starts) = rest.split_at(rest.len().min(members.len() * size_of::<Lever>()));
        let levers = levers.chunks_exact(size_of::<Lever>()).map(bytemuck::pod_read_unaligned::<Lever>);
        for (member, lever) in members.into_iter().zip(levers) {
            p.bodies.arm[member] = lever.arm;
            p.bodies.mobility[member][..6].copy_from_slice(&lever.mobility);
        }
        let mut starts = starts.chunks_exact(size_of::<DVec3>()).map(bytemuck::pod_read_unaligned::<DVec3>);
        for ((&slot, last), state) in self.slots.iter().zip(&mut self.last).zip(states) {
            let slot = slot as usize;
            let start = match start {
                Start::LAST_END => back_in_cell(cell, *last),
                Start::SAME => last[1],
                _ => starts.next().unwrap_or(last[1]),
            };
            *last = [state.position, start];
            p.position[slot] = state.position;
            p.previous_position[slot] = start;
            p.velocity[slot] = state.velocity;
            p.angular_velocity[slot] = state.angular_velocity;
            p.rotation_increment[slot] = state.rotation_increment;
        }
    }
}

/// Where a particle is at the start of a step that was at a place at the end of the one before.
fn back_in_cell(cell: &Cell, [mut end, _]: [DVec3; 2]) -> DVec3 {
    cell.wrap(&mut end);
    end
}

/// Whether all bits are equal.
fn is_same(a: DVec3, b: DVec3) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::cell::FacePolicy;
    use dem_core::particles::NewParticle;

    /// Places at the start of a step travel only if they do not follow from the message before; they are the same on both sides in any case.
    #[test]
    fn ghosts_are_where_their_owners_have_them() {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(4.0), [true, false, false], [[FacePolicy::Open; 2]; 3]);
        let mut own = Particles::default();
        for x in [0.5, 3.9, 2.0] {
            own.push(NewParticle::at_rest(DVec3::new(x, -0.0, 1.0), 0.5, 1.0));
        }
        let mut there = own.clone();
        let mut told = Shared::new(&own, vec![0, 1, 2]);
        let mut heard = told.clone();
        let mut pass = |own: &Particles| {
            let message = told.tell(own, &cell, &mut Vec::new());
            heard.hear(&mut there, &cell, &mut Vec::new(), &message);
            for slot in 0..3 {
                assert!(is_same(there.position[slot], own.position[slot]));
                assert!(is_same(there.previous_position[slot], own.previous_position[slot]));
                assert!(is_same(there.velocity[slot], own.velocity[slot]));
            }
            message.len()
        };
        let step = |own: &mut Particles| {
            for slot in 0..3 {
                cell.wrap(&mut own.position[slot]);
                own.previous_position[slot] = own.position[slot];
                own.position[slot].x += 0.3;
                own.velocity[slot].x += 1.0;
            }
        };
        let (short, long) = (8 + 3 * 96, 8 + 3 * 120);
        for _ in 0..20 {
            step(&mut own);
            assert_eq!(pass(&own), short, "a step behind the one before");
        }
        own.position[1].y += 0.1;
        assert_eq!(pass(&own), short, "the same step, corrected");
        step(&mut own);
        own.previous_position[2].z += 1e-9;
        assert_eq!(pass(&own), long, "a place that nobody could know");
        step(&mut own);
        assert_eq!(pass(&own), short);
    }
}
