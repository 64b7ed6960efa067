//! Reciprocals of numbers near one by series, without a root and a division: these take as long as dozens of other operations.
//!
//! A number has the same value whatever the other lanes hold. What a series leaves out is less than an eighth of half a unit in the last place.

use super::{Mask, Real};

/// How far from one a series of four terms reaches.
const NEAR: f64 = 6e-5;
/// How far from one the series of `1/√u` of eight terms reaches, the first of whose terms left out is 0.2 x⁸.
const NOT_FAR: f64 = 7e-3;

/// `1/√u`, fast where u is within a hundredth or so of one, exact to rounding everywhere.
#[inline(always)]
pub fn inverse_root_near_one<R: Real>(u: R) -> R {
    let (series, holds) = inverse_root_series(u);
    if holds.all() { series } else { R::select(holds, series, R::constant(1.0) / u.sqrt()) }
}

/// [`inverse_root_near_one`] if all lanes are that near: none of them is zero, infinite or NaN.
#[inline(always)]
pub fn inverse_root_if_near_one<R: Real>(u: R) -> Option<R> {
    let (series, holds) = inverse_root_series(u);
    if holds.all() { Some(series) } else { None }
}

/// `1/u`, fast where u is very near one, exact to rounding everywhere.
#[inline(always)]
pub fn inverse_near_one<R: Real>(u: R) -> R {
    let one = R::constant(1.0);
    let away = u - one;
    let series = one.minus_product(away, one.minus_product(away, one - away));
    let holds = away.abs().less(R::constant(NEAR));
    if holds.all() { series } else { R::select(holds, series, one / u) }
}

/// A series of `1/√u`, and where it holds.
#[inline(always)]
fn inverse_root_series<R: Real>(u: R) -> (R, R::Mask) {
    let (one, half) = (R::constant(1.0), R::constant(0.5));
    let away = u - one;
    let inner = half.minus_product(away, R::constant(0.375).minus_product(away, R::constant(0.3125)));
    let short = one.minus_product(away, inner);
    let near = away.abs().less(R::constant(NEAR));
    if near.all() {
        return (short, near);
    }
    let inner = R::constant(231.0 / 1024.0).minus_product(away, R::constant(429.0 / 2048.0));
    let inner = R::constant(63.0 / 256.0).minus_product(away, inner);
    let inner = R::constant(35.0 / 128.0).minus_product(away, inner);
    let inner = R::constant(0.3125).minus_product(away, inner);
    let inner = half.minus_product(away, R::constant(0.375).minus_product(away, inner));
    (R::select(near, short, one.minus_product(away, inner)), away.abs().less(R::constant(NOT_FAR)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{LaneTask, Lanes, MOST_LANES, Width};

    /// Numbers on both sides of one, from the next ones to far beyond the series.
    fn numbers() -> Vec<f64> {
        let away = (0..4000).map(|k| libm::exp(-37.0 + 0.0093 * f64::from(k)));
        away.flat_map(|x| [1.0 + x, 1.0 - 0.99 * x]).filter(|&u| u > 0.0).chain([1.0]).collect()
    }

    #[test]
    fn reciprocals_are_exact_to_rounding() {
        // of a number and its reciprocal root in one product without rounding in between: r² u − 1, twice the error of r
        let mut largest = [0.0f64; 2];
        for u in numbers() {
            let root = inverse_root_near_one(u);
            let squared = root * root;
            let rest = root.mul_add(root, -squared);
            let error = 0.5 * (squared.mul_add(u, -1.0) + rest * u);
            largest[0] = largest[0].max(error.abs());
            largest[1] = largest[1].max(inverse_near_one(u).mul_add(u, -1.0).abs());
        }
        // a root and a division round twice
        assert!(largest[0] < 1.01 * f64::EPSILON && largest[1] < 0.6 * f64::EPSILON, "{largest:?}");
    }

    #[test]
    fn only_what_is_not_far_from_one_has_the_fast_way() {
        for u in [0.0, -1.0, 0.992, 1.008, f64::INFINITY, f64::NAN] {
            assert_eq!(inverse_root_if_near_one(u), None, "{u}");
        }
        for u in [1.0, 0.9999, 1.00001, 0.994, 1.006] {
            assert_eq!(inverse_root_if_near_one(u), Some(inverse_root_near_one(u)), "{u}");
        }
    }

    struct Mixed(Vec<f64>);

    impl LaneTask for Mixed {
        type Output = ();

        #[inline(always)]
        fn run<R: Lanes>(self) {
            let Self(numbers) = self;
            // neighbours from all ranges
            let of = |k: usize, lane: usize| numbers[(k * 7 + lane * 1009) % numbers.len()];
            for k in 0..numbers.len() {
                let u = R::from_lanes(|lane| of(k, lane));
                let (roots, inverses) = (inverse_root_near_one(u).to_lanes(), inverse_near_one(u).to_lanes());
                for lane in 0..R::LANES.min(MOST_LANES) {
                    let alone = of(k, lane);
                    assert_eq!(roots[lane].to_bits(), inverse_root_near_one(alone).to_bits(), "{alone}");
                    assert_eq!(inverses[lane].to_bits(), inverse_near_one(alone).to_bits(), "{alone}");
                }
            }
        }
    }

    #[test]
    fn a_number_has_the_same_reciprocals_beside_any_others() {
        for width in Width::available() {
            width.run(Mixed(numbers()));
        }
    }
}
