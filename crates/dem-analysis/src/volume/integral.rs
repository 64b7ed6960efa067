//! Integrals to rounding of functions that are smooth inside an interval and may be steep at its ends.

use dem_reference::quadrature::gauss;

/// Halvings of an interval at most; what is left of it then is below 10⁻¹² of the whole.
const DEPTH: u32 = 40;

/// Integral of `f` over an interval: 20 Gauss points against twice 20, halved where they differ by more than `tolerance`.
pub fn integral(f: &impl Fn(f64) -> f64, from: f64, to: f64, tolerance: f64) -> f64 {
    refine(f, [from, to], gauss(f, from, to, 1), tolerance, DEPTH)
}

fn refine(f: &impl Fn(f64) -> f64, [from, to]: [f64; 2], coarse: f64, tolerance: f64, depth: u32) -> f64 {
    let middle = 0.5 * (from + to);
    let (left, right) = (gauss(f, from, middle, 1), gauss(f, middle, to, 1));
    if depth == 0 || (left + right - coarse).abs() <= tolerance {
        return left + right;
    }
    refine(f, [from, middle], left, tolerance, depth - 1) + refine(f, [middle, to], right, tolerance, depth - 1)
}

/// Integral of a function that behaves like a half-integer power at the ends of the interval.
///
/// `x = centre + half (3u − u³)/2` leaves the ends in second order, which turns half-integer powers into whole ones.
pub fn integral_with_roots(f: &impl Fn(f64) -> f64, from: f64, to: f64, tolerance: f64) -> f64 {
    let (centre, half) = (0.5 * (from + to), 0.5 * (to - from));
    let moved = |u: f64| f(centre + half * 0.5 * u * (3.0 - u * u)) * half * 1.5 * (1.0 - u * u);
    integral(&moved, -1.0, 1.0, tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_at_the_ends_are_integrated_to_rounding() {
        let found = integral_with_roots(&|x: f64| (x * (1.0 - x)).sqrt(), 0.0, 1.0, 1e-15);
        assert!((found - std::f64::consts::PI / 8.0).abs() < 1e-15, "{found}");
    }

    #[test]
    fn steep_ends_are_halved_until_they_are_resolved() {
        let found = integral(&|x: f64| 1.0 / (x + 1e-6), 0.0, 1.0, 1e-14);
        assert!((found - (1.0 + 1e6f64).ln()).abs() < 1e-12, "{found}");
    }
}
