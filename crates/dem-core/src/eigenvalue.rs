//! Eigenvalues of symmetric matrices.

use glam::{DMat3, DVec3};

/// Largest eigenvalue of a symmetric matrix, in closed form (O. K. Smith, Commun. ACM 4 (1961) 168); to a few 1e-8 where the largest two agree.
pub fn largest_eigenvalue(m: DMat3) -> f64 {
    let mean = (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0;
    let deviator = m - DMat3::from_diagonal(DVec3::splat(mean));
    let columns = [deviator.x_axis, deviator.y_axis, deviator.z_axis];
    let size = (columns.map(DVec3::length_squared).iter().fold(0.0, |sum, x| sum + x) / 6.0).sqrt();
    if size <= f64::EPSILON * mean.abs() {
        return mean;
    }
    let angle = libm::acos((0.5 * (deviator * (1.0 / size)).determinant()).clamp(-1.0, 1.0));
    mean + 2.0 * size * libm::cos(angle / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_eigenvalue_is_that_of_known_matrices() {
        let turn = DMat3::from_axis_angle(DVec3::new(2.0, -1.0, 3.0).normalize(), 0.7);
        for [a, b, c] in
            [[3.0, 2.0, -1.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0], [5.0, 5.0, 5.0], [0.0; 3], [1.0, 1.0 - 1e-9, 1.0]]
        {
            let matrix = turn * DMat3::from_diagonal(DVec3::new(a, b, c)) * turn.transpose();
            let (found, expected) = (largest_eigenvalue(matrix), f64::max(a, f64::max(b, c)));
            assert!((found - expected).abs() < 1e-7 * (1.0 + expected), "{found} {expected}");
        }
    }
}
