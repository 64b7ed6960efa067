//! What a run carries of orientations: spheres move in the same way under every choice, orientations agree, and a Rodrigues vector may stop at half a turn.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::cell::Cell;
use dem_core::rotation::IncrementMap;
use dem_core::rotation::carried::{COLUMN, Carried, HalfTurn, RotationScheme};
use dem_core::{DQuat, DVec3};
use dem_sim::guides::{Drive, Guide, Path};
use dem_sim::integrators::{all_schemes, find};
use dem_sim::world::World;
use dem_testkit::bodies::{body, jack, set_templates};
use dem_testkit::schemes::scheme;
use dem_testkit::worlds::{self, Scatter};

use crate::rigid_bodies::gas;

fn run(mut world: World, carried: Carried, name: &str, steps: usize) -> World {
    world.rotation.carried = carried;
    let mut pipeline = worlds::pipeline_of(&scheme(name));
    pipeline.initialise(&mut world).unwrap();
    for _ in 0..steps {
        pipeline.step(&mut world).unwrap();
    }
    world
}

/// Places and velocities in the order of ids.
fn motion(world: &World) -> Vec<(DVec3, DVec3, DVec3)> {
    let p = &world.particles;
    p.slots_by_id().iter().map(|&s| s as usize).map(|s| (p.position[s], p.velocity[s], p.angular_velocity[s])).collect()
}

/// Largest angle between the orientations of two runs \[rad\].
fn apart(a: &World, b: &World) -> f64 {
    let orientations = |world: &World| {
        let p = &world.particles;
        p.slots_by_id().iter().map(|&slot| p.orientation[slot as usize]).collect::<Vec<DQuat>>()
    };
    let angle = |(a, b): (DQuat, DQuat)| 2.0 * (a * b.conjugate()).xyz().length();
    orientations(a).into_iter().zip(orientations(b)).map(angle).fold(0.0, f64::max)
}

fn spheres() -> World {
    let mut world =
        worlds::world("hertz-mindlin", &worlds::common_parameters("hertz-mindlin", 0.4, 0.8), Cell::unbounded());
    worlds::add_floor(&mut world);
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut scatter = Scatter(5);
    for k in 0..27 {
        let place = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let mut sphere = worlds::sphere((place * 2.2 + DVec3::Z * 1.2) * 1e-3, 1e-3);
        (sphere.velocity, sphere.angular_velocity) = (scatter.next_vector(), scatter.next_vector() * 1000.0);
        sphere.orientation = DQuat::from_scaled_axis(scatter.next_vector() * 2.0);
        world.insert(sphere);
    }
    world.time_step = 1e-6;
    world
}

#[test]
fn spheres_move_to_the_bit_as_with_quaternions() {
    for integrator in all_schemes().iter().map(ToString::to_string) {
        let reference = run(spheres(), Carried::Quaternion, &integrator, 1000);
        for carried in &Carried::ALL[1..] {
            let world = run(spheres(), *carried, &integrator, 1000);
            assert_eq!(motion(&world), motion(&reference), "{integrator} {carried:?}");
            let angle = apart(&world, &reference);
            assert!(angle < 1e-11, "{integrator} {carried:?}: {angle}");
            let column = world.particles.user.iter().find(|column| column.name == COLUMN).unwrap();
            assert_eq!(column.width, carried.width());
        }
    }
}

#[test]
fn bodies_agree_under_every_choice() {
    let spinning = || {
        let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), Cell::unbounded());
        set_templates(&mut world, vec![jack(1e-3)]);
        let mut scatter = Scatter(8);
        for k in 0..10 {
            let mut new = body(DVec3::X * (0.1 * f64::from(k)), DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
            new.angular_velocity = scatter.next_vector() * 100.0;
            world.insert_body(new);
        }
        world.time_step = 1e-4;
        world
    };
    for scheme in all_schemes().iter().filter(|scheme| find(scheme.integrator).unwrap().moves_bodies) {
        let name = scheme.to_string();
        let steps = if name == "velocity-verlet" { 100_000 } else { 2000 };
        let reference = run(spinning(), Carried::Quaternion, &name, steps);
        for carried in &Carried::ALL[1..] {
            let world = run(spinning(), *carried, &name, steps);
            let angle = apart(&world, &reference);
            println!("{name} {carried:?}: {angle:.1e} rad after {steps} steps");
            assert!(angle < 1e-9, "{name} {carried:?}: {angle}");
        }
    }
}

#[test]
fn a_gas_of_bodies_stays_together_for_some_collisions() {
    let reference = run(gas("linear"), Carried::Quaternion, "velocity-verlet", 1500);
    for carried in &Carried::ALL[1..] {
        let world = run(gas("linear"), *carried, "velocity-verlet", 1500);
        assert!(apart(&world, &reference) < 1e-8, "{carried:?}: {}", apart(&world, &reference));
    }
}

#[test]
fn a_rodrigues_vector_stops_at_half_a_turn_if_it_is_to() {
    let mut world = spheres();
    world.walls.clear();
    world.fields.gravity = DVec3::ZERO;
    world.rotation =
        RotationScheme { carried: Carried::Rodrigues, half_turn: HalfTurn::Stop, ..RotationScheme::default() };
    for slot in 0..world.particles.len() {
        world.particles.orientation[slot] = DQuat::IDENTITY;
        world.particles.velocity[slot] = DVec3::ZERO;
        world.particles.angular_velocity[slot] = DVec3::Z * if slot == 7 { 1000.0 } else { 1.0 };
    }
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let mut steps = 0;
    let error = loop {
        match pipeline.step(&mut world) {
            Ok(()) => steps += 1,
            Err(error) => break error.to_string(),
        }
    };
    // π rad at 1000 rad/s in steps of a microsecond
    assert!((3141..=3142).contains(&steps), "{steps}");
    assert!(error.contains("particle 7 came to half a turn"), "{error}");
}

#[test]
fn the_literal_increment_turns_by_less() {
    let spin = 20_000.0;
    let turned = |increment: IncrementMap| {
        let mut world = spheres();
        (world.walls, world.fields.gravity) = (Vec::new(), DVec3::ZERO);
        world.particles.velocity.fill(DVec3::ZERO);
        world.particles.orientation.fill(DQuat::IDENTITY);
        world.particles.angular_velocity.fill(DVec3::Z * spin);
        world.time_step = 1e-5;
        world.rotation.increment = increment;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        for _ in 0..10 {
            pipeline.step(&mut world).unwrap();
        }
        let q = world.particles.orientation[0];
        2.0 * q.z.atan2(q.w)
    };
    // 2 atan(ω dt/2) in every step, against ω dt
    assert!((turned(IncrementMap::Exact) - 2.0).abs() < 1e-13);
    assert!((turned(IncrementMap::Literal) - 20.0 * 0.1f64.atan()).abs() < 1e-13);
}

/// What orientations are carried in follows a turn that is given.
#[test]
fn the_numbers_of_a_body_that_is_turned_are_those_of_its_orientation() {
    for scheme in all_schemes().into_iter().filter(|scheme| find(scheme.integrator).unwrap().moves_bodies) {
        let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), Cell::unbounded());
        world.rotation.carried = Carried::RotationVector;
        world.time_step = 1e-4;
        set_templates(&mut world, vec![jack(1e-3)]);
        world.insert_body(body(DVec3::ZERO, DQuat::from_rotation_x(0.3)));
        let line = Path::Line { point: DVec3::ZERO, direction: DVec3::X };
        let spin = DVec3::new(7.0, -3.0, 5.0);
        let mut guide = Guide { spin: Some(spin), ..Guide::new("shaft", line, Drive::Prescribed(0.25)) };
        guide.attach(&mut world.particles, 0, 0.0, 0.0);
        world.guides.push(guide);
        let mut pipeline = worlds::pipeline_of(&scheme);
        pipeline.initialise(&mut world).unwrap();
        (0..4000).for_each(|_| pipeline.step(&mut world).unwrap());
        let p = &world.particles;
        let column = p.user.iter().find(|column| column.name == COLUMN).unwrap();
        for (numbers, orientation) in column.values.chunks(3).zip(&p.orientation) {
            let meant = DQuat::from_scaled_axis(DVec3::from_slice(numbers));
            let off = 2.0 * (meant * orientation.conjugate()).xyz().length();
            assert!(off < 1e-14, "{scheme}: {off:e} rad off");
        }
    }
}
