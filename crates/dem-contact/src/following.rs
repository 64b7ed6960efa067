//! What a pass over pairs whose sums trail it writes beside histories: wrenches in frames, and sums, or what an integrator makes of them.

use std::ops::Range;

use dem_core::DVec3;
use dem_core::contact_list::CHUNK;
use dem_core::lanes::{Stretch, TurnColumn, Width};

use crate::contact_forces::ForceChunk;
use crate::finish::Finishing;
use crate::incidence::{GROUP, Incidence};
use crate::sums::{ForceColumns, GroupSums, SumGroups};
use crate::trail::{Part, Trail};
use crate::wrench::Wrench;

/// Stretches of memory that sums of groups need: terms and sums, or terms and what integrators change.
pub(crate) const STRETCHES_OF_SUMS: usize = 5;

/// What chunks leave behind, by their numbers in the list: each is taken once, in its turn.
pub(crate) struct Kept<'a> {
    /// Modes.
    pub mode: TurnColumn<'a, [u8; CHUNK]>,
    /// Where wrenches stay, if they do.
    pub wrench: Option<TurnColumn<'a, [Wrench; CHUNK]>>,
    /// Where couples stay, if they do and there are any.
    pub couple: Option<TurnColumn<'a, [DVec3; CHUNK]>>,
}

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
    /// Places of the parts.
    pub wrench: &'a mut [Wrench],
    pub couple: &'a mut [DVec3],
    /// Sums of the groups of the parts; empty if an integrator takes them.
    pub load: &'a mut [GroupSums],
    /// The integrator that takes them.
    pub finishing: Option<&'a Finishing<'a>>,
}

impl<'a> Following<'a> {
    /// Halves with some of the parts each.
    pub fn halves(self) -> (Self, Self) {
        let (parts, more_parts) = self.parts.split_at(self.parts.len() / 2);
        let (places, groups) = match (parts.first(), parts.last()) {
            (Some(first), Some(last)) => (last.places.end - first.places.start, last.groups.end - first.groups.start),
            _ => (0, 0),
        };
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
            wrench: more_wrenches,
            couple: more_couples,
            load: more_loads,
            finishing,
        };
        (Self { parts, wrench, couple, load, ..self }, more)
    }

    /// One part at work.
    pub fn part(self, kept: &'a Kept<'a>) -> Option<PartAtWork<'a>> {
        let part = self.parts.first()?;
        for &(candidate, place) in &part.guests {
            let at = candidate as usize - self.first_wall;
            self.wrench[place as usize] = self.walls[at];
            if let Some(couple) = self.couple.get_mut(place as usize) {
                *couple = self.wall_couples[at];
            }
        }
        Some(PartAtWork { part, summed: 0, kept, following: self })
    }
}

/// One part, turn by turn.
pub(crate) struct PartAtWork<'a> {
    pub part: &'a Part,
    /// Groups whose time has come.
    summed: usize,
    kept: &'a Kept<'a>,
    following: Following<'a>,
}

impl<'a> PartAtWork<'a> {
    /// What a turn writes, and what the groups need that are complete then: their terms, and their sums or what they become.
    pub fn begin(&mut self, turn: usize) -> Option<(ForceChunk<'_>, [Stretch<'_>; STRETCHES_OF_SUMS])> {
        let groups = self.complete(turn);
        let Following { trail, incidence, wrench, couple, load, finishing, .. } = &mut self.following;
        let frame = trail.frame[turn] as usize;
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
            mode: one_of(&self.kept.mode, trail.turns[turn].chunk())?,
            couple: couple.get_mut(frame..).and_then(|couples| couples.first_chunk_mut()),
            wall_torque: None,
        };
        Some((forces, needed))
    }

    /// Groups that are complete after a turn and have not been summed.
    fn complete(&self, turn: usize) -> Range<usize> {
        let (ready, next) = (&self.following.trail.ready, self.part.groups.start + self.summed);
        let complete = ready[next..self.part.groups.end].iter().take_while(|&&ready| ready as usize <= turn).count();
        next..next + complete
    }

    /// Takes the sums of the groups that are complete now that a chunk with some near candidates has had its turn.
    pub fn close(&mut self, turn: usize, near: usize, width: Width) {
        let complete = self.complete(turn);
        let Following { trail, incidence, wrench, couple, load, finishing, .. } = &mut self.following;
        let (frame, chunk) = (trail.frame[turn] as usize, trail.turns[turn].chunk());
        if let Some(kept) = self.kept.wrench.as_ref().and_then(|kept| one_of(kept, chunk)) {
            kept[..near].copy_from_slice(&wrench[frame..frame + near]);
        }
        if let Some(kept) = self.kept.couple.as_ref().and_then(|kept| one_of(kept, chunk)) {
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

/// What belongs to one chunk of a column.
#[expect(clippy::mut_from_ref, reason = "the chunk's turn has come")]
fn one_of<'a, T>(column: &'a TurnColumn<T>, chunk: usize) -> Option<&'a mut T> {
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    // SAFETY: a chunk has one turn, which one part has, and only its thread asks for what belongs to it, each for a moment; nobody reads
    // these columns in other ways while parts are at work
    unsafe {
        column.part(chunk..chunk + 1).first_mut()
    }
}
