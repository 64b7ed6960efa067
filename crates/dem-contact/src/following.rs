//! What a pass over pairs whose sums trail it writes beside histories: wrenches in frames, and sums.

use dem_core::contact_list::CHUNK;
use dem_core::lanes::Width;

use crate::contact_forces::ForceChunk;
use crate::incidence::Incidence;
use crate::sums::{ForceColumns, GroupSums, SumGroups};
use crate::trail::{Part, Trail};
use crate::wrench::Wrench;

/// Some parts of a pass.
pub(crate) struct Following<'a> {
    pub trail: &'a Trail,
    pub incidence: &'a Incidence,
    pub parts: &'a [Part],
    /// Wrenches of contacts with walls, from the candidate `first_wall` on.
    pub walls: &'a [Wrench],
    pub first_wall: usize,
    /// Modes of the chunks of the parts.
    pub mode: &'a mut [[u8; CHUNK]],
    /// Where wrenches stay; empty if they do not.
    pub kept: &'a mut [[Wrench; CHUNK]],
    /// Places of the parts.
    pub wrench: &'a mut [Wrench],
    /// Sums of the groups of the parts.
    pub load: &'a mut [GroupSums],
}

impl<'a> Following<'a> {
    /// Halves with some of the parts each, if there are several, and how many chunks the first has.
    pub fn halves(self) -> Result<(Self, Self, usize), Self> {
        let (parts, more_parts) = self.parts.split_at(self.parts.len() / 2);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Err(self) };
        let chunks = last.chunks.end - first.chunks.start;
        let (mode, more_modes) = self.mode.split_at_mut(chunks);
        let (kept, more_kept) = self.kept.split_at_mut(chunks.min(self.kept.len()));
        let (wrench, more_wrenches) = self.wrench.split_at_mut(last.places.end - first.places.start);
        let (load, more_loads) = self.load.split_at_mut(last.groups.end - first.groups.start);
        let Self { trail, incidence, walls, first_wall, .. } = self;
        let half = Self { trail, incidence, parts, walls, first_wall, mode, kept, wrench, load };
        let more = Self {
            trail,
            incidence,
            parts: more_parts,
            walls,
            first_wall,
            mode: more_modes,
            kept: more_kept,
            wrench: more_wrenches,
            load: more_loads,
        };
        Ok((half, more, chunks))
    }

    /// One part at work.
    pub fn part(self) -> Option<PartAtWork<'a>> {
        let part = self.parts.first()?;
        for &(candidate, place) in &part.guests {
            self.wrench[place as usize] = self.walls[candidate as usize - self.first_wall];
        }
        Some(PartAtWork { part, summed: 0, following: self })
    }
}

/// One part, chunk by chunk.
pub(crate) struct PartAtWork<'a> {
    pub part: &'a Part,
    /// Groups whose time has come.
    summed: usize,
    following: Following<'a>,
}

impl PartAtWork<'_> {
    /// What a chunk writes; it counts from the first of the part.
    pub fn chunk(&mut self, chunk: usize) -> Option<ForceChunk<'_>> {
        let frame = self.following.trail.frame[self.part.chunks.start + chunk] as usize;
        Some(ForceChunk {
            wrench: self.following.wrench.get_mut(frame..)?.first_chunk_mut()?,
            mode: &mut self.following.mode[chunk],
            couple: None,
            wall_torque: None,
        })
    }

    /// Takes the sums of the groups that are complete now that a chunk with some near candidates is computed.
    pub fn close(&mut self, chunk: usize, near: usize, width: Width) {
        let Following { trail, incidence, kept, wrench, load, .. } = &mut self.following;
        if let Some(kept) = kept.get_mut(chunk) {
            let frame = trail.frame[self.part.chunks.start + chunk] as usize;
            kept[..near].copy_from_slice(&wrench[frame..frame + near]);
        }
        let groups = &self.part.groups;
        let next = groups.start + self.summed;
        let chunk = (self.part.chunks.start + chunk) as u32;
        let complete = trail.ready[next..groups.end].iter().take_while(|&&ready| ready <= chunk).count();
        if complete > 0 {
            width.run(SumGroups {
                columns: ForceColumns { incidence, wrench, couple: &[], load: &[] },
                first: next,
                load: &mut load[self.summed..self.summed + complete],
                late: &trail.late[next..],
            });
            self.summed += complete;
        }
    }
}
