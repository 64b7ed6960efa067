//! Recursive bisection: space is cut across its longest extent, again and again, so that parts have equally many particles.
//!
//! Places are in units of the edges of the cell, so that cuts follow a cell that deforms. No result depends on where cuts are.

use dem_core::DVec3;
use dem_core::cell::Cell;

/// Places that cuts are chosen by, at most: a sample is good enough.
pub(crate) const SAMPLE: usize = 200_000;

/// A tree of cuts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cuts {
    /// All of it belongs to a part.
    Part(usize),
    /// Places below `at` along an axis belong to `below`.
    Across { axis: usize, at: f64, below: Box<Cuts>, above: Box<Cuts> },
}

impl Cuts {
    /// Cuts of a sample of places into parts; `widths` are those of the cell \[m\].
    pub fn of(places: &mut [DVec3], widths: DVec3, parts: usize) -> Self {
        Self::divide(places, widths, 0, parts)
    }

    fn divide(places: &mut [DVec3], widths: DVec3, first: usize, parts: usize) -> Self {
        if parts == 1 || places.is_empty() {
            return Self::Part(first);
        }
        let bounds = places.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
        let extent = (bounds.1 - bounds.0) * widths;
        let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
        let lower = parts / 2;
        let middle = (places.len() * lower / parts).min(places.len() - 1);
        let (.., at, _) = places.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
        let at = at[axis];
        let (low, high) = places.split_at_mut(middle);
        Self::Across {
            axis,
            at,
            below: Box::new(Self::divide(low, widths, first, lower)),
            above: Box::new(Self::divide(high, widths, first + lower, parts - lower)),
        }
    }

    /// The part that a place belongs to.
    pub fn part_of(&self, place: DVec3) -> usize {
        match self {
            Self::Part(part) => *part,
            Self::Across { axis, at, below, above } => {
                if place[*axis] < *at {
                    below.part_of(place)
                } else {
                    above.part_of(place)
                }
            }
        }
    }
}

/// A position in units of the edges of a cell, within it along those that are periodic.
pub(crate) fn place_in(cell: &Cell, position: DVec3) -> DVec3 {
    let mut place = cell.inverse() * (position - cell.origin);
    for k in 0..3 {
        if cell.periodic[k] {
            place[k] -= place[k].floor();
        }
    }
    place
}

/// Widths of a cell \[m\].
pub(crate) fn widths(cell: &Cell) -> DVec3 {
    DVec3::new(cell.width(0), cell.width(1), cell.width(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_equally_many_places() {
        let mut places: Vec<DVec3> = (0..5000u32)
            .map(|k| {
                let x = |prime: u32| f64::from(k.wrapping_mul(prime) % 5003) / 5003.0;
                DVec3::new(x(7919), x(104_729).powi(2), x(1_299_709))
            })
            .collect();
        for parts in [1, 2, 3, 5, 8, 13] {
            let cuts = Cuts::of(&mut places, DVec3::new(1.0, 2.0, 0.5), parts);
            let mut counts = vec![0; parts];
            places.iter().for_each(|&place| counts[cuts.part_of(place)] += 1);
            let even = 5000 / parts;
            assert!(counts.iter().all(|&count: &usize| count.abs_diff(even) <= 8), "{counts:?}");
        }
    }

    #[test]
    fn places_without_extent_and_no_places_are_cut_somehow() {
        let mut same = vec![DVec3::ONE; 9];
        assert!(Cuts::of(&mut same, DVec3::ONE, 4).part_of(DVec3::ONE) < 4);
        assert_eq!(Cuts::of(&mut [], DVec3::ONE, 4), Cuts::Part(0));
    }

    #[test]
    fn places_are_within_the_periods_of_a_cell() {
        let faces = [[dem_core::cell::FacePolicy::Open; 2]; 3];
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::new(2.0, 1.0, 4.0), [true, false, false], faces);
        assert_eq!(place_in(&cell, DVec3::new(-0.5, 1.5, 1.0)), DVec3::new(0.75, 1.5, 0.25));
    }
}
