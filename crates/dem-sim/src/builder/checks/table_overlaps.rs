//! Overlaps of the particles of a table, found in memory that the number of rows bounds: a table in the wrong unit has all its particles in
//! each other.

use dem_broadphase::{Automatic, Broadphase, TooManyPairs};
use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::{NewParticle, Particles};
use dem_core::{DQuat, DVec3};

/// Most pairs of spheres that do not overlap, or by a fifth of the radius at most, for each sphere. Those of any sizes that only touch have less
/// than seven and a half.
const PAIRS_OF_TOUCHING: usize = 16;
/// The same for overlaps up to a radius.
const PAIRS_OF_OVERLAPPING: usize = 64;
/// Overlap up to which the first of both counts.
const TOUCHING: f64 = 0.2;
/// Pairs that are allowed in addition.
const FEW: usize = 4096;
/// Particles whose overlaps with all others are checked where there are too many pairs to list.
const LOOKED_AT: usize = 64;

/// A sphere of a table, or a member of a body of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TableSphere {
    /// Centre \[m\].
    pub position: DVec3,
    /// Radius \[m\].
    pub radius: f64,
    /// Number of its row from 0; spheres of one row do not count against each other.
    pub row: usize,
}

/// An overlap beyond what is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Overlap {
    /// In proportion to the smaller radius.
    pub ratio: f64,
    /// Number of the first sphere, those of the table behind those that were there.
    pub first: usize,
    /// Number of the second one.
    pub second: usize,
    /// If there are more pairs than any sound table has, so many; the overlap is then that of one of them.
    pub among_many: Option<usize>,
}

/// The worst overlap beyond `limit` of the spheres of a table with each other and with those that are there already.
pub(crate) fn worst(there: &Particles, rows: &[TableSphere], cell: &Cell, limit: f64) -> Option<Overlap> {
    let first = there.len();
    let mut all = Particles::default();
    let own = (0..first).map(|slot| (there.position[slot], there.radius[slot]));
    for (position, radius) in own.chain(rows.iter().map(|row| (row.position, row.radius))) {
        all.push(NewParticle {
            position,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            radius,
            density: 1.0,
            material: 0,
            group: 1,
            frozen: 0,
        });
    }
    let mut worst: Option<Overlap> = None;
    let mut look = |i: usize, j: usize, among_many: Option<usize>| {
        let (a, b) = (i.min(j), i.max(j));
        if b < first || a >= first && rows[a - first].row == rows[b - first].row {
            return;
        }
        let distance = cell.nearest_image(all.position[b] - all.position[a]).length();
        let ratio = (all.radius[a] + all.radius[b] - distance) / all.radius[a].min(all.radius[b]);
        // the first of those that overlap alike, however they were found
        let worse = |w: Overlap| ratio > w.ratio || ratio == w.ratio && (a, b) < (w.first, w.second);
        if ratio > limit && worst.is_none_or(worse) {
            worst = Some(Overlap { ratio, first: a, second: b, among_many });
        }
    };
    let pairs = if limit <= TOUCHING { PAIRS_OF_TOUCHING } else { PAIRS_OF_OVERLAPPING };
    let within: usize = rows.chunk_by(|a, b| a.row == b.row).map(|body| body.len() * (body.len() - 1) / 2).sum();
    let most = pairs.saturating_mul(all.len()).saturating_add(FEW).saturating_add(within);
    let mut candidates = CandidateRows::default();
    match Automatic::default().candidates_within(&all, cell, 0.0, most, &mut candidates) {
        Ok(()) => {
            for (i, row) in candidates.row.windows(2).enumerate() {
                for &j in &candidates.partner[row[0] as usize..row[1] as usize] {
                    look(i, j as usize, None);
                }
            }
        }
        Err(TooManyPairs { most }) => {
            // spread over the table: only a part of it may be at fault
            let step = all.len().div_ceil(LOOKED_AT).max(1);
            for i in (0..all.len()).step_by(step) {
                (0..all.len()).filter(|&j| j != i).for_each(|j| look(i, j, Some(most)));
            }
        }
    }
    worst
}

/// The largest overlap of spheres, centre and radius \[m\] of each, in proportion to the smaller radius of two; zero if none overlap. `None` if more pairs
/// overlap than those of any sound packing do.
pub fn largest_overlap(spheres: &[(DVec3, f64)], cell: &Cell) -> Option<f64> {
    let sphere = |(row, &(position, radius)): (usize, &(DVec3, f64))| TableSphere { position, radius, row };
    let rows: Vec<TableSphere> = spheres.iter().enumerate().map(sphere).collect();
    let beyond = |limit| worst(&Particles::default(), &rows, cell, limit);
    let found = match beyond(0.0) {
        // more pairs than those that touch have: some may overlap by more than a fifth of a radius
        Some(Overlap { among_many: Some(_), .. }) => beyond(TOUCHING.next_up()),
        found => found,
    };
    match found {
        Some(Overlap { among_many: Some(_), .. }) => None,
        found => Some(found.map_or(0.0, |overlap| overlap.ratio)),
    }
}

#[cfg(test)]
mod tests {
    use dem_core::cell::FacePolicy;

    use super::*;

    fn table(count: usize, spacing: f64) -> Vec<TableSphere> {
        let row = |row: usize| TableSphere { position: DVec3::new(spacing * row as f64, 0.0, 0.0), radius: 0.5, row };
        (0..count).map(row).collect()
    }

    #[test]
    fn worst_overlap_is_named_and_that_of_a_heap_bounded() {
        let cell = Cell::orthogonal(DVec3::splat(-1e4), DVec3::splat(1e4), [false; 3], [[FacePolicy::Open; 2]; 3]);
        let find = |rows: &[TableSphere], limit| worst(&Particles::default(), rows, &cell, limit);
        assert_eq!(find(&table(5000, 1.0), 1e-6), None);
        let mut rows = table(5000, 1.0);
        rows[77].position.x -= 0.25;
        let found = find(&rows, 1e-6).unwrap();
        assert_eq!((found.first, found.second, found.ratio, found.among_many), (76, 77, 0.5, None));
        // 300 spheres on either side of each
        let found = find(&table(5000, 1.0 / 300.0), 1e-6).unwrap();
        assert!(found.among_many.is_some_and(|most| most < 100_000) && found.ratio > 1.0, "{found:?}");
        // so much is allowed on request
        assert_eq!(find(&table(5000, 1.0 / 30.0), 2.0), None);
    }

    #[test]
    fn largest_overlap_is_that_of_the_worst_pair() {
        let cell = Cell::orthogonal(DVec3::splat(-1e4), DVec3::splat(1e4), [false; 3], [[FacePolicy::Open; 2]; 3]);
        let spheres = |spacing: f64| -> Vec<(DVec3, f64)> {
            table(500, spacing).iter().map(|sphere| (sphere.position, sphere.radius)).collect()
        };
        assert_eq!(largest_overlap(&spheres(1.0), &cell), Some(0.0));
        assert_eq!(largest_overlap(&spheres(0.75), &cell), Some(0.5));
        assert_eq!(largest_overlap(&spheres(1.0 / 300.0), &cell), None);
    }

    #[test]
    fn those_that_were_there_do_not_count_among_themselves() {
        let cell = Cell::orthogonal(DVec3::splat(-1e4), DVec3::splat(1e4), [false; 3], [[FacePolicy::Open; 2]; 3]);
        let mut there = Particles::default();
        for x in [0.0, 0.1] {
            there.push(NewParticle {
                position: DVec3::new(x, 5.0, 0.0),
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius: 0.5,
                density: 1.0,
                material: 0,
                group: 1,
                frozen: 0,
            });
        }
        assert_eq!(worst(&there, &table(3, 1.0), &cell, 1e-6), None);
        let mut rows = table(3, 1.0);
        rows[2].position = DVec3::new(0.05, 5.5, 0.0);
        let found = worst(&there, &rows, &cell, 1e-6).unwrap();
        assert_eq!((found.first, found.second), (0, 4));
    }
}
