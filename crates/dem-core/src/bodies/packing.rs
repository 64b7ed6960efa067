//! Bodies on their way to another process, with their arms and mobilities: these are taken from where bodies were last placed, not made anew.

use super::body::{Body, NO_BODY};
use super::table::Bodies;
use crate::rows::append_rows;

impl Bodies {
    /// Adds bodies to bytes, those that have members in some slots, all of each, in that order; `body` names the body of every slot.
    pub(crate) fn pack(&self, slots: &[u32], body: &[u32], bytes: &mut Vec<u8>) {
        let members: Vec<u32> = slots.iter().copied().filter(|&slot| body[slot as usize] != NO_BODY).collect();
        let members: Vec<(u32, usize)> =
            members.into_iter().map(|slot| (slot, self.member_in(slot as usize))).collect();
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
