//! Principal moments and axes of an inertia, by Jacobi's method.
//!
//! Where moments are equal, axes are a matter of choice, and what rounding chooses would differ from one machine or version to the next. Here the given axes
//! stay: of a body that turns like a sphere all of them, of one that turns like a top the one that is nearest to the plane of the equal moments.

use glam::{DMat3, DQuat, DVec3};

use crate::rotation::{Parameterization, RotationMatrix};

/// Moments whose difference is less in proportion to the largest one are equal.
const EQUAL: f64 = 1e-12;
/// Products of inertia that are less in proportion to the trace are rounding, and zero.
const ROUNDING: f64 = 1e-13;
/// Components that differ by less are equal: the first one decides.
const TIE: f64 = 1e-9;
/// Sweeps of Jacobi's method converge quadratically: five reach round-off.
const SWEEPS: usize = 12;

/// Principal moments and the frame in which the inertia is diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxes {
    /// Moments, ascending, in the unit of the inertia. Equal ones have the same bits.
    pub moments: DVec3,
    /// From the principal frame, which is right-handed, to the given one.
    pub orientation: DQuat,
}

/// Principal axes of a symmetric inertia. Each axis points to the side of its largest component in the given frame, but for the third one if the frame would
/// be left-handed.
pub fn principal_axes(inertia: &DMat3) -> PrincipalAxes {
    let (values, vectors) = eigenvectors(inertia);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let [low, middle, high] = order.map(|k| values[k]);
    let [first, second, third] = order.map(|k| vectors[k]);
    let equal = EQUAL * high.abs();
    let (moments, axes) = if high - low <= equal {
        (DVec3::splat((low + middle + high) / 3.0), DVec3::AXES)
    } else if middle - low <= equal && middle - low <= high - middle {
        let (axis, [across, last]) = axes_of_top(third);
        (DVec3::new(0.5 * (low + middle), 0.5 * (low + middle), high), [across, last, axis])
    } else if high - middle <= equal {
        let (axis, [across, last]) = axes_of_top(first);
        (DVec3::new(low, 0.5 * (middle + high), 0.5 * (middle + high)), [axis, across, last])
    } else {
        let (first, second) = (pointing_forwards(first), pointing_forwards(second));
        (DVec3::new(low, middle, high), [first, second, first.cross(second)])
    };
    let [x, y, z] = axes;
    PrincipalAxes { moments, orientation: RotationMatrix::quaternion(DMat3::from_cols(x, y, z).to_cols_array()) }
}

/// The axis of a body that turns like a top, and the two directions across, in the order of a right-handed frame with the axis first.
fn axes_of_top(axis: DVec3) -> (DVec3, [DVec3; 2]) {
    let axis = pointing_forwards(axis);
    let given = DVec3::AXES[first_largest(1.0 - axis.abs())];
    let across = (given - axis * axis.dot(given)).normalize();
    (axis, [across, axis.cross(across)])
}

fn pointing_forwards(axis: DVec3) -> DVec3 {
    if axis[first_largest(axis.abs())] < 0.0 { -axis } else { axis }
}

/// The first component that is the largest one, to a tolerance.
fn first_largest(v: DVec3) -> usize {
    let largest = v.max_element();
    (0..3).find(|&k| v[k] >= largest - TIE).unwrap_or(0)
}

/// Eigenvalues and eigenvectors of a symmetric matrix.
fn eigenvectors(inertia: &DMat3) -> ([f64; 3], [DVec3; 3]) {
    let mut a = (0.5 * (*inertia + inertia.transpose())).to_cols_array_2d();
    let mut vectors = DVec3::AXES;
    let trace = a[0][0] + a[1][1] + a[2][2];
    for [p, q] in [[0, 1], [0, 2], [1, 2]] {
        if a[p][q].abs() <= ROUNDING * trace.abs() {
            (a[p][q], a[q][p]) = (0.0, 0.0);
        }
    }
    for _ in 0..SWEEPS {
        for [p, q] in [[0, 1], [0, 2], [1, 2]] {
            if a[p][q] == 0.0 {
                continue;
            }
            // the smaller root of t² + 2 θ t − 1
            let theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            a[p][p] -= t * a[p][q];
            a[q][q] += t * a[p][q];
            (a[p][q], a[q][p]) = (0.0, 0.0);
            let r = 3 - p - q;
            let (rp, rq) = (c * a[r][p] - s * a[r][q], s * a[r][p] + c * a[r][q]);
            (a[r][p], a[p][r], a[r][q], a[q][r]) = (rp, rp, rq, rq);
            (vectors[p], vectors[q]) = (c * vectors[p] - s * vectors[q], s * vectors[p] + c * vectors[q]);
        }
    }
    ([a[0][0], a[1][1], a[2][2]], vectors)
}

#[cfg(test)]
mod tests;
