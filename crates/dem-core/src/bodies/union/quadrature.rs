//! Integrals over heights between events.
//!
//! At an event the integrand may have a root, of a disc or a lens that begins there. With the height `a + (b − a) sin²(πu/2)` it is an analytic function of u, for
//! which Gauss's rule converges exponentially. An interval is halved in u until rules of 16 and of 32 points agree; as long as they converge, the error of the
//! second is about the square of their difference.

use std::f64::consts::PI;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::lanes::functions::alone::{cos, sin};

/// Nodes and weights on the interval from 0 to 1.
type Rule = Vec<[f64; 2]>;

static COARSE: LazyLock<Rule> = LazyLock::new(|| gauss(16));
static FINE: LazyLock<Rule> = LazyLock::new(|| gauss(32));

/// Panels of an interval at most: rounding must not halve without end.
const MOST_PANELS: usize = 512;

/// Gauss's rule: roots of the Legendre polynomial by Newton's method from Tricomi's estimate.
fn gauss(points: usize) -> Rule {
    (0..points)
        .map(|k| {
            let mut x = cos(PI * (k as f64 + 0.75) / (points as f64 + 0.5));
            let mut slope = 1.0;
            for _ in 0..10 {
                let (value, derivative) = legendre(points, x);
                slope = derivative;
                x -= value / derivative;
            }
            [0.5 + 0.5 * x, 1.0 / ((1.0 - x * x) * slope * slope)]
        })
        .collect()
}

/// Value and derivative of a Legendre polynomial.
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=degree {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}

/// Integrals over all heights from the first event to the last. `integrand` adds its values at a height, times a weight, to what is there;
/// `scales` are sizes of the integrals, to which `tolerance` refers. Intervals may be computed by several threads; their sum is in order.
pub fn integrals<W: Default>(
    events: &[f64],
    scales: &[f64],
    tolerance: f64,
    integrand: impl Fn(&mut W, f64, f64, &mut [f64]) + Sync,
) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = events
        .par_windows(2)
        .map_init(W::default, |work, ends| {
            let mut at = |z: f64, weight: f64, sums: &mut [f64]| integrand(work, z, weight, sums);
            interval([ends[0], ends[1]], scales, tolerance, &mut at)
        })
        .collect();
    let mut total = vec![0.0; scales.len()];
    for part in parts {
        add(&mut total, &part);
    }
    total
}

type Integrand<'a> = dyn FnMut(f64, f64, &mut [f64]) + 'a;

fn interval(ends: [f64; 2], scales: &[f64], tolerance: f64, integrand: &mut Integrand) -> Vec<f64> {
    let mut total = vec![0.0; scales.len()];
    let mut open = vec![[0.0, 1.0]];
    let mut panels = 1;
    while let Some(panel) = open.pop() {
        let coarse = sum(&COARSE, ends, panel, scales.len(), integrand);
        let fine = sum(&FINE, ends, panel, scales.len(), integrand);
        let mut pairs = coarse.iter().zip(&fine).zip(scales);
        if panels < MOST_PANELS && pairs.any(|((a, b), scale)| (a - b).abs() > tolerance * scale) {
            let middle = 0.5 * (panel[0] + panel[1]);
            open.extend([[middle, panel[1]], [panel[0], middle]]);
            panels += 1;
        } else {
            add(&mut total, &fine);
        }
    }
    total
}

fn sum(rule: &Rule, [a, b]: [f64; 2], [u, v]: [f64; 2], length: usize, integrand: &mut Integrand) -> Vec<f64> {
    let mut sums = vec![0.0; length];
    for &[node, weight] in rule {
        let half = 0.5 * PI * (u + (v - u) * node);
        let (s, c) = (sin(half), cos(half));
        // from the nearer end, whose distance matters
        let z = if s < c { a + (b - a) * s * s } else { b - (b - a) * c * c };
        integrand(z, weight * (v - u) * (b - a) * PI * s * c, &mut sums);
    }
    sums
}

fn add(total: &mut [f64], part: &[f64]) {
    for (sum, term) in total.iter_mut().zip(part) {
        *sum += term;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_at_the_ends_do_not_matter() {
        // half a disc, and its moment: the integrand has roots at both ends
        let found = integrals::<()>(&[-1.0, 1.0], &[1.0; 2], 1e-12, |(), z, weight, sums| {
            sums[0] += weight * (1.0 - z * z).sqrt();
            sums[1] += weight * z * z * (1.0 - z * z).sqrt();
        });
        assert!((found[0] - 0.5 * PI).abs() < 1e-15 && (found[1] - PI / 8.0).abs() < 1e-15, "{found:?}");
    }

    #[test]
    fn kinks_inside_are_resolved_to_the_tolerance() {
        let found = integrals::<()>(&[0.0, 1.0], &[1.0], 1e-10, |(), z, weight, sums| {
            sums[0] += weight * (z - 0.3).abs();
        });
        assert!((found[0] - 0.29).abs() < 1e-10, "{found:?}");
    }
}
