//! Tangential displacements of a half-space under tractions on a circle, as a matrix over annuli.
//!
//! A traction `t(r) = t √(1 − r²/b²)` on `r < b` in one direction moves the surface in that direction by
//!
//! ```text
//! u(r) = (π t/(4 b E_T)) (2b² − r²)                                       r ≤ b
//! u(r) = (t/(2 b E_T)) [(2b² − r²) asin(b/r) + r b √(1 − b²/r²)]          r > b
//! ```
//!
//! with `E_T = 4 G*` if the part that turns with the polar angle is left out, as Maw, Barber and Fawcett do. It is the integral of
//! Cerruti's solution over the circle; for this traction it needs no elliptic integral.
//!
//! The circle is cut into n annuli of equal width `h = 1/n`. Basis `i` has the radius `(i + 1) h`, annulus `j` its middle at
//! `(j + ½) h`. Lengths are in units of the largest contact radius, tractions in `μ p_max`, displacements in `μ δ_max/κ`, in which
//! `u = t (2b² − r²)/(2b)`.
//!
//! Sources: N. Maw, J. R. Barber, J. N. Fawcett, Wear 38 (1976) 101; K. L. Johnson, Contact Mechanics, section 3.6 and 7.2.

use std::f64::consts::FRAC_1_PI;

use crate::error::ReferenceError;

/// Displacement at radius `r` under the basis of radius `b` and amplitude one.
pub fn displacement(b: f64, r: f64) -> f64 {
    if r <= b {
        return (2.0 * b * b - r * r) / (2.0 * b);
    }
    let sine = b / r;
    FRAC_1_PI / b * ((2.0 * b * b - r * r) * sine.asin() + r * b * (1.0 - sine * sine).sqrt())
}

/// Influence of every basis on every annulus and its triangular factors.
///
/// The factors of the whole matrix hold those of every leading block, so one factorisation serves every size of the stuck area and
/// every impact.
#[derive(Clone, Debug)]
pub struct AnnuliInfluence {
    annuli: usize,
    matrix: Vec<f64>,
    factors: Vec<f64>,
}

impl AnnuliInfluence {
    /// The influence for a number of annuli; its cost grows with the third power of it.
    ///
    /// # Errors
    /// Fewer than 2 or more than 4000 annuli.
    pub fn new(annuli: usize) -> Result<Self, ReferenceError> {
        if !(2..=4000).contains(&annuli) {
            let allowed = "a number of annuli from 2 to 4000".into();
            return Err(ReferenceError::Argument { argument: "annuli", value: annuli.to_string(), allowed });
        }
        let width = 1.0 / annuli as f64;
        let mut matrix = Vec::with_capacity(annuli * annuli);
        for row in 0..annuli {
            let r = (row as f64 + 0.5) * width;
            matrix.extend((0..annuli).map(|column| displacement((column + 1) as f64 * width, r)));
        }
        let mut factors = matrix.clone();
        for k in 0..annuli {
            let (above, below) = factors.split_at_mut((k + 1) * annuli);
            let pivot_row = &above[k * annuli..];
            // no pivoting: the operator is a product of two Abel transforms, which are triangular
            for row in below.chunks_exact_mut(annuli) {
                let factor = row[k] / pivot_row[k];
                row[k] = factor;
                for (value, pivot) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                    *value -= factor * pivot;
                }
            }
        }
        Ok(Self { annuli, matrix, factors })
    }

    /// Number of annuli.
    pub fn annuli(&self) -> usize {
        self.annuli
    }

    /// Middle of an annulus.
    pub fn middle(&self, annulus: usize) -> f64 {
        (annulus as f64 + 0.5) / self.annuli as f64
    }

    /// Radius of a basis.
    pub fn radius(&self, basis: usize) -> f64 {
        (basis + 1) as f64 / self.annuli as f64
    }

    /// Displacement of an annulus under weights of the first bases.
    pub fn displacement(&self, annulus: usize, weights: &[f64]) -> f64 {
        dot(&self.matrix[annulus * self.annuli..][..weights.len()], weights)
    }

    /// Solves with the lower triangle for two right-hand sides at once, in place.
    pub(crate) fn solve_lower(&self, one: &mut [f64], other: &mut [f64]) {
        for row in 1..one.len() {
            let factors = &self.factors[row * self.annuli..][..row];
            let (first, second) = (dot(factors, &one[..row]), dot(factors, &other[..row]));
            one[row] -= first;
            other[row] -= second;
        }
    }

    /// Solves the leading block of the upper triangle in place.
    pub(crate) fn solve_upper(&self, values: &mut [f64]) {
        let size = values.len();
        for row in (0..size).rev() {
            let factors = &self.factors[row * self.annuli..][..size];
            values[row] = (values[row] - dot(&factors[row + 1..], &values[row + 1..])) / factors[row];
        }
    }

    /// Diagonal of the upper triangle.
    pub(crate) fn pivot(&self, row: usize) -> f64 {
        self.factors[row * self.annuli + row]
    }
}

/// Scalar product in eight partial sums, which the processor adds side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quadrature::gauss;

    /// Cerruti's solution integrated over the circle: the part of the displacement in the direction of the traction that does not
    /// turn with the polar angle is that of Boussinesq, `∫ t/(distance) dA / (π E_T)`; with the units of this module the factor is
    /// `1/π²` times 2.
    fn potential(b: f64, r: f64) -> f64 {
        // polar coordinates about the point itself: the integrand has no singularity
        let chord = |angle: f64| {
            let (sine, cosine) = angle.sin_cos();
            let root = b * b - r * r * sine * sine;
            if root <= 0.0 {
                return 0.0;
            }
            // ∫ √(1 − |x|²/b²) along the chord through the point: half an ellipse, or the part in front of the point
            let half = root.sqrt();
            let far = -r * cosine + half;
            let near = (-r * cosine - half).max(0.0);
            if far <= 0.0 {
                return 0.0;
            }
            let antiderivative = |distance: f64| {
                let x = ((distance + r * cosine) / half).clamp(-1.0, 1.0);
                0.5 * half * half / b * (x * (1.0 - x * x).sqrt() + x.asin())
            };
            antiderivative(far) - antiderivative(near)
        };
        let pi = std::f64::consts::PI;
        gauss(chord, 0.0, 2.0 * pi, 2000) * 2.0 / (pi * pi)
    }

    #[test]
    fn displacement_is_the_integral_of_the_half_space_solution() {
        for (b, r) in [(0.5, 0.2), (1.0, 0.99), (0.4, 0.7), (0.3, 0.31)] {
            let (closed, integral) = (displacement(b, r), potential(b, r));
            assert!((closed - integral).abs() < 1e-5 * closed, "b = {b}, r = {r}: {closed} {integral}");
        }
        assert!((displacement(0.5, 0.5 + 1e-12) - displacement(0.5, 0.5)).abs() < 1e-9);
    }

    #[test]
    fn factors_solve_every_leading_block() {
        let influence = AnnuliInfluence::new(60).unwrap();
        for size in [1, 7, 33, 60] {
            let expected: Vec<f64> = (0..size).map(|k| (k as f64 * 0.7).sin() + 0.2).collect();
            let mut values: Vec<f64> = (0..size).map(|row| influence.displacement(row, &expected)).collect();
            let mut other = values.clone();
            influence.solve_lower(&mut values, &mut other);
            influence.solve_upper(&mut values);
            for (value, exact) in values.iter().zip(&expected) {
                assert!((value - exact).abs() < 1e-10, "{size}: {value} {exact}");
            }
        }
    }

    #[test]
    fn numbers_of_annuli_are_bounded() {
        assert!(AnnuliInfluence::new(1).is_err() && AnnuliInfluence::new(5000).is_err());
    }
}
