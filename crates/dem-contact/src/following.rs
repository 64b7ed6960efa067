//! What a pass over pairs whose sums trail it writes beside histories: wrenches in frames, and sums, or what an integrator makes of them.

use std::ops::Range;

use dem_core::DVec3;
use dem_core::contact_list::CHUNK;
use dem_core::lanes::{Stretch, Width};

use crate::contact_forces::ForceChunk;
use crate::finish::Finishing;
use crate::incidence::{GROUP, Incidence};
use crate::sums::{ForceColumns, GroupSums, SumGroups};
use crate::trail::{Part, Trail};
use crate::wrench::Wrench;

/// Stretches of memory that sums of groups need: terms and sums, or terms and what integrators change.
pub(crate) const STRETCHES_OF_SUMS: usize = 5;

/// Some parts of a pass.
pub(crate) struct Following<'a> {
    pub trail: &'a Trail,
    pub incidence: &'a Incidence,
    pub parts: &'a [Part],
    /// Wrenches of contacts with walls, from the candidate `first_wall` on.
    pub walls: &'a [Wrench],
    /// Couples of these; empty if no law exerts any, like the other couples.
    pub wall_couples: &'a [DVec3],
    pub first_wall: usize,
    /// Modes of the chunks of the parts.
    pub mode: &'a mut [[u8; CHUNK]],
    /// Where wrenches stay; empty if they do not.
    pub kept: &'a mut [[Wrench; CHUNK]],
    pub kept_couples: &'a mut [[DVec3; CHUNK]],
    /// Places of the parts.
    pub wrench: &'a mut [Wrench],
    pub couple: &'a mut [DVec3],
    /// Sums of the groups of the parts; empty if an integrator takes them.
    pub load: &'a mut [GroupSums],
    /// The integrator that takes them.
    pub finishing: Option<&'a Finishing<'a>>,
}

impl<'a> Following<'a> {
    /// Halves with some of the parts each, and how many chunks the first has.
    pub fn halves(self) -> (Self, Self, usize) {
        let (parts, more_parts) = self.parts.split_at(self.parts.len() / 2);
        let (chunks, places, groups) = match (parts.first(), parts.last()) {
            (Some(first), Some(last)) => (
                last.chunks.end - first.chunks.start,
                last.places.end - first.places.start,
                last.groups.end - first.groups.start,
            ),
            _ => (0, 0, 0),
        };
        let (mode, more_modes) = self.mode.split_at_mut(chunks);
        let (kept, more_kept) = self.kept.split_at_mut(chunks.min(self.kept.len()));
        let (kept_couples, more_kept_couples) = self.kept_couples.split_at_mut(chunks.min(self.kept_couples.len()));
        let (wrench, more_wrenches) = self.wrench.split_at_mut(places);
        let (couple, more_couples) = self.couple.split_at_mut(places.min(self.couple.len()));
        let (load, more_loads) = self.load.split_at_mut(groups.min(self.load.len()));
        let Self { trail, incidence, walls, wall_couples, first_wall, finishing, .. } = self;
        let more = Self {
            trail,
            incidence,
            parts: more_parts,
            walls,
            wall_couples,
            first_wall,
            mode: more_modes,
            kept: more_kept,
            kept_couples: more_kept_couples,
            wrench: more_wrenches,
            couple: more_couples,
            load: more_loads,
            finishing,
        };
        (Self { parts, mode, kept, kept_couples, wrench, couple, load, ..self }, more, chunks)
    }

    /// One part at work.
    pub fn part(self) -> Option<PartAtWork<'a>> {
        let part = self.parts.first()?;
        for &(candidate, place) in &part.guests {
            let at = candidate as usize - self.first_wall;
            self.wrench[place as usize] = self.walls[at];
            if let Some(couple) = self.couple.get_mut(place as usize) {
                *couple = self.wall_couples[at];
            }
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

impl<'a> PartAtWork<'a> {
    /// The plan it goes by.
    pub fn trail(&self) -> &'a Trail {
        self.following.trail
    }

    /// What a chunk writes, which counts from the first of the part; and what the groups need that are complete then: their terms, and
    /// their sums or what they become.
    pub fn chunk(&mut self, chunk: usize) -> Option<(ForceChunk<'_>, [Stretch<'_>; STRETCHES_OF_SUMS])> {
        let groups = self.complete(chunk);
        let Following { trail, incidence, mode, wrench, couple, load, finishing, .. } = &mut self.following;
        let frame = trail.frame[self.part.chunks.start + chunk] as usize;
        let slots = groups.start * GROUP..(groups.end * GROUP).min(incidence.slots());
        let mut needed = [Stretch::default(); STRETCHES_OF_SUMS];
        if !slots.is_empty() {
            needed[0] = incidence.of_groups(groups.clone()).into();
            match finishing {
                Some(finishing) => needed[1..].copy_from_slice(&finishing.needed(slots)),
                None => needed[1] = load[self.summed..self.summed + groups.len()].into(),
            }
        }
        let forces = ForceChunk {
            wrench: wrench.get_mut(frame..)?.first_chunk_mut()?,
            mode: &mut mode[chunk],
            couple: couple.get_mut(frame..).and_then(|couples| couples.first_chunk_mut()),
            wall_torque: None,
        };
        Some((forces, needed))
    }

    /// Groups that are complete when a chunk is computed and have not been summed.
    fn complete(&self, chunk: usize) -> Range<usize> {
        let (ready, next) = (&self.following.trail.ready, self.part.groups.start + self.summed);
        let chunk = (self.part.chunks.start + chunk) as u32;
        let complete = ready[next..self.part.groups.end].iter().take_while(|&&ready| ready <= chunk).count();
        next..next + complete
    }

    /// Takes the sums of the groups that are complete now that a chunk with some near candidates is computed.
    pub fn close(&mut self, chunk: usize, near: usize, width: Width) {
        let complete = self.complete(chunk);
        let Following { trail, incidence, kept, kept_couples, wrench, couple, load, finishing, .. } =
            &mut self.following;
        let frame = trail.frame[self.part.chunks.start + chunk] as usize;
        if let Some(kept) = kept.get_mut(chunk) {
            kept[..near].copy_from_slice(&wrench[frame..frame + near]);
        }
        if let Some(kept) = kept_couples.get_mut(chunk) {
            kept[..near].copy_from_slice(&couple[frame..frame + near]);
        }
        let columns = ForceColumns { incidence, wrench, couple, load: &[], asks_ahead: trail.asks_ahead() };
        if let Some(finishing) = finishing {
            let mut first = complete.start;
            while first < complete.end {
                let end = (first..complete.end).find(|&group| trail.late[group]).unwrap_or(complete.end);
                #[expect(unsafe_code, reason = "the groups' turn has come")]
                // SAFETY: contacts of a group that is not late, and of the particle before its first, are in this part alone, in which they
                // are computed; a group is finished once, by its own part
                unsafe {
                    finishing.finish(first..end, columns);
                }
                first = end + 1;
            }
        } else if !complete.is_empty() {
            let load = &mut load[self.summed..self.summed + complete.len()];
            width.run(SumGroups { columns, first: complete.start, load, late: &trail.late[complete.start..] });
        }
        self.summed += complete.len();
    }
}
