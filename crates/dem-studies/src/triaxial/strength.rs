//! What soil mechanics reads off a course: mobilised friction, dilatancy, the secant modulus at half the strength.

use dem_core::DMat3;
use dem_sim::deformation::control::mean;
use dem_sim::measure::deviator;

use super::point::{Course, Point};

/// Points of a course that its slope is taken over, on either side, as a share of all.
const SLOPE: usize = 40;

/// Sine of the mobilised angle of friction, `(σ₁ − σ₃)/(σ₁ + σ₃)` of the largest and the smallest principal stress, compression positive \[-\].
pub fn sin_phi(compression: DMat3) -> f64 {
    let [largest, smallest] = principal(compression);
    (largest - smallest) / (largest + smallest)
}

/// Largest and smallest principal value of a symmetric tensor, in closed form (O. K. Smith, Commun. ACM 4 (1961) 168).
fn principal(tensor: DMat3) -> [f64; 2] {
    let middle = mean(tensor);
    let size = deviator(tensor) / 3.0;
    if size <= f64::EPSILON * middle.abs() {
        return [middle; 2];
    }
    let scaled = (tensor - DMat3::IDENTITY * middle) * (1.0 / size);
    let angle = libm::acos((0.5 * scaled.determinant()).clamp(-1.0, 1.0)) / 3.0;
    let at = |turn: f64| middle + 2.0 * size * libm::cos(angle + turn);
    [at(0.0), at(2.0 * std::f64::consts::FRAC_PI_3)]
}

/// Angle of dilatancy at a point of a course \[degrees\], `sin ψ = −dε_v/(2 dε_a − dε_v)` with compression positive (Vermeer and de Borst 1984),
/// from the slope over a fortieth of the course on either side; not a number while the sample is not shortened along the axis.
pub fn dilatancy_angle(points: &[Point], at: usize) -> f64 {
    let reach = (points.len() / SLOPE).max(1);
    let (from, to) = (at.saturating_sub(reach), (at + reach).min(points.len().saturating_sub(1)));
    let (Some(from), Some(to)) = (points.get(from), points.get(to)) else { return f64::NAN };
    let axial = to.strain - from.strain;
    let volume = to.volumetric_strain - from.volumetric_strain;
    if axial > 0.0 { libm::asin(-volume / (2.0 * axial - volume)).to_degrees() } else { f64::NAN }
}

/// Number of the point of the largest q/p.
pub fn peak(course: &Course) -> Option<usize> {
    (0..course.points.len()).max_by(|&a, &b| course.points[a].q_over_p.total_cmp(&course.points[b].q_over_p))
}

/// Secant modulus at half the strength \[Pa\]: half of what the deviator q gains up to its largest value, over the strain along the axis at which
/// it has gained that, without sign.
pub fn secant_modulus(course: &Course) -> f64 {
    let deviators: Vec<f64> = course.points.iter().map(|p| p.q_over_p * p.mean_stress.abs()).collect();
    let (Some(&first), Some(start)) = (deviators.first(), course.points.first()) else { return f64::NAN };
    let largest = deviators.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let half = first + 0.5 * (largest - first);
    let Some(above) = deviators.iter().position(|&q| q >= half).filter(|&k| k > 0) else { return f64::NAN };
    let share = (half - deviators[above - 1]) / (deviators[above] - deviators[above - 1]);
    let [a, b] = [above - 1, above].map(|k| (course.points[k].strain - start.strain).abs());
    (half - first) / (a + share * (b - a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::DVec3;

    fn course(points: impl Iterator<Item = (f64, f64, f64)>) -> Course {
        let point = |(strain, volumetric_strain, q_over_p)| Point {
            strain,
            volumetric_strain,
            q_over_p,
            mean_stress: 100.0,
            ..Point::default()
        };
        Course { name: String::new(), points: points.map(point).collect(), steps: 0 }
    }

    #[test]
    fn friction_is_that_of_the_principal_stresses() {
        assert!((sin_phi(DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0))) - 0.5).abs() < 1e-14);
        assert_eq!(sin_phi(DMat3::from_diagonal(DVec3::splat(5.0))), 0.0);
        // pure shear on a pressure: p +- t
        let sheared = DMat3::from_cols(DVec3::new(4.0, 1.0, 0.0), DVec3::new(1.0, 4.0, 0.0), DVec3::new(0.0, 0.0, 4.0));
        assert!((sin_phi(sheared) - 0.25).abs() < 1e-14);
        // q/p = 1 in compression along the axis: 3 M/(6 + M)
        let axial = DMat3::from_diagonal(DVec3::new(2.0, 2.0, 5.0));
        let m = deviator(axial) / mean(axial);
        assert!((sin_phi(axial) - 3.0 * m / (6.0 + m)).abs() < 1e-14);
    }

    #[test]
    fn dilatancy_is_the_slope_of_the_volume() {
        let steady = course((0..100).map(|k| (f64::from(k) * 1e-3, f64::from(k) * -0.5e-3, 1.0)));
        for at in [0, 50, 99] {
            assert!((dilatancy_angle(&steady.points, at) - libm::asin(0.5 / 2.5).to_degrees()).abs() < 1e-9);
        }
        let extension = course((0..10).map(|k| (f64::from(k) * -1e-3, 0.0, 1.0)));
        assert!(dilatancy_angle(&extension.points, 5).is_nan());
    }

    #[test]
    fn secant_modulus_is_that_at_half_the_strength() {
        // q = 100 (1 - exp(-strain/0.01)): half of it at 0.01 ln 2
        let course = course((0..=400).map(|k| {
            let strain = f64::from(k) * 2e-4;
            (strain, 0.0, 1.0 - libm::exp(-strain / 0.01))
        }));
        let largest = 100.0 * (1.0 - libm::exp(-8.0));
        let exact = 0.5 * largest / (-0.01 * libm::log(1.0 - 0.5 * largest / 100.0));
        assert!((secant_modulus(&course) / exact - 1.0).abs() < 1e-4, "{}", secant_modulus(&course));
    }
}
