//! What dashpots carry is in the viscous stress, and nothing of it in the stress of contacts.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_sim::measure::StressMeasure;
use dem_testkit::worlds;

const RADIUS: f64 = 1e-3;
const EDGE: f64 = 0.02;
const OVERLAP: f64 = 1e-5;
/// Normal and tangential speed of the second sphere \[m/s\].
const SPEEDS: [f64; 2] = [0.03, 0.2];
/// γ_n and γ_t \[1/s\]; viscosities are these times the effective mass.
const RATES: [f64; 2] = [700.0, 400.0];

/// Two linear spheres in a periodic cell that part along x and slip along y, at the instant at which they are put there: springs have not moved.
#[test]
fn normal_and_tangential_dashpots_are_viscous_stress() {
    let mut given = worlds::parameters(
        &[
            ("normal_stiffness", 1e6),
            ("friction", 1e3),
            ("damping_rate", RATES[0]),
            ("tangential_damping_rate", RATES[1]),
        ],
        &[("no_tension", false)],
    );
    for sliding in ["kelvin", "lammps", "dropped", "outside"] {
        given.extend(worlds::words(&[("sliding_dashpot", sliding)]));
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(EDGE), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let mut world = worlds::world("linear", &given, cell);
        world.insert(worlds::sphere(DVec3::splat(0.01), RADIUS));
        let distance = 2.0 * RADIUS - OVERLAP;
        let mut second = worlds::sphere(DVec3::splat(0.01) + DVec3::X * distance, RADIUS);
        second.velocity = DVec3::new(SPEEDS[0], SPEEDS[1], 0.0);
        world.insert(second);
        world.time_step = 1e-6;
        worlds::pipeline().initialise(&mut world).unwrap();

        let mass = 0.5 * world.particles.mass[0];
        let per_volume = distance / EDGE.powi(3);
        let stress = StressMeasure::of(&world);
        // force on the first: pulled along the way the second goes, by both dashpots
        let [normal, tangential] = [0, 1].map(|k| RATES[k] * mass * SPEEDS[k] * per_volume);
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-9 * expected.abs();
        assert!(close(stress.viscous.col(0)[0], normal), "{sliding}: {:?} {normal}", stress.viscous);
        assert!(close(stress.viscous.col(1)[0], 0.5 * tangential), "{sliding}: {:?} {tangential}", stress.viscous);
        assert!(close(stress.contacts.col(0)[0], -1e6 * OVERLAP * per_volume), "{sliding}: {:?}", stress.contacts);
        assert!(stress.contacts.col(1)[0].abs() < 1e-12 * tangential, "{sliding}: {:?}", stress.contacts);
    }
}

/// The same with one viscosity for the whole motion of the contact, which acts on the mean velocity of a step: one so short that springs hardly
/// move and the velocity hardly changes, by 1 part in 3,000.
#[test]
fn damping_of_the_whole_motion_is_viscous_stress() {
    const VISCOSITY: f64 = 2.0;
    for law in ["kuhn", "conventional"] {
        let given = worlds::parameters(
            &[("normal_stiffness", 1e6), ("friction", 1e3), ("damping_ratio", 0.0), ("contact_damping", VISCOSITY)],
            &[("no_tension", false)],
        );
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(EDGE), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let mut world = worlds::world(law, &given, cell);
        world.insert(worlds::sphere(DVec3::splat(0.01), RADIUS));
        let distance = 2.0 * RADIUS - OVERLAP;
        let mut second = worlds::sphere(DVec3::splat(0.01) + DVec3::X * distance, RADIUS);
        second.velocity = DVec3::new(SPEEDS[0], SPEEDS[1], 0.0);
        world.insert(second);
        world.time_step = 1e-11;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        pipeline.step(&mut world).unwrap();

        let per_volume = distance / EDGE.powi(3);
        let stress = StressMeasure::of(&world);
        let [normal, tangential] = SPEEDS.map(|speed| VISCOSITY * speed * per_volume);
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-3 * expected.abs();
        assert!(close(stress.viscous.col(0)[0], normal), "{law}: {:?} {normal}", stress.viscous);
        assert!(close(stress.viscous.col(1)[0], 0.5 * tangential), "{law}: {:?} {tangential}", stress.viscous);
        assert!(close(stress.contacts.col(0)[0], -1e6 * OVERLAP * per_volume), "{law}: {:?}", stress.contacts);
        assert!(stress.contacts.col(1)[0].abs() < 1e-4 * tangential, "{law}: {:?}", stress.contacts);
    }
}

/// The same with a viscous liquid between the spheres, whose capillary pull is no viscous stress, with and without a dashpot beside it.
#[test]
fn the_viscosity_of_a_liquid_bridge_is_viscous_stress() {
    const VISCOSITY: f64 = 0.1;
    const SMALLEST: f64 = 1e-5;
    const TENSION: f64 = 0.07;
    for rates in [[0.0; 2], RATES] {
        let mut given = worlds::parameters(
            &[
                ("normal_stiffness", 1e6),
                ("friction", 1e3),
                ("damping_rate", rates[0]),
                ("tangential_damping_rate", rates[1]),
                ("surface_tension", TENSION),
                ("contact_angle", 0.0),
                ("bridge_volume", 1e-12),
                ("liquid_viscosity", VISCOSITY),
                ("separation_minimum", SMALLEST),
            ],
            &[("no_tension", false)],
        );
        given.extend(worlds::words(&[("near_field", "liquid-bridge"), ("bridge_form", "willett-closed")]));
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(EDGE), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let mut world = worlds::world("linear", &given, cell);
        world.insert(worlds::sphere(DVec3::splat(0.01), RADIUS));
        let distance = 2.0 * RADIUS - OVERLAP;
        let mut second = worlds::sphere(DVec3::splat(0.01) + DVec3::X * distance, RADIUS);
        second.velocity = DVec3::new(SPEEDS[0], SPEEDS[1], 0.0);
        world.insert(second);
        world.time_step = 1e-6;
        worlds::pipeline().initialise(&mut world).unwrap();

        let (mass, effective) = (0.5 * world.particles.mass[0], 0.5 * RADIUS);
        let per_volume = distance / EDGE.powi(3);
        let stress = StressMeasure::of(&world);
        let drag = 6.0 * std::f64::consts::PI * VISCOSITY * effective;
        let along = 8.0 / 15.0 * libm::log(effective / SMALLEST) + 0.9588;
        let liquid = [drag * effective / SMALLEST, drag * along];
        let [normal, tangential] = [0, 1].map(|k| (rates[k] * mass + liquid[k]) * SPEEDS[k] * per_volume);
        let pull = std::f64::consts::TAU * RADIUS * TENSION;
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-9 * expected.abs();
        assert!(close(stress.viscous.col(0)[0], normal), "{rates:?}: {:?} {normal}", stress.viscous);
        assert!(close(stress.viscous.col(1)[0], 0.5 * tangential), "{rates:?}: {:?} {tangential}", stress.viscous);
        let elastic = (pull - 1e6 * OVERLAP) * per_volume;
        assert!(close(stress.contacts.col(0)[0], elastic), "{rates:?}: {:?} {elastic}", stress.contacts);
        assert!(stress.contacts.col(1)[0].abs() < 1e-12 * tangential, "{rates:?}: {:?}", stress.contacts);
    }
}

/// A pull between spheres that do not move is no viscous stress, whether or not the law keeps the force of its dashpot.
#[test]
fn a_pull_is_no_viscous_stress() {
    const PULL: f64 = 3.0;
    for law in ["linear", "kuhn", "mindlin-deresiewicz"] {
        let mut given = worlds::common_parameters(law, 0.3, 0.6);
        given.extend(worlds::words(&[("adhesion", "constant")]));
        given.extend(worlds::parameters(&[("pull", PULL)], &[]));
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(EDGE), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let stress = |given: &BTreeMap<String, ParameterValue>| {
            let mut world = worlds::world(law, given, cell);
            world.insert(worlds::sphere(DVec3::splat(0.01), RADIUS));
            world.insert(worlds::sphere(DVec3::splat(0.01) + DVec3::X * (2.0 * RADIUS - OVERLAP), RADIUS));
            world.time_step = 1e-6;
            worlds::pipeline().initialise(&mut world).unwrap();
            StressMeasure::of(&world)
        };
        let with = stress(&given);
        given.remove("adhesion");
        given.remove("pull");
        let without = stress(&given);
        let expected = PULL * (2.0 * RADIUS - OVERLAP) / EDGE.powi(3);
        let found = (with.contacts - without.contacts).col(0)[0];
        assert!((found / expected - 1.0).abs() < 1e-9, "{law}: {found} {expected}");
        assert!(with.viscous.col(0)[0].abs() < 1e-9 * expected, "{law}: {:?}", with.viscous);
    }
}
