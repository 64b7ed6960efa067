//! Vectors that are read with the number behind them, which the last of a column does not have: what vectors of eight lanes need for that.

use glam::DVec3;

use super::{Places, VectorColumn};

/// Length of the shortest of some columns.
#[inline(always)]
pub(super) fn shortest<const D: usize, const B: usize>(apart: &[VectorColumn; D], both: &[VectorColumn; B]) -> usize {
    let mut length = usize::MAX;
    for column in apart {
        length = length.min(column.len());
    }
    for column in both {
        length = length.min(column.len());
    }
    length
}

/// Places of what [`copies`] copies.
pub(super) const FIRST_COPIES: Places = [0, 1, 2, 3, 4, 5, 6, 7];
pub(super) const SECOND_COPIES: Places = [8, 9, 10, 11, 12, 13, 14, 15];

/// The vectors in first and in second places of eight lanes of some columns, and one more behind them.
#[cold]
#[inline(never)]
pub(super) fn copies<const N: usize>(columns: [VectorColumn; N], first: &Places, second: &Places) -> [[DVec3; 17]; N] {
    let mut copies = [[DVec3::ZERO; 17]; N];
    for (copy, column) in copies.iter_mut().zip(columns) {
        for (to, &place) in copy.iter_mut().zip(first.iter().chain(second)) {
            *to = column.get(place as usize);
        }
    }
    copies
}

/// The last of the places of eight lanes.
#[cold]
pub(super) fn farthest(place: &Places) -> usize {
    place.iter().fold(0, |last, &place| last.max(place as usize))
}
