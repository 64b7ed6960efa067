//! Static and dynamic friction.

use super::*;
use crate::registry::{self, PairParameters};

const OVERLAP: f64 = 1e-5;
const STATIC: f64 = 0.5;
const DYNAMIC: f64 = 0.3;

/// Forces in units of N over a steady slip of `reaches` times what the static limit holds, in `steps` steps.
fn steady_slip<L: ContactLaw>(drive: &mut Drive<L>, reaches: f64, steps: u32) -> Vec<f64> {
    let step = reaches * STATIC * drive.normal_force() / drive.stiffness() / f64::from(steps);
    (0..steps)
        .map(|_| {
            drive.step(OVERLAP, DVec3::Y * step, 1e-5);
            -drive.force.y / drive.normal_force()
        })
        .collect()
}

fn driven<L: ContactLaw>(sliding_flag: bool) -> Drive<L> {
    Drive::new(
        law(&given![friction = STATIC, dynamic_friction = DYNAMIC, sliding_flag = sliding_flag]).unwrap(),
        OVERLAP,
    )
}

fn keeps_the_dynamic_limit_until_it_sticks_again<L: ContactLaw>() {
    let mut drive = driven::<L>(true);
    let forces = steady_slip(&mut drive, 3.0, 300);
    let drop = forces.windows(2).position(|pair| pair[1] < pair[0] - 1e-12).unwrap();
    assert!((99..=100).contains(&drop), "sticks up to μ_s N: {drop}");
    assert!((forces[drop] - STATIC).abs() < 0.011 * STATIC, "{}", forces[drop]);
    assert!(forces[drop + 1..].iter().all(|x| (x - DYNAMIC).abs() < 1e-13), "then slides at μ_d N");
    assert_eq!(drive.field("sliding"), [1.0]);

    steady_slip(&mut drive, -0.1, 10);
    assert_eq!(drive.field("sliding"), [0.0], "sticks again");
    let again = steady_slip(&mut drive, 2.0, 400);
    let highest = again.iter().copied().fold(0.0, f64::max);
    assert!((highest - STATIC).abs() < 0.006 * STATIC, "the static limit is back: {highest}");
}

#[test]
fn a_sliding_contact_keeps_the_dynamic_limit_until_it_sticks_again() {
    keeps_the_dynamic_limit_until_it_sticks_again::<LinearSliding>();
    keeps_the_dynamic_limit_until_it_sticks_again::<HertzMindlinSliding>();
    keeps_the_dynamic_limit_until_it_sticks_again::<Mindlin>();
    keeps_the_dynamic_limit_until_it_sticks_again::<MindlinTotal>();
}

/// As published, without memory: the force climbs from μ_d N to μ_s N in (μ_s − μ_d)/μ_s · 100 = 40 steps and falls back.
fn is_a_saw_tooth<L: ContactLaw>() {
    let forces = steady_slip(&mut driven::<L>(false), 5.0, 500);
    let drops: Vec<usize> = (1..forces.len()).filter(|&k| forces[k] < forces[k - 1] - 1e-12).collect();
    assert!(drops.len() >= 9, "{drops:?}");
    assert!(drops.windows(2).all(|pair| (40..=42).contains(&(pair[1] - pair[0]))), "{drops:?}");
    assert!(drops.iter().all(|&k| (forces[k] - DYNAMIC).abs() < 1e-13 && forces[k - 1] > 0.98 * STATIC));
}

#[test]
fn without_memory_the_force_of_a_sliding_contact_is_a_saw_tooth() {
    is_a_saw_tooth::<LinearSliding>();
    is_a_saw_tooth::<HertzMindlinSliding>();
    is_a_saw_tooth::<Mindlin>();
    is_a_saw_tooth::<MindlinTotal>();
}

#[test]
fn equal_coefficients_are_the_law_with_one() {
    let mut one = Drive::new(law::<HertzMindlin>(&[]).unwrap(), OVERLAP);
    let mut two = Drive::new(law::<HertzMindlinSliding>(&given![dynamic_friction = 0.5]).unwrap(), OVERLAP);
    for k in 0..100 {
        let slip = DVec3::new(0.0, (f64::from(k) * 0.07).cos(), 0.3) * 5e-7;
        let a = one.step(OVERLAP, slip, 1e-5);
        let b = two.step(OVERLAP, slip, 1e-5);
        assert_eq!(DVec3::from(a.tangential_force), DVec3::from(b.tangential_force));
        assert_eq!(one.record[..], two.record[..one.record.len()]);
    }
}

#[test]
fn dynamic_friction_above_the_static_one_is_refused() {
    let refused = law::<Mindlin>(&given![friction = 0.3, dynamic_friction = 0.4]).unwrap_err();
    assert_eq!(refused.parameter, "dynamic_friction");
    assert_eq!(refused.message, "= 0.4 [-], expected 0 <= value <= friction = 0.3");
    // the variant without memory never drops the parameter
    assert_eq!(law::<Linear>(&given![dynamic_friction = 0.4]).unwrap_err().parameter, "dynamic_friction");
}

/// Without `dynamic_friction` a record of the fast laws has no room for the flag; with it, for all pairs of materials.
#[test]
fn the_registry_takes_the_variant_with_memory_where_a_pair_asks_for_it() {
    // the stiffness of the second one changes, and the work of that is kept
    for (key, numbers) in [("linear", 7), ("hertz-mindlin", 8)] {
        let entry = registry::find(key).unwrap();
        let fields = |dynamic: bool| {
            let mut one = std::collections::BTreeMap::from(given![friction = 0.5, restitution = 1.0]);
            if key == "linear" {
                one.extend(given![normal_stiffness = 1e5]);
            }
            let mut other = one.clone();
            if dynamic {
                other.extend(given![dynamic_friction = 0.4]);
            }
            let pairs = [one.clone(), other.clone(), other, one].map(|given| Some((pair(), given))).to_vec();
            let kernel = (entry.build)(&PairParameters { materials: 2, pairs }).unwrap();
            assert_eq!(kernel.key(), key);
            dem_core::history::stride(kernel.fields())
        };
        assert_eq!((fields(false), fields(true)), (numbers, numbers + 1));
    }
}

/// A block that slides from v₀ and stops: `t = v_c/(g μ_d) ln[(μ_d e^(v₀/v_c) + μ_s − μ_d)/μ_s]`.
fn stops_in_the_right_time_and_place<L: ContactLaw>() {
    let (decay, gravity, speed) = (0.05, 9.81, 1.0);
    let given = given![friction = 0.6, dynamic_friction = 0.3, friction_law = "exponential", decay_speed = decay];
    let mut drive = Drive::new(law::<L>(&given).unwrap(), OVERLAP);
    let mass = drive.normal_force() / gravity;
    let stops = decay / (gravity * 0.3) * libm::log((0.3 * libm::exp(speed / decay) + 0.3) / 0.6);
    assert!((stops - 0.328_013_1).abs() < 1e-7);
    let time_step = 2e-5;
    let (mut v, mut x, mut t) = (speed, 0.0, 0.0);
    while v > 0.0 {
        // the law knows the velocity at the end of the step
        v += 0.5 * time_step * drive.force.y / mass;
        drive.step_at(
            OVERLAP,
            DVec3::Y * (v * time_step),
            DVec3::Y * (v + 0.5 * time_step * drive.force.y / mass),
            time_step,
        );
        (x, t) = (x + v * time_step, t + time_step);
        v += 0.5 * time_step * drive.force.y / mass;
    }
    println!("{}: stops after {t} s and {x} m", L::KEY);
    assert!((t / stops - 1.0).abs() < 3e-4, "{t}");
    assert!((x / 0.169_196_0 - 1.0).abs() < 3e-4, "{x}");
    assert_eq!(drive.field("sliding"), [0.0]);
}

#[test]
fn a_block_stops_under_friction_that_falls_with_the_speed() {
    stops_in_the_right_time_and_place::<LinearSliding>();
    stops_in_the_right_time_and_place::<HertzMindlinSliding>();
    stops_in_the_right_time_and_place::<Mindlin>();
    stops_in_the_right_time_and_place::<MindlinTotal>();
}

#[test]
fn friction_that_falls_with_the_speed_bounds_the_step_and_needs_its_numbers() {
    let plain = law::<Mindlin>(&given![dynamic_friction = 0.3]).unwrap();
    let falling =
        law::<Mindlin>(&given![dynamic_friction = 0.3, friction_law = "exponential", decay_speed = 0.01]).unwrap();
    assert!(falling.needs().tangential_velocity);
    let [plain, falling] = [plain, falling].map(|law| law.dashpots(1e-3, 1e-3, OVERLAP));
    assert_eq!((plain.normal, plain.rolling), (falling.normal, falling.rolling));
    assert!(falling.tangential > plain.tangential);
    let refusal = |given: &[(String, ParameterValue)]| law::<Mindlin>(given).unwrap_err().to_string();
    assert!(refusal(&given![friction_law = "exponential", decay_speed = 0.1]).starts_with("dynamic_friction: missing"));
    assert!(refusal(&given![friction_law = "exponential", dynamic_friction = 0.1]).starts_with("decay_speed: missing"));
    assert!(refusal(&given![dynamic_friction = 0.1, decay_speed = 0.1]).contains("expected only with friction_law"));
}
