//! What a pass over contacts writes, chunk by chunk.

use dem_core::DVec3;
use dem_core::contact_list::CHUNK;
use dem_core::lanes::TurnColumn;

use crate::force_loop::neighbours::near_list::NearChunk;
use crate::force_loop::reduction::incidence::Incidence;
use crate::force_loop::reduction::sums::ForceColumns;
use crate::force_loop::reduction::wrench::{NOT_TOUCHING, Wrench};
use crate::force_loop::sweep::turn::Turn;
use crate::law::Mode;

/// What a pass over contacts writes, each chunk when it is scheduled.
pub(crate) struct Written<'a> {
    pub wrench: TurnColumn<'a, Wrench>,
    pub mode: TurnColumn<'a, u8>,
    /// Empty if no law exerts couples.
    pub couple: TurnColumn<'a>,
    /// The first belongs to the candidate `first_wall`.
    pub wall_torque: TurnColumn<'a>,
    pub first_wall: usize,
    /// Whether wrenches in frames are also stored permanently.
    pub are_kept: bool,
}

impl Written<'_> {
    /// What the chunk of a turn writes.
    ///
    /// # Safety
    /// It is the chunk's turn: no other thread has what it writes, and the sums of what was in its frame before have
    /// been taken.
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    pub unsafe fn take(&self, turn: &Turn) -> Option<ForceChunk<'_>> {
        let start = turn.candidates.start;
        // SAFETY: the caller's promise
        unsafe {
            Some(ForceChunk {
                wrench: self.wrench.part(turn.place..turn.place + CHUNK).first_chunk_mut()?,
                mode: self.mode.part(start..start + CHUNK).first_chunk_mut()?,
                couple: chunk_of(&self.couple, turn.place),
                wall_torque: start.checked_sub(self.first_wall).and_then(|at| chunk_of(&self.wall_torque, at)),
            })
        }
    }

    /// Copies the first wrenches of a chunk, so many, from its frame to where they stay, if they do.
    ///
    /// # Safety
    /// As [`Self::take`].
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    pub unsafe fn keep(&self, turn: &Turn, near: usize) {
        let start = turn.candidates.start;
        if !self.are_kept || turn.place == start {
            return;
        }
        // SAFETY: the caller's promise
        unsafe {
            self.wrench.part(start..start + near).copy_from_slice(self.wrench.part(turn.place..turn.place + near));
            if !self.couple.is_empty() {
                self.couple.part(start..start + near).copy_from_slice(self.couple.part(turn.place..turn.place + near));
            }
        }
    }

    /// What the sums of groups are taken from.
    pub fn columns<'b>(&'b self, incidence: &'b Incidence, asks_ahead: bool) -> ForceColumns<'b> {
        ForceColumns { incidence, wrench: self.wrench.lines(), couple: self.couple.reader(), load: &[], asks_ahead }
    }
}

/// The vectors of a chunk from a position on, if the column has any.
///
/// # Safety
/// As [`TurnColumn::part`].
#[expect(unsafe_code, clippy::mut_from_ref, reason = "the chunk's turn has come")]
unsafe fn chunk_of<'b>(column: &'b TurnColumn<'_>, start: usize) -> Option<&'b mut [DVec3; CHUNK]> {
    if column.is_empty() {
        return None;
    }
    // SAFETY: the caller's promise
    unsafe { column.part(start..start + CHUNK) }.first_chunk_mut()
}

/// What one chunk of candidates writes.
pub(crate) struct ForceChunk<'a> {
    pub wrench: &'a mut [Wrench; CHUNK],
    pub mode: &'a mut [u8; CHUNK],
    /// None if no law exerts couples.
    pub couple: Option<&'a mut [DVec3; CHUNK]>,
    /// None for pairs of particles.
    pub wall_torque: Option<&'a mut [DVec3; CHUNK]>,
}

impl ForceChunk<'_> {
    pub fn put(&mut self, at: usize, force: TouchingForce) {
        self.wrench[at] = force.wrench;
        self.mode[at] = force.mode as u8;
        if let Some(couple) = &mut self.couple {
            couple[at] = force.couple;
        }
        if let Some(torque) = &mut self.wall_torque {
            torque[at] = force.wall_torque;
        }
    }
}

impl ForceChunk<'_> {
    /// None of the first `count` entries touches, whatever their wrenches are.
    pub fn clear_modes(&mut self, count: usize) {
        self.mode[..count].fill(NOT_TOUCHING);
    }

    /// No forces in the first `count` entries.
    pub fn clear_wrenches(&mut self, count: usize) {
        self.wrench[..count].fill(Wrench::ZERO);
        if let Some(couple) = &mut self.couple {
            couple[..count].fill(DVec3::ZERO);
        }
    }

    /// No entry at a near candidate's number touches.
    pub fn forget(&mut self, near: &NearChunk) {
        for &number in &near.candidate[..*near.count as usize] {
            let at = number as usize % CHUNK;
            self.mode[at] = NOT_TOUCHING;
            self.wrench[at] = Wrench::ZERO;
            if let Some(couple) = &mut self.couple {
                couple[at] = DVec3::ZERO;
            }
        }
    }
}

/// Everything about one touching candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchingForce {
    pub wrench: Wrench,
    pub mode: Mode,
    pub couple: DVec3,
    pub wall_torque: DVec3,
}
