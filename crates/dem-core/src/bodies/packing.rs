//! Bodies on their way to another process, with their arms and mobilities: these are taken from where bodies were last placed, not made anew.

use super::body::{Body, NO_BODY};
use super::table::Bodies;
use crate::rows::append_rows;

impl Bodies {
    /// Adds bodies to bytes, those that have members in some slots, all of each, in that order; `body` names the body of every slot.
    pub(crate) fn pack(&self, slots: &[u32], body: &[u32], bytes: &mut Vec<u8>) {
        let members = slots.iter().filter(|&&slot| body[slot as usize] != NO_BODY);
        let members: Vec<(u32, usize)> = members.map(|&slot| (slot, self.member_in(slot as usize))).collect();
        let bodies = members.iter().map(|&(slot, member)| (slot, self.at(self.body_of[member] as usize)));
        let bodies: Vec<&Body> = bodies.filter(|(slot, body)| body.first == *slot).map(|(_, body)| body).collect();
        debug_assert_eq!(bodies.iter().map(|body| body.count as usize).sum::<usize>(), members.len());
        bytes.extend((bodies.len() as u64).to_le_bytes());
        bodies.iter().for_each(|&body| bytes.extend_from_slice(bytemuck::bytes_of(body)));
        members.iter().for_each(|&(_, at)| bytes.extend_from_slice(bytemuck::bytes_of(&self.arm[at])));
        members.iter().for_each(|&(_, at)| bytes.extend_from_slice(bytemuck::bytes_of(&self.mobility[at])));
    }

    /// Takes [packed](Self::pack) bodies off bytes. Their members stand in the slots from `present` on; `body` names the body of every slot.
    pub(crate) fn append_packed(&mut self, body: &[u32], present: usize, bytes: &mut &[u8]) -> Option<()> {
        let (count, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let mut bodies: Vec<Body> = Vec::new();
        append_rows(&mut bodies, count, bytes)?;
        let members = body[present..].iter().filter(|&&id| id != NO_BODY).count();
        append_rows(&mut self.arm, members, bytes)?;
        append_rows(&mut self.mobility, members, bytes)?;
        let mut slot = present;
        for of_members in bodies {
            slot += body[slot..].iter().take_while(|&&id| id == NO_BODY).count();
            let count = body[slot..].iter().take_while(|&&id| id == of_members.id).count();
            let is_known =
                of_members.id < self.next_id && (of_members.template as usize) < self.templates.len() && count > 0;
            if !is_known || count != of_members.count as usize {
                return None;
            }
            self.body_of.extend(std::iter::repeat_n(self.all.len() as u32, count));
            self.all.push(Body { first: slot as u32, ..of_members });
            slot += count;
        }
        self.disturb();
        body[slot..].iter().all(|&id| id == NO_BODY).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{DQuat, DVec3};

    use crate::bodies::body::NO_BODY;
    use crate::bodies::new_body::NewBody;
    use crate::bodies::template::{Member, Template};
    use crate::cell::{Cell, FacePolicy};
    use crate::particles::{NewParticle, Particles};

    /// Spheres and bodies of two members, as the letters say, in a part of an assembly whose other ids are taken.
    fn part(what: &str, next_id: u64) -> Particles {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(100.0), [false; 3], [[FacePolicy::Open; 2]; 3]);
        let member = |x: f64| Member { position: DVec3::X * x, radius: 1.0, material: 0, share: 0.5 };
        let template = Template {
            name: "dimer".to_owned(),
            members: vec![member(-0.5), member(0.5)],
            volume: 5.0,
            moments: DVec3::new(2.0, 3.0, 3.0),
            principal: DQuat::IDENTITY,
            centre: DVec3::ZERO,
            bounding_radius: 1.5,
        };
        let mut particles = Particles::default();
        particles.next_id = next_id;
        particles.bodies.templates = Arc::new(vec![template]);
        particles.bodies.next_id = next_id as u32;
        for (k, letter) in what.chars().enumerate() {
            let position = DVec3::splat(3.0 * k as f64);
            if letter == 's' {
                particles.push(NewParticle::at_rest(position, 1.0, 1.0));
                continue;
            }
            particles.push_body(NewBody {
                template: 0,
                scale: 1.0 + 0.1 * k as f64,
                position,
                orientation: DQuat::from_rotation_z(k as f64),
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                density: 1.0,
                material: None,
                group: 1,
                frozen: 0,
            });
            particles.place_members(particles.bodies.len() - 1, &cell);
        }
        particles
    }

    /// The part that those of another one become ghosts of.
    fn with_ghosts(mut own: Particles, others: &Particles) -> Particles {
        let owned = own.len();
        own.bodies.next_id = own.bodies.next_id.max(others.bodies.next_id);
        let slots: Vec<u32> = (0..others.len() as u32).collect();
        assert_eq!(own.append_packed(&others.pack(&slots)), Ok(slots.len()));
        own.set_owned(owned);
        own.put_in_order();
        own
    }

    #[test]
    fn bodies_of_others_stand_behind_those_that_are_moved_here() {
        let others = part("bsb", 100);
        assert!(others.bodies.are_out_of_order());
        for (what, own_slots) in [("bs", vec![2, 0, 1]), ("ss", vec![0, 1]), ("", vec![])] {
            let particles = with_ghosts(part(what, 0), &others);
            let (owned, bodies) = (own_slots.len(), &particles.bodies);
            assert_eq!(particles.id, [&own_slots[..], &[100, 101, 103, 104, 102]].concat(), "{what}");
            assert_eq!((particles.owned(), particles.ghosts()), (owned, 5));
            assert_eq!((bodies.len(), bodies.ghosts.len()), (usize::from(what == "bs"), 2));
            assert_eq!(particles.independent(), owned - bodies.members());
            assert!(!bodies.are_out_of_order());
            // as contacts find them: by the slot of the first member of all
            let first = particles.independent();
            assert_eq!(bodies.first_member(), first);
            for slot in owned..owned + 4 {
                let (member, from) = (slot - first, [0, 1, 3, 4][slot - owned]);
                assert_eq!(bodies.of_slot(slot, first).id, particles.body[slot]);
                assert_eq!(particles.body_of(slot).map(|body| body.id), Some(particles.body[slot]));
                let of_owner = others.bodies.member_in(from);
                assert_eq!(bodies.arm[member], others.bodies.arm[of_owner]);
                assert_eq!(bodies.mobility[member], others.bodies.mobility[of_owner]);
                assert_ne!(bodies.arm[member], DVec3::ZERO);
            }
            assert!(bodies.arm.len() == bodies.body_of.len() && bodies.mobility.len() == bodies.body_of.len());
            assert!(particles.body_of(owned + 4).is_none() && particles.body[owned + 4] == NO_BODY);
        }
    }

    #[test]
    fn bodies_of_ghosts_follow_their_members_and_go_with_them() {
        let others = part("bsb", 100);
        let mut particles = with_ghosts(part("bsb", 0), &others);
        assert_eq!(particles.id, [2, 0, 1, 3, 4, 100, 101, 103, 104, 102]);
        let before = particles.clone();
        // a removal: a body of one's own and one of ghosts
        particles.rearrange(&[0, 3, 4, 7, 8, 9]);
        assert_eq!((particles.owned(), particles.independent()), (3, 1));
        let bodies = &particles.bodies;
        assert_eq!([bodies.all[0].id, bodies.ghosts[0].id], [1, 101]);
        assert_eq!([bodies.all[0].first, bodies.ghosts[0].first], [1, 3]);
        assert_eq!(bodies.arm, [&before.bodies.arm[2..4], &before.bodies.arm[6..8]].concat());
        particles.rearrange(&[0, 1, 2]);
        assert!(particles.bodies.ghosts.is_empty() && particles.ghosts() == 0);
        assert_eq!((particles.bodies.members(), particles.bodies.body_of.len()), (2, 2));
        // spheres between bodies: whatever the order, the one that is needed comes out
        let order: Vec<u32> = vec![9, 7, 8, 5, 6, 3, 4, 0, 1, 2];
        assert_eq!(before.order_of_bodies(&order), [0, 3, 4, 1, 2, 7, 8, 5, 6, 9]);
    }

    #[test]
    fn what_is_no_message_of_bodies_is_refused() {
        let others = part("bsb", 100);
        let bytes = others.pack(&[0, 1, 2]);
        let mut own = part("s", 0);
        assert!(own.clone().append_packed(&bytes).is_err(), "its id has not been given yet");
        own.bodies.next_id = 200;
        assert_eq!(own.clone().append_packed(&bytes), Ok(3));
        for length in 0..bytes.len() {
            assert!(own.clone().append_packed(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
        own.bodies.templates = Arc::new(Vec::new());
        assert!(own.append_packed(&bytes).is_err(), "there is no such template");
    }
}
