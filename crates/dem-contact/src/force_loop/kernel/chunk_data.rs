//! What the loop over a chunk reads and writes.

use dem_core::contact_list::CHUNK;
use dem_core::history::{ContactWork, FieldSpec};

use crate::force_loop::kinematics::geometry::StepContext;
use crate::force_loop::neighbours::near_list::NearChunk;
use crate::force_loop::reduction::written::ForceChunk;
use crate::force_loop::sweep::prefetch::Prefetch;
use crate::law::Needs;

/// What is common to the chunks of a segment.
pub(crate) struct SegmentInput<'a> {
    /// The two materials.
    pub materials: (u16, u16),
    pub fields: &'a [FieldSpec],
    /// Distance between surfaces beyond which the law does nothing, whatever the bodies \[m\].
    pub range: f64,
    /// Whether contacts begin only where the surfaces touch.
    pub begins_by_touch: bool,
    /// Whether contacts with a gap count as touching.
    pub touches_apart: bool,
    pub stride: usize,
    /// What the law needs: queried once, not in the loop over contacts.
    pub needs: Needs,
    /// Whether wrenches go to frames that are reused.
    pub in_frames: bool,
    /// Whether which features of a wall may be touched changes while a sphere moves past them.
    pub hands_on: bool,
    pub context: &'a StepContext<'a>,
}

/// What one chunk reads.
pub(crate) struct ChunkInput<'a> {
    /// Number of candidates.
    pub candidates: usize,
    /// Slots of the first particles; entries beyond the candidates are arbitrary.
    pub first: &'a [u32; CHUNK],
    /// Slots of the second particles or numbers of the walls.
    pub second: &'a [u32; CHUNK],
    /// Features of walls; empty for pairs.
    pub feature: &'a [u32],
    /// Candidates that touched at the start of the step, ascending, and a last number that no candidate has.
    pub touching: &'a [u16],
    /// Their records by columns, and how many a column has room for.
    pub records: (&'a [f64], usize),
    /// What to prefetch meanwhile.
    pub ahead: Prefetch<'a>,
}

/// Number of a contact in its chunk and the work that it leaves behind.
pub(crate) type Ended = (u16, ContactWork);

/// What one chunk writes.
pub(crate) struct ChunkOutput<'a> {
    pub near: NearChunk<'a>,
    pub forces: ForceChunk<'a>,
    pub separated: &'a mut Vec<Ended>,
    /// Largest overlap in proportion to the smaller radius.
    pub largest: &'a mut f64,
}
