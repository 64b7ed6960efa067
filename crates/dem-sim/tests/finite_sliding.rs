//! A sphere driven past another one along a straight line: the closed forms of finite sliding.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::frozen;
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;
const FRICTION: f64 = 0.3;
/// Largest overlap, above the fixed sphere \[m\].
const OVERLAP: f64 = 0.02 * RADIUS;

/// Half of the path in contact, `√(4R h₀ − h₀²)` \[m\].
fn half_path() -> f64 {
    (4.0 * RADIUS * OVERLAP - OVERLAP * OVERLAP).sqrt()
}

/// Work of friction on the whole path, `μ ∫ N cos β ds` with `N = 4/3 E* √(R/2) h^(3/2)` and `cos β = y/d`, by the midpoint rule.
fn friction_work(young_modulus: f64) -> f64 {
    let height = 2.0 * RADIUS - OVERLAP;
    let intervals = 200_000;
    let width = 2.0 * half_path() / f64::from(intervals);
    (0..intervals)
        .map(|k| {
            let s = -half_path() + (f64::from(k) + 0.5) * width;
            let d = s.hypot(height);
            let normal = 4.0 / 3.0 * young_modulus * (0.5 * RADIUS).sqrt() * (2.0 * RADIUS - d).max(0.0).powf(1.5);
            FRICTION * normal * height / d * width
        })
        .sum()
}

/// The moving sphere at the start of the path with a speed in units of the critical one; neither sphere turns.
fn driven(speed: f64) -> (World, Pipeline, f64) {
    let given = worlds::common_parameters("balevicius", FRICTION, 1.0);
    let mut world = worlds::world("balevicius", &given, Cell::unbounded());
    let mut fixed = worlds::sphere(DVec3::ZERO, RADIUS);
    fixed.frozen = frozen::ALL_TRANSLATIONS | frozen::ROTATION.iter().sum::<u8>();
    world.insert(fixed);
    let mut moving = worlds::sphere(DVec3::new(-half_path(), 0.0, 2.0 * RADIUS - OVERLAP), RADIUS);
    moving.frozen = frozen::TRANSLATION[1] | frozen::TRANSLATION[2] | frozen::ROTATION.iter().sum::<u8>();
    let effective_modulus = 1e10 / (2.0 * (1.0 - 0.25 * 0.25));
    let mass = worlds::DENSITY * dem_core::particles::sphere_volume(RADIUS);
    let critical = (2.0 * friction_work(effective_modulus) / mass).sqrt();
    moving.velocity = DVec3::new(speed * critical, 0.0, 0.0);
    world.insert(moving);
    world.time_step = 2e-4 * half_path() / (speed * critical);
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    (world, pipeline, critical)
}

fn moving(world: &World) -> usize {
    world.particles.id.iter().position(|&id| id == 1).unwrap()
}

/// What the path takes does not depend on the speed: `v₁ = v₀ √(1 − (v_c/v₀)²)`.
#[test]
fn a_sphere_faster_than_the_critical_speed_leaves_with_the_closed_form_speed() {
    for speed in [1.2, 2.0, 5.0] {
        let (mut world, mut pipeline, critical) = driven(speed);
        while world.particles.position[moving(&world)].x < half_path() {
            pipeline.step(&mut world).unwrap();
        }
        let found = world.particles.velocity[moving(&world)].x / critical;
        let expected = (speed * speed - 1.0).sqrt();
        println!("{speed} v_c: leaves at {found:.6} v_c, expected {expected:.6}");
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    }
}

/// Slower than that it is caught: it comes to rest under a normal force, held by no force along its path.
#[test]
fn a_sphere_slower_than_the_critical_speed_comes_to_rest_in_contact() {
    let (mut world, mut pipeline, critical) = driven(0.7);
    let weight = 1e10 * OVERLAP * OVERLAP;
    let start = world.energy().balance();
    for _ in 0..1_000_000 {
        pipeline.step(&mut world).unwrap();
    }
    let slot = moving(&world);
    let (x, v) = (world.particles.position[slot].x, world.particles.velocity[slot].x);
    let force = world.particles.force[slot];
    let ledger = world.energy();
    let residual = (ledger.balance() - start).abs() / ledger.friction;
    println!(
        "rests at {:.3} of the half path, speed {:.1e} v_c, force along {:.1e} and across {:.1e} N, residual {residual:.1e}",
        x / half_path(),
        v / critical,
        force.x,
        force.z
    );
    assert!(x.abs() < half_path() && v.abs() < 2e-2 * critical);
    assert!(force.z > 1e-3 * weight && force.x.abs() < 0.1 * force.z);
    assert!(residual < 1e-3, "{residual}");
}
