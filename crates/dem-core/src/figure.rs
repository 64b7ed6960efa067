//! Numbers in messages: short whatever their size, and on the side of a limit that they are on.

use std::cmp::Ordering;
use std::fmt;

use glam::DVec3;

/// From this size on a number is written as a power of ten.
const LARGE: f64 = 1e9;
/// Most decimals that are tried to tell a number from a limit: those of double precision.
const MOST_DECIMALS: usize = 17;

/// A number with some decimals, or in powers of ten where it is too large or too small for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    value: f64,
    decimals: usize,
}

impl Figure {
    /// A number with so many decimals.
    #[must_use]
    pub const fn new(value: f64, decimals: usize) -> Self {
        Self { value, decimals }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, decimals } = *self;
        let size = value.abs();
        // what has no digit left is no zero
        let vanishes = size > 0.0 && decimals < MOST_DECIMALS && size < 0.5 * 0.1f64.powi(decimals as i32);
        if size.is_finite() && (size >= LARGE || vanishes) {
            write!(f, "{value:.decimals$e}")
        } else {
            write!(f, "{value:.decimals$}")
        }
    }
}

/// A number in the shortest form that reads back as the same, in powers of ten where digits would be many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortest(pub f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

/// The same for a point or vector: `[0.1, 0, 1e100]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortestVector(pub DVec3);

impl fmt::Display for ShortestVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.to_array().map(Shortest);
        write!(f, "[{x}, {y}, {z}]")
    }
}

/// A number with at least so many decimals, and with more until what is written is below, at or above a limit as the number is.
#[must_use]
pub fn beside_limit(value: f64, limit: f64, decimals: usize) -> String {
    let side = value.partial_cmp(&limit);
    let tells = |text: &String| side.is_none() || text.parse().is_ok_and(|read: f64| read.partial_cmp(&limit) == side);
    let rounded = (decimals..=MOST_DECIMALS).map(|decimals| Figure::new(value, decimals).to_string());
    rounded.filter(|_| side != Some(Ordering::Equal)).find(tells).unwrap_or_else(|| Shortest(value).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_none_vanishes() {
        let shown = |value, decimals| Figure::new(value, decimals).to_string();
        assert_eq!(shown(12.3456, 3), "12.346");
        assert_eq!(shown(-0.0, 1), "-0.0");
        assert_eq!(shown(1e100, 3), "1.000e100");
        assert_eq!(shown(-2.5e9, 2), "-2.50e9");
        assert_eq!(shown(4e-5, 3), "4.000e-5");
        assert_eq!(shown(f64::INFINITY, 3), "inf");
        assert_eq!(
            [Shortest(1e100), Shortest(0.1), Shortest(3.0), Shortest(-1e-9)].map(|x| x.to_string()),
            ["1e100", "0.1", "3", "-1e-9"]
        );
        assert_eq!(ShortestVector(DVec3::new(1e100, 0.0, -0.5)).to_string(), "[1e100, 0, -0.5]");
    }

    #[test]
    fn figure_is_on_its_side_of_the_limit() {
        assert_eq!(beside_limit(0.1012, 0.1, 4), "0.1012");
        assert_eq!(beside_limit(0.100_003, 0.1, 4), "0.100003");
        assert_eq!(beside_limit(0.099_999_6, 0.1, 4), "0.0999996");
        assert_eq!(beside_limit(0.1, 0.1, 4), "0.1");
        assert_eq!(beside_limit(1.0f64.next_up(), 1.0, 2), "1.0000000000000002");
        assert_eq!(beside_limit(f64::NAN, 1.0, 2), "NaN");
        for (value, limit) in [(1e100f64.next_up(), 1e100), (3e-9, 3.1e-9), (1e-300, 0.0)] {
            let read: f64 = beside_limit(value, limit, 3).parse().unwrap();
            assert_eq!(read.partial_cmp(&limit), value.partial_cmp(&limit));
        }
    }
}
