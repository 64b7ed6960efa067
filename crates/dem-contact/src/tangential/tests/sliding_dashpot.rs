//! A dashpot in parallel with the spring of a contact that slides.

use super::*;

const OVERLAP: f64 = 5e-5;
const NORMAL_STIFFNESS: f64 = 2e5;
/// μN of the linear law at [`OVERLAP`].
const LIMIT: f64 = 0.5 * NORMAL_STIFFNESS * OVERLAP;
const SPRING: f64 = 1e5;
const SPEED: f64 = 0.05;
/// The corner of the path: 0.3 μN/k_t along the second direction.
const REACH: f64 = 0.3 * LIMIT / SPRING;

/// Slides 10 μN/k_t along y, then 0.3 μN/k_t along z at the same speed in `steps` steps. `share` is c v/μN.
fn corner(sliding: &str, share: f64, steps: u32) -> Drive<Linear> {
    let rate = share * LIMIT / SPEED / 1e-3;
    let given = given![stiffness_ratio = 0.5, tangential_damping_rate = rate, sliding_dashpot = sliding];
    let mut drive = Drive::new(law::<Linear>(&given).unwrap(), OVERLAP);
    let step = REACH / f64::from(steps);
    let time_step = step / SPEED;
    for _ in 0..(10.0 * LIMIT / SPRING / step).round() as u32 {
        drive.step(OVERLAP, DVec3::Y * step, time_step);
    }
    for _ in 0..steps {
        drive.step(OVERLAP, DVec3::Z * step, time_step);
    }
    drive
}

/// Angle of the force from the motion \[°\].
fn angle(drive: &Drive<Linear>) -> f64 {
    libm::atan2(-drive.force.y, -drive.force.z).to_degrees()
}

/// Reference: `c s' = −T_el − k s ..` of the elements themselves. The elastic slip s and the direction of the force solve
/// `T = −(k s + c s')`, `|T| = L`, `v − s' = −λ T`, λ ≥ 0, that is `T = −L (k s + c v)/|k s + c v|`; integrated by Heun's rule with steps that are
/// far smaller than any of those tested.
fn kelvin_reference(share: f64) -> f64 {
    let viscosity = share * LIMIT / SPEED;
    let rate = |s: DVec3, v: DVec3| {
        let trial = SPRING * s + viscosity * v;
        let force = -trial * (LIMIT / trial.length()).min(1.0);
        (-force - SPRING * s) / viscosity
    };
    let steps = 400_000;
    let time_step = REACH / SPEED / f64::from(steps);
    // slid along y for long: the elastic slip carries all of the limit
    let mut s = DVec3::Y * (LIMIT / SPRING);
    for _ in 0..steps {
        let v = DVec3::Z * SPEED;
        let first = rate(s, v);
        let second = rate(s + time_step * first, v);
        s += 0.5 * time_step * (first + second);
    }
    let trial = SPRING * s + viscosity * DVec3::Z * SPEED;
    libm::atan2(trial.y, trial.z).to_degrees()
}

#[test]
fn the_force_around_a_corner_has_a_limit_for_small_steps() {
    // 73.063: a quarter turn of a slider without a dashpot, 2 atan(tan 45° exp(−0.3)); the others by an independent integration
    let without = 2.0 * libm::atan(libm::exp(-0.3)).to_degrees();
    for share in [0.019, 0.5] {
        let expected = kelvin_reference(share);
        let printed = if share < 0.1 { 72.071 } else { 50.945 };
        assert!((expected - printed).abs() < 2e-3, "{expected} {printed}");
        for (sliding, expected) in [("kelvin", expected), ("dropped", without)] {
            let errors =
                [100, 200, 400, 800, 1600].map(|steps| (angle(&corner(sliding, share, steps)) - expected).abs());
            assert!(errors[3] < 0.1, "{sliding} {share}: {errors:?}");
            for pair in errors.windows(2) {
                // first order, but for a reference of five digits
                assert!(pair[1] < 0.6 * pair[0] + 2e-3, "{sliding} {share}: {errors:?}");
            }
        }
    }
    for (share, printed) in [(0.019, 71.889), (0.5, 32.005)] {
        let found = angle(&corner("lammps", share, 2000));
        assert!((found - printed).abs() < 0.05, "lammps {share}: {found}");
    }
}

/// In parallel with spring and slider the dashpot adds its force to that of the slider, which does not depend on it.
#[test]
fn an_outside_dashpot_adds_to_what_the_slider_carries() {
    let (outside, dropped) = (corner("outside", 0.5, 1000), corner("dropped", 0.5, 1000));
    let dashpot = 0.5 * LIMIT * DVec3::NEG_Z;
    assert!((outside.force - dropped.force - dashpot).length() < 1e-12 * LIMIT);
}

/// Works of friction and of the dashpot never fall, and with the energy of the spring they are the work done, to first order in the step.
#[test]
fn works_never_fall_and_add_up() {
    for share in [0.019, 0.5, 3.0] {
        let difference = |steps: u32| {
            let rate = share * LIMIT / SPEED / 1e-3;
            let given = given![stiffness_ratio = 0.5, tangential_damping_rate = rate];
            let mut drive = Drive::new(law::<Linear>(&given).unwrap(), OVERLAP);
            let step = REACH / f64::from(steps);
            let (mut friction, mut viscous) = (0.0, 0.0);
            for turn in 0..20 * steps {
                // back and forth and around, over an overlap that rises and falls
                let phase = f64::from(turn) / f64::from(steps);
                let direction = DVec3::new(0.0, libm::cos(0.9 * phase), libm::sin(1.3 * phase));
                let overlap = OVERLAP * (1.0 + 0.5 * libm::sin(2.1 * phase));
                drive.step(overlap, direction * step, step / SPEED);
                let now = [drive.field("friction_work")[0], drive.field("viscous_work")[0]];
                assert!(now[0] >= friction && now[1] >= viscous, "share {share}, step {turn}: {now:?}");
                [friction, viscous] = now;
            }
            let held = drive.field("elastic_tangential_work")[0] + friction + viscous;
            (held - drive.work).abs() / drive.work
        };
        let (coarse, fine) = (difference(200), difference(800));
        assert!(coarse < 0.02 && fine < 0.4 * coarse, "share {share}: {coarse} {fine}");
    }
}

/// Hertz: `T_el' = −k_t(t) s'`, `T = T_el − c(t) s'`, `|T| ≤ μN(t)`, by an independent integration with steps a hundred times smaller, along an
/// overlap that rises and falls and a slip that turns.
#[test]
fn hertz_follows_the_differential_equations_of_the_elements() {
    let (mass, ratio): (f64, f64) = (1e-3, 0.4);
    let material = pair();
    let duration = 4e-4;
    let overlap = |t: f64| OVERLAP * (0.6 + 0.4 * libm::sin(std::f64::consts::TAU * t / duration));
    let velocity = |t: f64| 0.25 * DVec3::new(0.0, libm::cos(7.0 * t / duration), 1.3 * libm::sin(5.0 * t / duration));
    let spring = |t: f64| 8.0 * material.effective_shear_modulus * (EFFECTIVE_RADIUS * overlap(t)).sqrt();
    let limit = |t: f64| {
        0.5 * 4.0 / 3.0 * material.effective_young_modulus * EFFECTIVE_RADIUS.sqrt() * overlap(t) * overlap(t).sqrt()
    };
    // implicit in the direction of sliding, as the elements are stiff: the smaller root of their rate
    let force = |elastic: DVec3, t: f64| {
        let viscosity = 2.0 * ratio * (spring(t) * mass).sqrt();
        let trial = elastic - viscosity * velocity(t);
        let total = trial * (limit(t) / trial.length()).min(1.0);
        (total, (elastic - total) * (spring(t) / viscosity))
    };
    let reference = {
        let steps = 800_000;
        let h = duration / f64::from(steps);
        let mut elastic = DVec3::ZERO;
        for step in 0..steps {
            let t = f64::from(step) * h;
            let first = -force(elastic, t).1;
            let second = -force(elastic + h * first, t + h).1;
            elastic += 0.5 * h * (first + second);
        }
        force(elastic, duration).0
    };
    let given = given![tangential_damping_ratio = ratio, unloading = "none"];
    let run = |steps: u32| {
        let mut drive = Drive::new(law::<HertzMindlin>(&given).unwrap(), overlap(0.0));
        let h = duration / f64::from(steps);
        for step in 1..=steps {
            let (start, end) = (f64::from(step - 1) * h, f64::from(step) * h);
            // Simpson's rule: the slip of the step to fourth order
            let slip = h / 6.0 * (velocity(start) + 4.0 * velocity(0.5 * (start + end)) + velocity(end));
            drive.step_at(overlap(end), slip, velocity(end), h);
        }
        drive.force
    };
    let errors = [1000, 2000, 4000, 8000].map(|steps| (run(steps) - reference).length() / limit(duration));
    assert!(errors[3] < 2e-3, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.6 * pair[0], "{errors:?}");
    }
}

/// An unloaded contact lets its spring go with the relaxation time c/k.
#[test]
fn a_spring_without_load_relaxes_through_its_dashpot() {
    let rate = 2e4;
    let given = given![stiffness_ratio = 0.5, tangential_damping_rate = rate];
    let mut drive = Drive::new(law::<Linear>(&given).unwrap(), OVERLAP);
    drive.slip(0.5 * LIMIT / SPRING, 10);
    let start = drive.vector("elastic_slip").y;
    let time = rate * 1e-3 / SPRING;
    let steps = 2000;
    for _ in 0..steps {
        drive.step(0.0, DVec3::ZERO, time / f64::from(steps));
        assert_eq!(drive.force, DVec3::ZERO);
    }
    let share = drive.vector("elastic_slip").y / start;
    assert!((share - libm::exp(-1.0)).abs() < 1e-3, "{share}");
}
