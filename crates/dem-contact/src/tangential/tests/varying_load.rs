//! What the options do when N varies.

use super::*;
use crate::tangential::force_driven_displacement;
use dem_core::lanes::Vector;

const OVERLAP: f64 = 1e-5;
const NO_SLIDING: f64 = 1e6;

/// Overlap at which the contact radius is `scale` times that at [`OVERLAP`].
fn overlap_of(scale: f64) -> f64 {
    OVERLAP * scale * scale
}

/// Error in proportion after a smooth path that sticks: contact radius `1 + b sin t`, slip `A (1 − cos t)`, t to 2. The closed form is
/// `T = −k₀A [(1 − cos t) + b (t/2 − sin 2t/4)]`.
fn error_of_a_smooth_path(stiffness_point: f64, steps: u32) -> f64 {
    let (b, amplitude, end) = (0.5, 1e-6, 2.0f64);
    let options = given![friction = NO_SLIDING, stiffness_point = stiffness_point];
    let mut drive = Drive::new(law::<Mindlin>(&options).unwrap(), OVERLAP);
    let k0 = drive.stiffness();
    let slip = |t: f64| amplitude * (1.0 - t.cos());
    for k in 1..=steps {
        let (t0, t1) = (end * f64::from(k - 1) / f64::from(steps), end * f64::from(k) / f64::from(steps));
        drive.step(overlap_of(1.0 + b * t1.sin()), DVec3::Y * (slip(t1) - slip(t0)), t1 - t0);
    }
    let exact = -k0 * amplitude * ((1.0 - end.cos()) + b * (0.5 * end - 0.25 * (2.0 * end).sin()));
    (drive.force.y / exact - 1.0).abs()
}

#[test]
fn the_mean_stiffness_is_second_order_and_those_of_the_ends_first() {
    for (point, order) in [(0.0, 1.0), (0.5, 2.0), (1.0, 1.0)] {
        let errors = [50, 100, 200, 400].map(|steps| error_of_a_smooth_path(point, steps));
        let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        println!("stiffness point {point}: errors {errors:?}, orders {orders:.3?}");
        assert!(orders.iter().all(|found| (found - order).abs() < 0.06), "{point}: {orders:?}");
    }
}

/// The first step of a contact starts without an area: it takes the stiffness of its end, whatever the point.
#[test]
fn the_first_step_takes_the_stiffness_of_its_end() {
    for point in [0.0, 0.5, 1.0] {
        let options = given![friction = NO_SLIDING, stiffness_point = point];
        let mut drive = Drive::new(law::<Mindlin>(&options).unwrap(), -1e-6);
        drive.step(OVERLAP, DVec3::Y * 1e-7, 1e-5);
        assert_eq!(drive.force.y, -drive.stiffness() * 1e-7);
    }
}

/// The force-driven form along `T = T_A sin t` at `k_t = k₀ (1 + b sin t)`: `δ_el = −T_A/(k₀b) ln(1 + b sin t)`.
#[test]
fn force_driven_displacement_is_the_integral_of_the_compliance() {
    let (k0, b, amplitude, end) = (2e5, 0.5, 0.3, 1.2f64);
    let exact = -amplitude / (k0 * b) * (1.0 + b * end.sin()).ln();
    for (point, order) in [(0.0, 1.0), (0.5, 2.0), (1.0, 1.0)] {
        let errors = [100, 200, 400].map(|steps: u32| {
            let mut displacement = Vector::<f64>::zero();
            let force = |t: f64| Vector::from(DVec3::Y * (amplitude * t.sin()));
            let stiffness = |t: f64| k0 * (1.0 + b * t.sin());
            for k in 0..steps {
                let (t0, t1) = (end * f64::from(k) / f64::from(steps), end * f64::from(k + 1) / f64::from(steps));
                let step = stiffness(t0) + point * (stiffness(t1) - stiffness(t0));
                displacement = force_driven_displacement(displacement, force(t0), force(t1), step);
            }
            (displacement.y / exact - 1.0).abs()
        });
        let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        println!("point {point}: errors {errors:?}, orders {orders:.3?}");
        assert!(orders.iter().all(|found| (found - order).abs() < 0.02), "{point}: {orders:?}");
    }
}

/// The forces of a displacement-driven path, put into the force-driven form with the stiffness of each step, give the path back.
#[test]
fn force_driven_and_displacement_driven_forms_invert_each_other() {
    let mut drive = Drive::new(law::<Mindlin>(&given![friction = NO_SLIDING, stiffness_point = 0.5]).unwrap(), OVERLAP);
    let (mut displacement, mut slip) = (Vector::<f64>::zero(), DVec3::ZERO);
    for k in 0..500 {
        let t = f64::from(k) * 0.02;
        let (stiffness0, force0) = (drive.stiffness(), drive.force);
        let step = DVec3::new(0.0, t.cos(), (1.7 * t).sin()) * 1e-8;
        drive.step(overlap_of(1.0 + 0.4 * t.sin()), step, 1e-5);
        let mean = 0.5 * (stiffness0 + drive.stiffness());
        displacement = force_driven_displacement(displacement, force0.into(), drive.force.into(), mean);
        slip += step;
        assert!((DVec3::from(displacement) - slip).length() < 1e-13 * 1e-6, "{displacement:?} {slip}");
    }
}

/// An oblique impact in the contact's frame: N rises and falls, the slip goes forth and back and slides in between. Forces and elastic
/// displacements.
fn oblique_path(direction: &str, displacement: &str, steps: u32) -> Vec<(DVec3, DVec3)> {
    let options = given![friction = 0.3, sliding_direction = direction, elastic_displacement = displacement];
    let mut drive = Drive::new(law::<Mindlin>(&options).unwrap(), overlap_of(0.05));
    (0..steps)
        .map(|k| {
            let t = (f64::from(k) + 1.0) / f64::from(steps);
            let scale = 0.05 + (std::f64::consts::PI * t).sin();
            let slip = DVec3::new(0.0, (4.0 * t).cos(), 0.3 * (3.0 * t).sin()) * (3e-5 / f64::from(steps));
            drive.step(overlap_of(scale), slip, 1e-2 / f64::from(steps));
            (drive.force, drive.vector("elastic_displacement"))
        })
        .collect()
}

#[test]
fn the_elastic_displacement_does_not_touch_the_force_but_for_the_direction_displacement() {
    for direction in ["force", "velocity", "displacement"] {
        let [incremental, secant] = ["incremental", "secant"].map(|method| oblique_path(direction, method, 400));
        let same_force = incremental.iter().zip(&secant).all(|(a, b)| a.0 == b.0);
        let same_displacement = incremental.iter().zip(&secant).all(|(a, b)| a.1 == b.1);
        assert_eq!(same_force, direction != "displacement", "{direction}");
        assert!(!same_displacement, "{direction}");
    }
}

/// Largest step of the elastic displacement: that of `incremental` falls with the step, that of `secant` is a jump that stays.
#[test]
fn the_secant_displacement_jumps_where_sliding_begins_and_the_incremental_one_does_not() {
    let largest = |method, steps| {
        let path = oblique_path("force", method, steps);
        path.windows(2).map(|pair| (pair[1].1 - pair[0].1).length()).fold(0.0, f64::max)
    };
    let [incremental, secant] = ["incremental", "secant"].map(|method| [largest(method, 500), largest(method, 4000)]);
    println!("largest step of the displacement: incremental {incremental:?}, secant {secant:?} m");
    assert!(incremental[0] / incremental[1] > 6.0, "{incremental:?}");
    assert!(secant[0] / secant[1] < 1.5, "{secant:?}");
}

/// A mass that is slowed down by a contact whose N falls: its velocity passes zero while the contact slides. Number of steps in which the
/// force changes its sign.
fn sign_changes_of_a_mass_on_a_falling_load(direction: &str) -> usize {
    let mut drive = Drive::new(law::<Mindlin>(&given![sliding_direction = direction]).unwrap(), OVERLAP);
    let (limit, reach) = (0.5 * drive.normal_force(), 0.5 * drive.normal_force() / drive.stiffness());
    drive.slip(2.0 * reach, 100);
    // N falls to nothing in 1,000 steps; friction stops the mass after a fifth of that, still sliding
    let (steps, step) = (1000, 1e-5);
    let mass = 1.0;
    let mut velocity = 0.2 * f64::from(steps) * step * limit / mass;
    let mut changes = 0;
    for k in 1..steps {
        let before = drive.force.y;
        velocity += step * before / mass;
        let scale = 1.0 - f64::from(k) / f64::from(steps);
        drive.step(overlap_of(scale), DVec3::Y * (velocity * step), step);
        changes += usize::from(before * drive.force.y < 0.0);
    }
    changes
}

/// Published behaviour: once the slip velocity has passed zero, the direction `velocity` turns the force round in every step.
#[test]
fn the_direction_velocity_chatters_after_the_slip_velocity_passes_zero() {
    let [velocity, force] = ["velocity", "force"].map(sign_changes_of_a_mass_on_a_falling_load);
    println!("changes of sign in 1,000 steps: velocity {velocity}, force {force}");
    assert!(velocity > 300, "{velocity}");
    assert!(force <= 1, "{force}");
}

/// Steady slip while N falls to nothing: `δ_el` of method II passes zero where `3/2 (1 − a²/a₀²) = 1`, and the direction `displacement` then
/// pushes along the slip.
#[test]
fn the_direction_displacement_flips_after_the_elastic_displacement_passes_zero() {
    let signs = |direction, method| -> Vec<f64> {
        let options = given![sliding_direction = direction, elastic_displacement = method];
        let mut drive = Drive::new(law::<Mindlin>(&options).unwrap(), OVERLAP);
        let reach = 0.5 * drive.normal_force() / drive.stiffness();
        drive.slip(1.5 * reach, 100);
        let steps = 1000;
        (1..steps)
            .map(|k| {
                drive.step(overlap_of(1.0 - f64::from(k) / f64::from(steps)), DVec3::Y * (1e-4 * reach), 1e-5);
                drive.force.y.signum()
            })
            .collect()
    };
    assert!(signs("force", "incremental").iter().all(|&sign| sign < 0.0));
    assert!(signs("displacement", "secant").iter().all(|&sign| sign < 0.0));
    let flipping = signs("displacement", "incremental");
    let first = flipping.iter().position(|&sign| sign > 0.0).unwrap();
    let expected = 1000.0 * (1.0 - (1.0f64 / 3.0).sqrt());
    println!("displacement: first pushes along the slip in step {first}, expected after {expected:.0}");
    assert!((first as f64 - expected).abs() < 15.0, "{first}");
}

/// A slip velocity that falls linearly through zero: the instant is exact, also inside a step, and is kept.
#[test]
fn the_instant_of_zero_slip_velocity_is_interpolated() {
    let mut drive = Drive::new(law::<Mindlin>(&[]).unwrap(), OVERLAP);
    let (step, zero) = (1e-5, 12.34e-5);
    for k in 1..=20 {
        let velocity = 0.01 * (1.0 - f64::from(k) * step / zero);
        drive.step(OVERLAP, DVec3::Y * (velocity * step), step);
        let found = drive.field("zero_slip_time")[0];
        let expected = if k <= 12 { 0.0 } else { zero };
        assert!((found - expected).abs() < 1e-12 * zero, "step {k}: {found}");
    }
    // no velocity at the start, none passes zero
    let mut fresh = Drive::new(law::<Mindlin>(&[]).unwrap(), OVERLAP);
    fresh.step(OVERLAP, DVec3::Y * 1e-8, step);
    assert_eq!(fresh.field("zero_slip_time"), [0.0]);
}

/// Work put into a loop of slip and load, with the stiffnesses at both loads: slip by s under one load, the other load, slip back, the first load.
fn work_of_a_loop<L: ContactLaw>(first: f64, second: f64) -> (f64, [f64; 2], Drive<L>) {
    let slip = 1e-6;
    let mut drive = Drive::new(law::<L>(&given![friction = NO_SLIDING]).unwrap(), overlap_of(first));
    let k1 = drive.stiffness();
    drive.slip(slip, 20);
    drive.step(overlap_of(second), DVec3::ZERO, 1e-5);
    let k2 = drive.stiffness();
    drive.slip(-slip, 20);
    drive.step(overlap_of(first), DVec3::ZERO, 1e-5);
    let unit = 0.5 * slip * slip;
    (drive.work, [k1 * unit, k2 * unit], drive)
}

/// The total form returns `½ (k₂ − k₁) s²` more than it took if it is unloaded under the larger load, and is left
/// without force. The incremental form dissipates as much on that loop, and gains on the reverse one: neither is a
/// potential.
#[test]
fn the_total_form_creates_energy_where_the_load_grows_before_the_slip_is_taken_back() {
    for (first, second) in [(1.0, 1.5), (1.5, 1.0)] {
        let (total, [e1, e2], drive) = work_of_a_loop::<MindlinTotal>(first, second);
        println!("load {first} then {second}: total form {:.4} of the work of the first slip", total / e1);
        assert!((total - (e1 - e2)).abs() < 1e-12 * e1, "{total} {}", e1 - e2);
        assert!(drive.force.length() < 1e-12, "the spring is back");
        assert!(drive.field("elastic_tangential_work")[0].abs() < 1e-12 * e1);
        assert!((drive.field("stiffness_work")[0] - total).abs() < 1e-12 * e1, "the ledger has it");

        let (incremental, [e1, e2], drive) = work_of_a_loop::<Mindlin>(first, second);
        println!("load {first} then {second}: incremental {:.4}", incremental / e1);
        assert!((incremental - (e2 - e1)).abs() < 1e-12 * e1, "{incremental} {}", e2 - e1);
        let held = drive.force.length_squared() / (2.0 * drive.stiffness());
        assert!((drive.field("elastic_tangential_work")[0] - held).abs() < 1e-12 * e1, "a function of the state");
        assert!((drive.field("stiffness_work")[0] + held - incremental).abs() < 1e-12 * e1);
    }
    let (created, [e1, _], _) = work_of_a_loop::<MindlinTotal>(1.0, 1.5);
    assert!(created / e1 < -0.49, "half of the work of the first slip is created");
}

/// The same loop until the force has vanished instead of the slip: loading at k₁ and unloading at k₂ > k₁ dissipates `½ k₁ s² (1 − k₁/k₂)`.
#[test]
fn the_incremental_form_dissipates_where_the_load_grows_before_the_force_is_released() {
    let mut drive = Drive::new(law::<Mindlin>(&given![friction = NO_SLIDING]).unwrap(), OVERLAP);
    let (k1, slip) = (drive.stiffness(), 1e-6);
    drive.slip(slip, 20);
    drive.step(overlap_of(1.5), DVec3::ZERO, 1e-5);
    let k2 = drive.stiffness();
    drive.slip(-slip * k1 / k2, 20);
    assert!(drive.force.length() < 1e-12);
    let expected = 0.5 * k1 * slip * slip * (1.0 - k1 / k2);
    assert!(drive.work > 0.0 && (drive.work / expected - 1.0).abs() < 1e-12, "{} {expected}", drive.work);
}
