//! What the interface of laws carries, shown with two laws that the engine does not have.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::registry::{self, Entry, RegistrationError};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::history::FurtherWork;
use dem_sim::measure;
use dem_sim::scene::schema;
use dem_sim::world::World;
use dem_testkit::conformance::{self, Outcome};
use dem_testkit::proof_laws::{self, HYSTERETIC, TENACIOUS};
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;
const STIFFNESS: f64 = 1e6;
const REACH: f64 = 1e-3;

#[test]
fn proof_laws_have_every_property_or_a_stated_reason() {
    proof_laws::register();
    let outcomes: Vec<Outcome> = [HYSTERETIC, TENACIOUS].into_iter().flat_map(conformance::outcomes_of).collect();
    let wrong: Vec<String> = outcomes.iter().filter_map(Outcome::unexpected).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_law_of_a_program_is_known_by_name_and_its_name_is_its_own() {
    proof_laws::register();
    assert!(registry::keys().contains(&HYSTERETIC) && registry::find(TENACIOUS).is_some());
    let text = schema().to_string();
    assert!(text.contains(HYSTERETIC) && text.contains("\"reach\""), "the schema does not know the laws");
    let taken: Entry = *registry::find("linear").unwrap();
    assert_eq!(registry::register(taken), Err(RegistrationError::Taken("linear")));
    assert_eq!(registry::register(*registry::find(HYSTERETIC).unwrap()), Err(RegistrationError::Taken(HYSTERETIC)));
    let unspeakable = Entry { key: "No name", ..taken };
    assert_eq!(registry::register(unspeakable), Err(RegistrationError::Name("No name")));
}

/// Two equal spheres with a gap between their surfaces \[m\] and a speed of approach \[m/s\].
fn two(law: &str, numbers: &[(&str, f64)], gap: f64, approach: f64) -> World {
    proof_laws::register();
    let mut world = worlds::world(law, &worlds::parameters(numbers, &[]), Cell::unbounded());
    for side in [-1.0, 1.0] {
        let mut sphere = worlds::sphere(DVec3::X * (side * (RADIUS + 0.5 * gap)), RADIUS);
        sphere.velocity = DVec3::X * (-0.5 * side * approach);
        world.insert(sphere);
    }
    world
}

fn run(world: &mut World, duration: f64, time_step: f64, mut watch: impl FnMut(&World)) {
    world.time_step = time_step;
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(world).unwrap();
    for _ in 0..(duration / time_step) as u64 {
        pipeline.step(world).unwrap();
        watch(world);
    }
}

fn relative_speed(world: &World) -> f64 {
    (world.particles.velocity[1] - world.particles.velocity[0]).x
}

/// An impact on the law with a memory, in closed form: restitution √(k₁/k₂), largest overlap v √(m*/k₁), plastic work (1 − e²) of the
/// kinetic energy; the ledger closes to second order.
#[test]
fn a_normal_force_with_a_memory_dissipates_what_it_must() {
    let (restitution, speed) = (0.6, 0.5);
    let given = [("normal_stiffness", STIFFNESS), ("restitution", restitution), ("friction", 0.3)];
    let mut errors = Vec::new();
    for steps in [200.0, 400.0] {
        let mut world = two(HYSTERETIC, &given, 1e-6, speed);
        let mass = 0.5 * world.particles.mass[0];
        let duration = world.kernels[0].contact_duration(0, 0, 0.5 * RADIUS, mass, speed);
        let (kinetic, start) = (world.energy().kinetic(), world.energy().balance());
        let mut largest = 0.0f64;
        run(&mut world, 1.2 * duration, duration / steps, |world| {
            largest = largest.max(2.0 * RADIUS - (world.particles.position[1] - world.particles.position[0]).length());
        });
        let ledger = world.energy();
        let plastic = ledger.further[FurtherWork::Plastic.place()];
        assert!((relative_speed(&world) / speed - restitution).abs() < 1e-3);
        assert!((largest / (speed * (mass / STIFFNESS).sqrt()) - 1.0).abs() < 1e-3);
        assert!((plastic / ((1.0 - restitution * restitution) * kinetic) - 1.0).abs() < 2e-3, "{plastic}");
        assert!(ledger.friction < 1e-12 * kinetic && ledger.elastic_normal < 1e-12 * kinetic, "{ledger:?}");
        errors.push((ledger.balance() - start).abs() / kinetic);
        assert!(measure::series_columns(&world).iter().any(|column| column.name == "plastic_work"));
    }
    println!("ledger off by {errors:?}");
    assert!(errors[0] < 1e-4 && errors[1] < 0.5 * errors[0] + 1e-15);
}

/// Spheres that touch escape each other if their kinetic energy is more than ½ k (w r*)²; what they keep is the difference.
#[test]
fn bodies_that_hold_on_to_each_other_part_above_the_right_speed() {
    let given = [("normal_stiffness", STIFFNESS), ("reach", REACH), ("friction", 0.3)];
    let (reach, mass) = (REACH * 0.5 * RADIUS, 0.5 * two(TENACIOUS, &given, 0.0, 0.0).particles.mass[0]);
    let escape = reach * (STIFFNESS / mass).sqrt();
    let period = std::f64::consts::TAU * (mass / STIFFNESS).sqrt();
    for factor in [0.5, 0.99, 1.01, 1.5] {
        // without a touch they do not notice each other, whatever the gap
        let mut passing = two(TENACIOUS, &given, 0.5 * reach, -factor * escape);
        run(&mut passing, period, period / 8000.0, |_| ());
        assert_eq!(relative_speed(&passing), factor * escape);

        let mut world = two(TENACIOUS, &given, 1e-3 * reach, factor * escape);
        let start = world.energy().balance();
        let mut torn = false;
        run(&mut world, 2.0 * period, period / 8000.0, |world| torn |= world.energy().further() > 0.0);
        let ledger = world.energy();
        let pull = 0.5 * STIFFNESS * reach * reach;
        println!("{factor}: {} of the escape speed", relative_speed(&world) / escape);
        assert_eq!(torn, factor > 1.0, "{factor}");
        if torn {
            let expected = (factor * factor - 1.0).sqrt();
            assert!((relative_speed(&world) / escape - expected).abs() < 1e-2, "{factor}");
            assert!((ledger.further[FurtherWork::Adhesion.place()] / pull - 1.0).abs() < 4e-3);
        } else {
            assert!(ledger.elastic_normal > 0.0 || ledger.kinetic() > 0.0);
            assert!(world.range() > 0.9 * reach);
        }
        assert!((ledger.balance() - start).abs() < 4e-3 * pull, "{factor}: {:.1e}", (ledger.balance() - start) / pull);
    }
}

/// A sphere that hangs on another one under tension carries a tangential load up to μ (N + k w r*).
#[test]
fn friction_is_limited_by_more_than_the_force_where_bodies_hold_on() {
    use conformance::driven_pair::DrivenPair;
    use conformance::path::{Pose, RADII};
    proof_laws::register();
    let effective = RADII[0] * RADII[1] / (RADII[0] + RADII[1]);
    let (friction, reach) = (0.3, REACH * effective);
    let given = worlds::parameters(&[("normal_stiffness", STIFFNESS), ("reach", REACH), ("friction", friction)], &[]);
    let mut pair = DrivenPair::new(TENACIOUS, &given, &Pose::still(1e-9, DVec3::X), false);
    pair.step(&Pose::still(1e-9, DVec3::X));
    let overlap = -0.4 * reach;
    let mut pose = Pose::still(overlap, DVec3::X);
    pair.step(&pose);
    pose.rotation[0] = DVec3::Z * (10.0 * reach / RADII[0]);
    let loads = pair.step(&pose);
    let normal = loads.normal_force(&pose);
    assert!((normal - STIFFNESS * overlap).abs() < 1e-9 * STIFFNESS * reach, "{normal}");
    let limit = friction * (normal + STIFFNESS * reach);
    let tangential = loads.tangential_force(&pose).length();
    assert!((tangential / limit - 1.0).abs() < 1e-9, "{tangential} of {limit}");
}
