//! Integrals of smooth functions: Gauss-Legendre to a tolerance, and the five-point Lobatto rule.

use std::sync::LazyLock;

use crate::error::ReferenceError;

const POINTS: usize = 20;
const MOST_PANELS: usize = 1 << 16;

/// Nodes in (-1, 1) and weights of the rule: roots of the Legendre polynomial by Newton's method from Tricomi's estimate.
static GAUSS: LazyLock<[(f64, f64); POINTS]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (POINTS as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..20 {
            let (value, derivative) = legendre(x);
            slope = derivative;
            x -= value / derivative;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
});

/// Value and derivative of the Legendre polynomial of degree [`POINTS`].
fn legendre(x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=POINTS {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, POINTS as f64 * (x * value - before) / (x * x - 1.0))
}

/// Integral of `f` from `from` to `to` with `panels` panels of 20 Gauss points each.
pub fn gauss(f: impl Fn(f64) -> f64, from: f64, to: f64, panels: usize) -> f64 {
    let half = 0.5 * (to - from) / panels as f64;
    let mut total = 0.0;
    for panel in 0..panels {
        let centre = from + (2 * panel + 1) as f64 * half;
        total += GAUSS.iter().map(|&(x, weight)| weight * f(centre + half * x)).sum::<f64>();
    }
    total * half
}

/// Integral of `f` from `from` to `to` with twice the panels until the value changes by less than `tolerance` of itself.
///
/// # Errors
/// No convergence with 65,536 panels, as with a function that has no integral.
pub fn gauss_to(f: impl Fn(f64) -> f64, from: f64, to: f64, tolerance: f64) -> Result<f64, ReferenceError> {
    let mut panels = 1;
    let mut value = gauss(&f, from, to, panels);
    let mut change = f64::INFINITY;
    while panels < MOST_PANELS && value.is_finite() {
        panels *= 2;
        let finer = gauss(&f, from, to, panels);
        change = (finer - value).abs();
        value = finer;
        if change <= tolerance * value.abs() {
            return Ok(value);
        }
    }
    let detail = format!("{value:e} changed by {change:e} with {panels} panels, asked for {tolerance:e} of it");
    Err(ReferenceError::Convergence { method: "Gauss quadrature", detail })
}

/// The five-point Gauss-Lobatto rule, exact for polynomials of degree 7. Its inner nodes lie √(3/7)/2 = 0.3273 of the interval
/// from the middle.
///
/// Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres under displacement and force control, part II:
/// dynamic analysis, Acta Mech. (2013, published online on 17 November), equation 23.
pub fn lobatto(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let (width, middle) = (to - from, 0.5 * (from + to));
    let offset = 0.5 * (3.0_f64 / 7.0).sqrt() * width;
    let ends = 0.5 * (f(from) + f(to));
    let inner = f(middle - offset) + f(middle + offset);
    0.1 * width * (ends + 32.0 / 9.0 * f(middle) + 49.0 / 18.0 * inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_gauss_points_are_exact_for_degree_39() {
        let integral = gauss(|x| x.powi(39) + x.powi(38), -1.0, 1.0, 1);
        assert!((integral - 2.0 / 39.0).abs() < 1e-15, "{integral}");
        assert!((gauss(|x| x.powi(40), -1.0, 1.0, 1) - 2.0 / 41.0).abs() > 1e-14, "the degree is the highest");
    }

    #[test]
    fn lobatto_is_exact_for_degree_7_only() {
        assert!((lobatto(|x| x.powi(7) + x.powi(6), 0.0, 2.0) - (32.0 + 128.0 / 7.0)).abs() < 1e-13);
        assert!((lobatto(|x| x.powi(8), -1.0, 1.0) - 2.0 / 9.0).abs() > 1e-3);
    }

    #[test]
    fn panels_double_until_the_tolerance_is_met() {
        assert!((gauss_to(f64::sqrt, 0.0, 1.0, 1e-10).unwrap() - 2.0 / 3.0).abs() < 1e-10);
        assert!(gauss_to(|x| 1.0 / x, 0.0, 1.0, 1e-10).is_err());
    }
}
