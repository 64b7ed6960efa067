use dem_core::lanes::Vector;

use super::SlipRotation;

const NORMAL: Vector = Vector { x: 0.0, y: 0.0, z: 1.0 };
const ALONG: Vector = Vector { x: 1.0, y: 0.0, z: 0.0 };

/// Direction of the force at the end, and `∫ (N/N_s) cos θ da`.
fn closed_form(degrees: f64, travel: f64, growth: f64) -> ([f64; 2], f64) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let rotation = SlipRotation::new(Vector { x: cosine, y: sine, z: 0.0 }, ALONG, NORMAL, travel, growth, true);
    let end = rotation.direction();
    assert_eq!(end.z, 0.0);
    ([end.x, end.y], rotation.mean_projection())
}

/// The same from `dm/da = L (u − (u·m) m)/(N/N_s)` for the unit direction m itself, u the direction of the motion, by the classical
/// Runge–Kutta rule in steps in which neither m nor N changes by more than 10⁻³: its error is about 10⁻¹².
fn integrated(degrees: f64, travel: f64, growth: f64) -> ([f64; 2], f64) {
    let rate = |a: f64, [x, y, _]: [f64; 3]| {
        let force = 1.0 + growth * a;
        [travel * (1.0 - x * x) / force, -travel * x * y / force, force * x]
    };
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let mut state = [cosine, sine, 0.0];
    let mut a = 0.0;
    while a < 1.0 {
        let h = (1e-3 * (1.0 + growth * a) / travel.max(growth.abs()).max(1.0)).min(1.0 - a);
        let add = |by: f64, k: [f64; 3]| [0, 1, 2].map(|i| state[i] + by * k[i]);
        let k1 = rate(a, state);
        let k2 = rate(a + 0.5 * h, add(0.5 * h, k1));
        let k3 = rate(a + 0.5 * h, add(0.5 * h, k2));
        let k4 = rate(a + h, add(h, k3));
        state = [0, 1, 2].map(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        a = if h == 1.0 - a { 1.0 } else { a + h };
    }
    ([state[0], state[1]], state[2])
}

const ANGLES: [f64; 8] = [0.0, 0.1, 30.0, 89.0, 91.0, 150.0, 179.0, 179.9];
const TRAVELS: [f64; 6] = [1e-4, 0.02, 0.04, 0.7, 4.0, 40.0];
const GROWTHS: [f64; 9] = [0.0, 1e-6, 0.01, -0.02, 0.8, 30.0, -0.5, -0.99, -0.999_999];

#[test]
fn the_force_turns_as_its_differential_equation_says() {
    let mut worst = 0.0f64;
    for angle in ANGLES.iter().flat_map(|&x| [x, -x]) {
        for travel in TRAVELS {
            for growth in GROWTHS {
                let ([x, y], _) = closed_form(angle, travel, growth);
                let ([rx, ry], _) = integrated(angle, travel, growth);
                let error = (x - rx).hypot(y - ry);
                worst = worst.max(error);
                // the reference is good to 10⁻¹¹ near the unstable angle of 180°
                assert!(error < 1e-8, "{angle} {travel} {growth}: {error:e}");
                assert!((x.hypot(y) - 1.0).abs() < 1e-15, "the direction is a unit vector");
            }
        }
    }
    println!("largest error of the direction: {worst:.1e}");
}

#[test]
fn the_work_is_that_of_the_path() {
    let mut worst = 0.0f64;
    for angle in ANGLES.iter().flat_map(|&x| [x, -x]) {
        for travel in TRAVELS {
            // a force that grows faster than friction can follow does not slide
            for growth in GROWTHS.into_iter().filter(|growth| *growth < travel) {
                let (_, found) = closed_form(angle, travel, growth);
                let (_, expected) = integrated(angle, travel, growth);
                let error = (found - expected).abs() / (1.0 + growth.max(0.0));
                worst = worst.max(error);
                // the reference is good to 10⁻¹¹
                assert!(error < 1e-10, "{angle} {travel} {growth}: {found} {expected}");
            }
        }
    }
    println!("largest error of the work: {worst:.1e}");
}

/// `c₁ ln(sin θ₀/sin θ₁)` at constant N, for steps so long that the turn takes a thousandth of them.
#[test]
fn the_work_at_constant_force_has_its_closed_form() {
    for angle in [1.0f64, 45.0, 90.0, 120.0, 179.9] {
        for travel in [0.01f64, 0.5, 5.0, 1e3, 1e6] {
            let (_, found) = closed_form(angle, travel, 0.0);
            let half = (0.5 * angle.to_radians()).tan();
            let end = half * (-travel).exp();
            let expected = 1.0 + ((1.0 + end * end) / (1.0 + half * half)).ln() / travel;
            // the panels of the quadrature, and round-off of the logarithm over a short travel
            assert!((found - expected).abs() < 1e-13 + 8e-15 / travel, "{angle} {travel}: {found} {expected}");
        }
    }
}

#[test]
fn a_force_against_the_motion_stays() {
    let opposite = Vector { x: -1.0, y: 0.0, z: 0.0 };
    for travel in [1e-3, 1.0, 1e3, 1e200] {
        let rotation = SlipRotation::new(opposite, ALONG, NORMAL, travel, 0.0, true);
        let end = rotation.direction();
        assert_eq!([end.x, end.y], [-1.0, 0.0], "{travel}");
        assert!((rotation.mean_projection() + 1.0).abs() < 1e-15, "{travel}");
    }
}

#[test]
fn a_vanishing_normal_force_leaves_nothing_undefined() {
    for angle in [0.0, 1e-9, 40.0, 100.0, 179.9, 180.0] {
        for travel in [0.0, 1e-12, 1e-3, 1.0, 100.0] {
            let (end, work) = closed_form(angle, travel, -1.0);
            let (near, near_work) = closed_form(angle, travel, -1.0 + 1e-12);
            assert!(end.iter().all(|x| x.is_finite()) && work.is_finite(), "{angle} {travel}: {end:?} {work}");
            assert!((end[0].hypot(end[1]) - 1.0).abs() < 1e-14);
            // the last 10⁻¹² of the normal force carries the work of 10⁻²⁴
            assert!((work - near_work).abs() < 1e-12, "{angle} {travel}: {work} {near_work}");
            if travel >= 1.0 && angle < 179.0 {
                assert!((end[0] - 1.0).abs() < 1e-10 && (near[0] - 1.0).abs() < 1e-10, "it has turned fully");
            }
        }
    }
}

/// Figures of the published correction: a quarter turn with `k_t |u| = 4 μN`.
#[test]
fn the_trapezoid_misses_two_fifths_of_the_work_of_a_long_quarter_turn() {
    let ([cosine, _], path) = closed_form(90.0, 4.0, 0.0);
    let trapezoid = 0.5 * (0.0 + cosine);
    assert!((trapezoid / path - 0.604).abs() < 1e-3, "{}", trapezoid / path);
}
