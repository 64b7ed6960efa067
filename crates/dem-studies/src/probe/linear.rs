//! Least squares with a few unknowns.

/// Solves `A x = b` by elimination with pivots; none if the matrix is singular.
pub fn solve(matrix: &[Vec<f64>], given: &[f64]) -> Option<Vec<f64>> {
    let n = given.len();
    let mut a: Vec<Vec<f64>> = matrix.iter().zip(given).map(|(row, &b)| [row.as_slice(), &[b]].concat()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        if a[k][k] == 0.0 || !a[k][k].is_finite() {
            return None;
        }
        let upper = a[k].clone();
        for row in &mut a[k + 1..] {
            let factor = row[k] / upper[k];
            row.iter_mut().zip(&upper).skip(k).for_each(|(x, u)| *x -= factor * u);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
        x[k] = (a[k][n] - known) / a[k][k];
    }
    x.iter().all(|value| value.is_finite()).then_some(x)
}

/// Eigenvalues of a symmetric matrix by rotations of Jacobi.
pub fn eigenvalues(matrix: &[Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    for _ in 0..50 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = 1.0f64.copysign(ratio) / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                let (x, y) = (a[p].clone(), a[q].clone());
                for k in 0..n {
                    (a[p][k], a[q][k]) = (c * x[k] - s * y[k], s * x[k] + c * y[k]);
                }
            }
        }
    }
    (0..n).map(|k| a[k][k]).collect()
}

/// A linear map fitted to pairs of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFit {
    /// Row by row.
    pub matrix: Vec<Vec<f64>>,
    /// Ratio of largest to smallest singular value of what was given \[-\].
    pub condition: f64,
    /// Norm of what the map leaves over norm of what it should give \[-\].
    pub residual: f64,
}

/// The map that takes `given` to `found` with the least sum of squares; none if `given` does not span the space.
pub fn fit(given: &[Vec<f64>], found: &[Vec<f64>]) -> Option<LinearFit> {
    let n = given.first()?.len();
    let sum = |term: &dyn Fn(usize) -> f64| (0..given.len()).map(term).sum::<f64>();
    let square: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| sum(&|k| given[k][i] * given[k][j])).collect()).collect();
    let row = |i: usize| {
        let right: Vec<f64> = (0..n).map(|j| sum(&|k| found[k][i] * given[k][j])).collect();
        solve(&square, &right)
    };
    let matrix = (0..n).map(row).collect::<Option<Vec<_>>>()?;
    let values = eigenvalues(&square);
    let (least, most) = values.iter().fold((f64::INFINITY, 0.0f64), |(a, b), &x| (a.min(x), b.max(x)));
    let (mut left, mut all) = (0.0, 0.0);
    for (x, y) in given.iter().zip(found) {
        for (row, value) in matrix.iter().zip(y) {
            left += (value - super::plane::dot(row, x)).powi(2);
            all += value * value;
        }
    }
    // what is spanned by round-off is not spanned
    (least > 1e-20 * most).then(|| LinearFit {
        matrix,
        condition: (most / least).sqrt(),
        residual: (left / all).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_map_is_found_exactly_with_its_condition() {
        let map = |x: &[f64]| vec![2.0 * x[0] - x[1], 0.5 * x[0] + 3.0 * x[1]];
        let given = vec![vec![1.0, 0.0], vec![0.0, 0.1], vec![-1.0, 0.0]];
        let found: Vec<Vec<f64>> = given.iter().map(|x| map(x)).collect();
        let fit = fit(&given, &found).unwrap();
        assert!((fit.matrix[1][0] - 0.5).abs() < 1e-14 && (fit.matrix[0][1] + 1.0).abs() < 1e-13);
        assert!((fit.condition - 200.0f64.sqrt()).abs() < 1e-10 && fit.residual < 1e-14);
        assert!(super::fit(&given[..1], &found[..1]).is_none());
    }

    #[test]
    fn eigenvalues_of_a_symmetric_matrix_are_those_known() {
        let mut found = eigenvalues(&[vec![2.0, 1.0, 0.0], vec![1.0, 2.0, 1.0], vec![0.0, 1.0, 2.0]]);
        found.sort_unstable_by(f64::total_cmp);
        let expected = [2.0 - 2.0f64.sqrt(), 2.0, 2.0 + 2.0f64.sqrt()];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        assert!(solve(&[vec![1.0, 2.0], vec![2.0, 4.0]], &[1.0, 1.0]).is_none());
    }
}
