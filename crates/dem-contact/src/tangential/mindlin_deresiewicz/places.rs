//! Places in the record.

pub(super) const FORCE: usize = 3;
pub(super) const ENERGY: usize = 4;
pub(super) const EDGE: usize = 5;
pub(super) const BRANCHES: usize = 6;
pub(super) const DROPPED: usize = 7;
pub(super) const ACROSS: usize = 8;
pub(super) const IN_PLANE: usize = 11;
pub(super) const CIRCLES: usize = 12;
