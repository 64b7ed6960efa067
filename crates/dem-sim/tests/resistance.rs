//! Resistance against rolling and twisting against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::registry::{self, PairParameters};
use dem_core::cell::Cell;
use dem_core::lanes::Width;
use dem_core::{DQuat, DVec3};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;

type Given = BTreeMap<String, ParameterValue>;

fn given(law: &str, words: &[(&str, &str)], numbers: &[(&str, f64)]) -> Given {
    let mut all = worlds::common_parameters(law, 0.5, 0.5);
    all.extend(worlds::words(words));
    all.extend(worlds::parameters(numbers, &[]));
    all
}

/// A sphere resting on a floor, spinning and moving.
fn on_a_floor(law: &str, given: &Given, velocity: DVec3, spin: DVec3, time_step: f64) -> (World, Pipeline) {
    let mut world = worlds::world(law, given, Cell::unbounded());
    worlds::add_floor(&mut world);
    world.fields.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    let weight = GRAVITY * worlds::DENSITY * dem_core::particles::sphere_volume(RADIUS);
    let mut sphere = worlds::sphere(DVec3::new(0.0, 0.0, RADIUS - static_overlap(&world, weight)), RADIUS);
    sphere.velocity = velocity;
    sphere.angular_velocity = spin;
    world.insert(sphere);
    world.time_step = time_step;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    (world, pipeline)
}

/// Overlap at which the elastic normal force carries the weight: k δ, or 2/3 k(δ) δ for Hertz.
fn static_overlap(world: &World, weight: f64) -> f64 {
    let kernel = &world.kernels[0];
    let factor = if kernel.key() == "hertz-mindlin" { 2.0 / 3.0 } else { 1.0 };
    let (mut low, mut high) = (0.0, 0.1 * RADIUS);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let carries = factor * kernel.stiffness(0, 0, RADIUS, middle).normal * middle > weight;
        if carries { high = middle } else { low = middle }
    }
    low
}

fn run_until(world: &mut World, pipeline: &mut Pipeline, time: f64) {
    while world.time < time {
        pipeline.step(world).unwrap();
    }
}

/// A rolling sphere feels the couple μ_r m g r at its contact point: `a = −μ_r g r²/(r² (1 + 2/5)) = −5/7 μ_r g`.
#[test]
fn a_constant_torque_slows_a_rolling_sphere_at_the_closed_form_rate_until_it_stops() {
    for law in ["linear", "hertz-mindlin"] {
        let (friction, speed) = (0.02, 0.1);
        let given = given(
            law,
            &[("rolling", "constant-torque")],
            &[("rolling_friction", friction), ("tangential_damping_ratio", 0.3)],
        );
        let (mut world, mut pipeline) =
            on_a_floor(law, &given, DVec3::new(speed, 0.0, 0.0), DVec3::new(0.0, speed / RADIUS, 0.0), 5e-6);
        let rate = 5.0 / 7.0 * friction * GRAVITY;
        let stop = speed / rate;
        let start = world.energy().balance();
        run_until(&mut world, &mut pipeline, 0.5 * stop);
        let expected = speed - rate * world.time;
        let error = world.particles.velocity[0].x / expected - 1.0;
        println!("{law}: relative error of the speed at half the stopping time {error:.2e}");
        // the overlap shortens the lever, by 1e-4 of the radius here
        assert!(error.abs() < 3e-4, "{law}: {error}");
        run_until(&mut world, &mut pipeline, 1.05 * stop);
        let left = world.particles.velocity[0].length() / speed;
        let ledger = world.energy();
        let residual = (ledger.balance() - start).abs() / ledger.rolling;
        let share = ledger.rolling / (0.7 * world.particles.mass[0] * speed * speed);
        println!(
            "{law}: left {left:.1e}, dissipated {share:.5} of the kinetic energy by rolling, residual {residual:.1e}"
        );
        assert!(left < 1e-6, "{law}: {left}");
        assert!((share - 1.0).abs() < 1e-3 && residual < 1e-3, "{law}: {share} {residual}");
    }
}

/// Before the spring has reached its limit the couple grows with the angle; then it is the limit, and after the stop the sphere rings
/// about its place of rest until the dashpot has taken the rest.
#[test]
fn an_elastic_plastic_couple_brings_a_rolling_sphere_to_rest() {
    for law in ["linear", "hertz-mindlin"] {
        let (friction, speed) = (0.05, 0.1);
        let given = given(
            law,
            &[("rolling", "elastic-plastic")],
            &[("rolling_friction", friction), ("tangential_damping_ratio", 0.3)],
        );
        let (mut world, mut pipeline) =
            on_a_floor(law, &given, DVec3::new(speed, 0.0, 0.0), DVec3::new(0.0, speed / RADIUS, 0.0), 5e-6);
        let start = world.energy().balance();
        let stop = speed / (5.0 / 7.0 * friction * GRAVITY);
        run_until(&mut world, &mut pipeline, 0.5 * stop);
        let error = world.particles.velocity[0].x / (speed * 0.5) - 1.0;
        // the spring gives a little before it reaches the limit
        assert!(error.abs() < 5e-3, "{law}: {error}");
        let mut reversed = false;
        while world.time < 2.0 * stop {
            pipeline.step(&mut world).unwrap();
            reversed |= world.particles.velocity[0].x < -1e-9;
        }
        let left = world.particles.velocity[0].length() / speed;
        let ledger = world.energy();
        let residual = (ledger.balance() - start).abs() / ledger.rolling;
        println!(
            "{law}: error at half time {error:.1e}, left {left:.1e}, held {:.1e} J, rolling {:.3e} J, residual {residual:.1e}",
            ledger.elastic_rolling, ledger.rolling
        );
        assert!(reversed, "the spring should swing back");
        assert!(left < 1e-4, "{law}: {left}");
        assert!(ledger.elastic_rolling.abs() < 1e-6 * ledger.rolling && residual < 1e-3, "{law}: {residual}");
    }
}

/// A sphere on a slope below the rolling friction angle stays, above it rolls.
#[test]
fn an_elastic_plastic_couple_holds_a_sphere_on_a_slope_up_to_the_rolling_friction() {
    let friction: f64 = 0.1;
    let given = given(
        "linear",
        &[("rolling", "elastic-plastic")],
        &[("rolling_friction", friction), ("tangential_damping_ratio", 0.3)],
    );
    let moved = |slope: f64| {
        let (mut world, mut pipeline) = on_a_floor("linear", &given, DVec3::ZERO, DVec3::ZERO, 1e-5);
        world.fields.gravity = GRAVITY * DVec3::new(libm::sin(slope), 0.0, -libm::cos(slope));
        run_until(&mut world, &mut pipeline, 0.2);
        (world.particles.position[0].x, world.particles.velocity[0].x)
    };
    let angle = libm::atan(friction);
    let (held, rolled) = (moved(0.9 * angle), moved(1.1 * angle));
    println!("below: {held:?}, above: {rolled:?}");
    assert!(held.0 < 1e-3 * RADIUS && held.1.abs() < 1e-6);
    // what exceeds the limit accelerates: 5/7 (g sin − μ_r g cos)
    let slope = 1.1 * angle;
    let expected = 5.0 / 7.0 * GRAVITY * (libm::sin(slope) - friction * libm::cos(slope)) * 0.2;
    assert!((rolled.1 / expected - 1.0).abs() < 0.05, "{} {expected}", rolled.1);
}

/// A sphere that twists on a floor under its weight slows down at `M/I` with M the limit.
#[test]
fn a_twisting_sphere_stops_in_the_closed_form_time() {
    let spin = 20.0;
    for (law, word, numbers) in [
        ("linear", "spring-dashpot", vec![("twisting_friction", 0.05)]),
        ("hertz-mindlin", "spring-dashpot", vec![("twisting_friction", 0.05)]),
        ("hertz-mindlin", "marshall", vec![]),
        ("linear", "marshall", vec![("twisting_radius", 0.2), ("twisting_friction", 0.4)]),
    ] {
        let (mut world, mut pipeline) = on_a_floor(
            law,
            &given(law, &[("twisting", word)], &numbers),
            DVec3::ZERO,
            DVec3::new(0.0, 0.0, spin),
            5e-6,
        );
        let weight = world.particles.mass[0] * GRAVITY;
        let limit = match (law, word) {
            (_, "spring-dashpot") => 0.05 * weight * RADIUS,
            // friction 0.5 of the law, a = √(r δ)
            ("hertz-mindlin", _) => {
                2.0 / 3.0 * 0.5 * weight * (RADIUS * (RADIUS - world.particles.position[0].z)).sqrt()
            }
            _ => 2.0 / 3.0 * 0.4 * weight * 0.2 * RADIUS,
        };
        let rate = limit / world.particles.inertia(0);
        let stop = spin / rate;
        let start = world.energy().balance();
        run_until(&mut world, &mut pipeline, 0.5 * stop);
        let error = world.particles.angular_velocity[0].z / (spin - rate * world.time) - 1.0;
        run_until(&mut world, &mut pipeline, 1.3 * stop);
        let left = world.particles.angular_velocity[0].z.abs() / spin;
        let ledger = world.energy();
        let residual = (ledger.balance() - start).abs() / ledger.twisting;
        println!("{law} {word}: error at half time {error:.1e}, left {left:.1e}, residual {residual:.1e}");
        // the angle over which the spring is loaded is neglected
        assert!(error.abs() < 2e-3, "{law} {word}: {error}");
        assert!(left < 2e-3 && residual < 1e-3, "{law} {word}: {left} {residual}");
    }
}

fn colliding(law: &str, given: &Given, width: Width) -> (World, f64) {
    let mut world = worlds::world(law, given, Cell::unbounded());
    let mut scatter = Scatter(17);
    for k in 0..27 {
        let site = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let mut sphere = worlds::sphere(2.3 * RADIUS * site, RADIUS * (1.0 - 0.1 * f64::from(k % 4)));
        sphere.velocity = scatter.next_vector() - 2.0 * (site - DVec3::ONE);
        sphere.angular_velocity = 100.0 * scatter.next_vector();
        sphere.orientation = DQuat::IDENTITY;
        world.insert(sphere);
    }
    world.time_step = 1e-6;
    let mut pipeline = worlds::pipeline();
    pipeline.forces.width = width;
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world).unwrap();
    let start = world.energy().balance();
    for _ in 0..10_000 {
        pipeline.step(&mut world).unwrap();
    }
    (world, start)
}

/// Parameters of a law with resistance against rolling and twisting.
fn everything(law: &str) -> Given {
    let words = [("rolling", "elastic-plastic"), ("twisting", "spring-dashpot")];
    given(law, &words, &[("rolling_friction", 0.2), ("twisting_friction", 0.1)])
}

#[test]
fn momentum_is_conserved_and_the_ledger_closes_with_resistance_for_every_law() {
    for law in worlds::all_laws() {
        let (world, start) = colliding(law, &everything(law), Width::fastest());
        let ledger = world.energy();
        assert!(ledger.rolling > 0.0 && ledger.twisting > 0.0 && ledger.friction > 0.0);
        let residual = (ledger.balance() - start).abs() / ledger.dissipated_at_contacts();
        println!(
            "{law}: rolling {:.2e} J, twisting {:.2e} J, residual {residual:.1e}",
            ledger.rolling, ledger.twisting
        );
        assert!(residual < 1e-3, "{law}: {residual}");
    }
}

#[test]
fn resistance_gives_the_same_bits_in_any_number_of_lanes() {
    let constant = ([("rolling", "constant-torque"), ("twisting", "marshall")], [("rolling_friction", 0.2)]);
    let sets = [
        ("hertz-mindlin", everything("hertz-mindlin")),
        ("hertz-mindlin", given("hertz-mindlin", &constant.0, &constant.1)),
        ("linear", everything("linear")),
    ];
    for (law, given) in sets {
        let state = |width| {
            let (world, _) = colliding(law, &given, width);
            let p = &world.particles;
            let mut rows: Vec<(u64, [u64; 6])> = (0..p.len())
                .map(|k| {
                    let all = [p.position[k].to_array(), p.angular_velocity[k].to_array()].concat();
                    (p.id[k], std::array::from_fn(|c| all[c].to_bits()))
                })
                .collect();
            rows.sort_unstable();
            rows
        };
        let reference = state(Width::SCALAR);
        for width in Width::available() {
            assert!(state(width) == reference, "{law} {}", width.name());
        }
    }
}

#[test]
fn a_pair_that_turns_rigidly_feels_no_resistance() {
    let given = given(
        "linear",
        &[("rolling", "constant-torque"), ("twisting", "spring-dashpot")],
        &[("rolling_friction", 0.5), ("twisting_friction", 0.5)],
    );
    let mut world = worlds::world("linear", &given, Cell::unbounded());
    let spin = DVec3::new(3.0, -2.0, 5.0);
    for x in [DVec3::ZERO, DVec3::new(1.999 * RADIUS, 0.0, 0.0)] {
        let mut sphere = worlds::sphere(x, RADIUS);
        sphere.angular_velocity = spin;
        sphere.velocity = spin.cross(x);
        world.insert(sphere);
    }
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let kinetic = world.energy().kinetic_rotation;
    pipeline.step(&mut world).unwrap();
    assert!(world.energy().rolling.abs() + world.energy().twisting.abs() < 1e-14 * kinetic);
}

#[test]
fn parameters_without_their_model_are_refused_by_every_law() {
    let material =
        dem_core::material::Material { name: "m".to_owned(), density: 1.0, young_modulus: 1e7, poisson_ratio: 0.3 };
    let pair = dem_core::material::PairMaterial::new(&material, &material);
    let refusal = |law: &str, given: Given| {
        let entry = registry::find(law).unwrap();
        (entry.build)(&PairParameters { materials: 1, pairs: vec![Some((pair, given))] }).err().unwrap().to_string()
    };
    for law in worlds::all_laws() {
        let message = refusal(law, given(law, &[], &[("rolling_friction", 0.1)]));
        assert!(message.contains("rolling_friction: = 0.1, expected only with rolling = "), "{message}");
        let message = refusal(law, given(law, &[("rolling", "elastic-plastic")], &[]));
        assert!(message.contains("rolling_friction: missing"), "{message}");
        let message = refusal(law, given(law, &[("twisting", "screw")], &[]));
        assert!(message.contains("expected one of none, spring-dashpot, marshall"), "{message}");
    }
    let message = refusal("linear", given("linear", &[("twisting", "marshall")], &[]));
    assert!(message.contains("twisting_radius: missing"), "{message}");
}
