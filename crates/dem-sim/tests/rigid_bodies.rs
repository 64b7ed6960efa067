//! Rigid bodies of spheres against closed forms and references.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::contact_forces::SweepPolicy;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::particles::sphere_volume;
use dem_core::{DMat3, DQuat, DVec3};
use dem_sim::deformation::Deformation;
use dem_sim::integrators::Scheme;
use dem_sim::world::World;
use dem_testkit::bodies::{apart, body, dimer, jack, set_templates};
use dem_testkit::schemes::scheme;
use dem_testkit::worlds::{self, Scatter};

use crate::deforming_cell::drive;

const RADIUS: f64 = 1e-3;
/// Integrators that move bodies.
pub const SCHEMES: [&str; 3] = ["velocity-verlet", "semi-implicit-euler", "newmark"];

fn world(law: &str, friction: f64, restitution: f64) -> World {
    worlds::world(law, &worlds::common_parameters(law, friction, restitution), Cell::unbounded())
}

fn steps(world: &mut World, scheme: &Scheme, count: usize) {
    let mut pipeline = worlds::pipeline_of(scheme);
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(world).unwrap();
    for _ in 0..count {
        pipeline.step(world).unwrap();
    }
}

fn free_jack(spin: DVec3, scheme: &Scheme, time: f64, count: usize) -> World {
    let mut world = world("linear", 0.0, 1.0);
    set_templates(&mut world, vec![jack(RADIUS)]);
    let mut new = body(DVec3::new(0.1, 0.2, 0.3), DQuat::from_rotation_y(0.4));
    (new.angular_velocity, new.velocity) = (new.orientation * spin, DVec3::new(1.0, -2.0, 3.0));
    world.insert_body(new);
    world.time_step = time / count as f64;
    steps(&mut world, scheme, count);
    world
}

#[test]
fn a_free_body_keeps_its_momenta_to_the_bit_and_its_energy_within_bounds() {
    for name in SCHEMES {
        let spin = DVec3::new(30.0, 20.0, 100.0);
        let start = free_jack(spin, &scheme(name), 1e-9, 0);
        // |ω| dt = 0.1
        let end = free_jack(spin, &scheme(name), 0.1 / spin.length() * 20_000.0, 20_000);
        let (before, after) = (&start.particles.bodies.all[0], &end.particles.bodies.all[0]);
        assert_eq!(before.angular_momentum, after.angular_momentum, "{name}");
        assert_eq!(before.velocity, after.velocity, "{name}");
        let change = after.kinetic_energy()[1] / before.kinetic_energy()[1] - 1.0;
        println!("{name}: energy of rotation changed by {change:.2e}");
        assert!(change.abs() < 1e-3, "{name}: {change}");
        assert!((after.orientation().length() - 1.0).abs() < 1e-14, "{name}");
    }
}

#[test]
fn orientations_converge_with_the_square_of_the_step() {
    let spin = DVec3::new(30.0, 20.0, 100.0);
    let time = 0.2;
    let orientation =
        |count: usize| free_jack(spin, &scheme("velocity-verlet"), time, count).particles.bodies.all[0].orientation();
    let finest = orientation(25_600);
    let error = |count: usize| 2.0 * (orientation(count) * finest.conjugate()).xyz().length();
    let errors = [400, 800, 1600].map(error);
    println!("errors [rad]: {errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.1, "{errors:?}");
    }
}

/// Speed at which dimers are thrown \[m/s\]: overlaps stay below a ten-thousandth of the radius.
const SPEED: f64 = 0.02;

/// A frictionless dimer thrown on a floor, with its axis at an angle from the vertical.
fn thrown_dimer(angle: f64, restitution: f64, name: &str) -> World {
    let mut world = world("linear", 0.0, restitution);
    worlds::add_floor(&mut world);
    set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
    // the axis of the template is x
    let orientation = DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2 + angle);
    let height = RADIUS * (1.0 + 0.75 * angle.cos()) * (1.0 + 1e-9);
    let mut new = body(DVec3::new(0.0, 0.0, height), orientation);
    new.velocity = DVec3::new(0.0, 0.0, -SPEED);
    world.insert_body(new);
    let mass = dimer_contact_mass(&world, angle);
    world.time_step = world.kernels[0].contact_duration(0, 0, RADIUS, mass, SPEED) / 500.0;
    let mut pipeline = worlds::pipeline_of(&scheme(name));
    pipeline.initialise(&mut world).unwrap();
    pipeline.step(&mut world).unwrap();
    while world.contact_count().walls > 0 {
        pipeline.step(&mut world).unwrap();
    }
    assert!(world.peak_overlap_ratio < 1e-4, "{}", world.peak_overlap_ratio);
    world
}

/// Effective mass where the lower sphere of the dimer meets the floor.
fn dimer_contact_mass(world: &World, angle: f64) -> f64 {
    let body = &world.particles.bodies.all[0];
    let arm = 0.75 * RADIUS * angle.sin();
    1.0 / (1.0 / body.mass + arm * arm / body.moments.y)
}

#[test]
fn a_dimer_rebounds_with_the_impulse_of_rigid_body_mechanics() {
    // (1 + e) m_n v_n, for 30 degrees and e = 0.8 worked out by hand from the closed moments of the dimer
    let world = thrown_dimer(30f64.to_radians(), 0.8, "velocity-verlet");
    let body = &world.particles.bodies.all[0];
    assert!((body.mass - 2.004402e-5).abs() < 1e-11, "{}", body.mass);
    assert!((dimer_contact_mass(&world, 30f64.to_radians()) - 1.757_689e-5).abs() < 1e-11);
    let (speed, spin) = (body.velocity.z / SPEED, body.angular_velocity() / SPEED);
    println!("v {speed:.7}, omega {:.5} rad/s at 1 m/s", spin.y);
    assert!((speed - 0.578_446_4).abs() < 1e-3, "{speed}");
    assert!((spin.y.abs() - 590.809_63).abs() < 0.6, "{spin}");
}

#[test]
fn the_asked_restitution_is_reached_wherever_a_dimer_is_hit() {
    for name in SCHEMES {
        for degrees in [0.0f64, 30.0, 60.0] {
            for tenths in 1..=9 {
                let (angle, asked) = (degrees.to_radians(), f64::from(tenths) / 10.0);
                let world = thrown_dimer(angle, asked, name);
                let body = &world.particles.bodies.all[0];
                let arm = body.to_space(DVec3::new(0.75 * RADIUS, 0.0, 0.0));
                let arm = if arm.z > 0.0 { -arm } else { arm };
                let reached = (body.velocity + body.angular_velocity().cross(arm)).z / SPEED;
                println!("{name} {degrees}° e {asked}: {reached:.5}");
                assert!((reached - asked).abs() < 1e-3, "{name} {degrees}° e {asked}: {reached}");
            }
        }
    }
}

#[test]
fn two_bodies_that_collide_keep_their_momenta_to_round_off() {
    for name in SCHEMES {
        let mut world = world("hertz-mindlin", 0.4, 0.7);
        set_templates(&mut world, vec![jack(RADIUS)]);
        let mut scatter = Scatter(3);
        for side in [-1.0, 1.0] {
            let mut new = body(DVec3::new(5.0 * RADIUS * side, 0.3 * RADIUS * side, 0.0), DQuat::IDENTITY);
            new.orientation = DQuat::from_scaled_axis(scatter.next_vector());
            (new.velocity, new.angular_velocity) = (DVec3::new(-side, 0.0, 0.0), scatter.next_vector() * 200.0);
            world.insert_body(new);
        }
        world.time_step = 1e-7;
        let mut pipeline = worlds::pipeline_of(&scheme(name));
        pipeline.initialise(&mut world).unwrap();
        let (linear, angular) = world.momentum();
        let mut touched = 0;
        for _ in 0..60_000 {
            pipeline.step(&mut world).unwrap();
            touched += world.contact_count().pairs;
        }
        let (linear1, angular1) = world.momentum();
        let (mass, scale) = (world.particles.bodies.all[0].mass, angular.length());
        println!(
            "{name}: {touched} touching steps, momentum {:.1e}, {:.1e}",
            (linear1 - linear).length() / mass,
            (angular1 - angular).length() / scale
        );
        assert!(touched > 100, "{name}");
        assert!((linear1 - linear).length() < 1e-13 * mass, "{name}: {}", linear1 - linear);
        assert!((angular1 - angular).length() < 1e-12 * scale, "{name}: {}", angular1 - angular);
    }
}

#[test]
fn a_cube_symmetric_body_moves_as_the_sphere_of_equal_inertia() {
    let at = 2.0 * RADIUS;
    let mut spheres = vec![(DVec3::ZERO, RADIUS)];
    for axis in DVec3::AXES {
        spheres.extend([(axis * at, RADIUS), (axis * -at, RADIUS)]);
    }
    let template = apart(&spheres);
    let volume = template.volume;
    let mut world = world("linear", 0.0, 1.0);
    set_templates(&mut world, vec![template]);
    let spin = DVec3::new(300.0, -200.0, 100.0);
    let mut new = body(DVec3::ZERO, DQuat::IDENTITY);
    (new.velocity, new.angular_velocity) = (DVec3::new(1.0, 2.0, 3.0), spin);
    world.insert_body(new);
    let mut sphere = worlds::sphere(DVec3::new(1.0, 0.0, 0.0), RADIUS);
    (sphere.velocity, sphere.angular_velocity) = (new.velocity, spin);
    world.insert(sphere);
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    world.time_step = 1e-4;
    steps(&mut world, &scheme("velocity-verlet"), 1000);
    let p = &world.particles;
    assert_eq!(p.body[0], u32::MAX, "the sphere comes before the members");
    let body = &p.bodies.all[0];
    assert!((volume - 7.0 * sphere_volume(RADIUS)).abs() < 1e-14 * volume);
    let angle = 2.0 * (body.orientation() * p.orientation[0].conjugate()).xyz().length();
    assert!(angle < 1e-10, "{angle}");
    assert!((body.position - p.position[0] + DVec3::X).length() < 1e-13);
    assert!((body.velocity - p.velocity[0]).length() < 1e-13);
}

/// A periodic gas of jacks and spheres.
pub fn gas(law: &str) -> World {
    let size = 30.0 * RADIUS;
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(size), [true; 3], [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world(law, &worlds::common_parameters(law, 0.3, 0.8), cell);
    set_templates(&mut world, vec![dimer(RADIUS, 1.2 * RADIUS)]);
    let mut scatter = Scatter(11);
    for k in 0..216 {
        let at = DVec3::new(f64::from(k % 6), f64::from(k / 6 % 6), f64::from(k / 36)) * (5.0 * RADIUS)
            + DVec3::splat(0.2 * RADIUS);
        if k % 5 == 0 {
            let mut sphere = worlds::sphere(at, RADIUS);
            sphere.velocity = scatter.next_vector();
            world.insert(sphere);
            continue;
        }
        let mut new = body(at, DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
        (new.velocity, new.angular_velocity) = (scatter.next_vector(), scatter.next_vector() * 500.0);
        new.scale = 0.8 + 0.4 * scatter.next_unit();
        world.insert_body(new);
    }
    world.time_step = 2e-7;
    world
}

#[test]
fn the_energy_of_a_gas_of_bodies_is_accounted_for() {
    for name in SCHEMES {
        let mut world = gas("linear");
        let mut pipeline = worlds::pipeline_of(&scheme(name));
        pipeline.initialise(&mut world).unwrap();
        let (before, momentum) = (world.energy(), world.momentum().0);
        for _ in 0..20_000 {
            pipeline.step(&mut world).unwrap();
        }
        let (ledger, after) = (world.energy(), world.momentum().0);
        let dissipated = ledger.dissipated_at_contacts();
        let residual = (ledger.balance() - before.balance()) / dissipated;
        println!(
            "{name}: dissipated {:.3} of {:.3e} J, residual {residual:.2e}",
            dissipated / before.kinetic_translation,
            before.kinetic_translation
        );
        assert!(dissipated > 0.05 * before.kinetic_translation, "{name}");
        assert!(residual.abs() < 1e-3, "{name}: {residual}");
        assert!((after - momentum).length() < 1e-11 * before.kinetic_translation, "{name}");
    }
}

#[test]
fn bodies_leave_and_are_mirrored_as_a_whole_by_their_centres() {
    let faces = [[FacePolicy::Open, FacePolicy::Reflect], [FacePolicy::Error; 2], [FacePolicy::Error; 2]];
    let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(0.1), [false; 3], faces);
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), cell);
    set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
    for (x, speed) in [(0.01, -1.0), (0.09, 1.0)] {
        let mut new = body(DVec3::new(x, 0.05, 0.05), DQuat::IDENTITY);
        (new.velocity, new.angular_velocity) = (DVec3::new(speed, 0.0, 0.0), DVec3::new(0.0, 50.0, 0.0));
        world.insert_body(new);
    }
    let mut sphere = worlds::sphere(DVec3::splat(0.05), RADIUS);
    sphere.velocity.x = -1.0;
    world.insert(sphere);
    world.time_step = 1e-5;
    let mass = world.particles.bodies.all[0].mass;
    let kinetic = world.energy().kinetic();
    steps(&mut world, &scheme("velocity-verlet"), 2000);
    let p = &world.particles;
    assert_eq!((p.len(), p.bodies.len(), world.removed), (3, 1, 1), "the first body has left");
    assert!((world.removed_mass - mass).abs() < 1e-18);
    assert_eq!(p.bodies.all[0].id, 1);
    assert_eq!(p.bodies.all[0].velocity.x, -1.0, "the second one was mirrored");
    assert!((p.bodies.all[0].position.x - 0.09).abs() < 1e-12, "{}", p.bodies.all[0].position.x);
    assert_eq!(p.independent(), 1);
    let ledger = world.energy();
    assert!((ledger.balance()).abs() < 1e-14 * kinetic, "{}", ledger.balance());
    for k in 1..3 {
        let arm = p.position[k] - p.bodies.all[0].position;
        assert!((arm.length() - 0.75 * RADIUS).abs() < 1e-15);
    }
}

#[test]
fn frozen_degrees_of_a_body_stay() {
    let mut world = world("linear", 0.0, 1.0);
    set_templates(&mut world, vec![jack(RADIUS)]);
    let mut new = body(DVec3::ZERO, DQuat::from_rotation_z(0.3));
    // turns about z only, moves along y and z
    new.frozen = 1 | 8 | 16;
    (new.velocity, new.angular_velocity) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.0, 0.0, 40.0));
    world.insert_body(new);
    world.fields.gravity = DVec3::new(-5.0, 0.0, -9.81);
    world.time_step = 1e-4;
    steps(&mut world, &scheme("velocity-verlet"), 1000);
    let body = &world.particles.bodies.all[0];
    assert!((body.position - DVec3::new(0.0, 0.2, 0.3 - 0.5 * 0.0981)).length() < 1e-12, "{}", body.position);
    let angle = (body.orientation() * DQuat::from_rotation_z(-4.3)).xyz().length();
    assert!(angle < 1e-9 && body.angular_momentum.truncate().length() == 0.0, "{angle}");
}

/// The bound holds where three bodies of three templates press on a floor: a step just below it is stable, and one at twice what is critical is not.
#[test]
fn the_automatic_bound_of_bodies_is_one_of_stability() {
    let spread = |factor: f64| {
        let mut world = world("linear", 0.0, 1.0);
        worlds::add_floor(&mut world);
        set_templates(&mut world, vec![jack(RADIUS)]);
        world.insert_body(body(DVec3::new(0.0, 0.0, 2.599_9 * RADIUS), DQuat::IDENTITY));
        world.time_step = 1e-9;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        let fractions = dem_contact::time_step::Fractions { particle: 1.0, ..Default::default() };
        let bound = dem_contact::time_step::particle_bound(&world.kernels, &world.list, &world.context(), &fractions);
        let bound = bound.unwrap();
        assert_eq!(bound.contacts, 1);
        world.time_step = factor * bound.time_step;
        pipeline.initialise(&mut world).unwrap();
        let start = world.energy().balance();
        (0..200)
            .map(|_| {
                pipeline.step(&mut world).unwrap();
                (world.energy().balance() - start).abs()
            })
            .fold(0.0, f64::max)
            / start
    };
    let (stable, unstable) = (spread(0.2), spread(4.0));
    println!("relative change of energy: {stable:.1e} below, {unstable:.1e} above");
    assert!(stable < 0.05 && unstable > 1.0, "{stable} {unstable}");
}

/// A periodic gas of dimers in a cell that is stretched along one axis and squeezed along the others: what the cell does is what bodies gain.
#[test]
fn a_deforming_cell_carries_bodies_by_their_centres() {
    let mut world = gas("linear");
    world.deformation = Some(Deformation::default());
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    drive(&mut world, DMat3::from_diagonal(DVec3::new(40.0, -20.0, -20.0)));
    let before = world.energy();
    for _ in 0..20_000 {
        pipeline.step(&mut world).unwrap();
    }
    let after = world.energy();
    let residual = (after.balance() - before.balance()) / after.dissipated_at_contacts();
    println!("cell {:.3e} J, dissipated {:.3e} J, residual {residual:.1e}", after.cell, after.dissipated_at_contacts());
    assert!(residual.abs() < 2e-3, "{residual}");
}

#[test]
fn results_do_not_depend_on_how_sums_are_taken_nor_on_threads() {
    let run = |policy: Option<SweepPolicy>, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = gas("hertz-mindlin");
            let mut pipeline = worlds::pipeline();
            if let Some(policy) = policy {
                pipeline.forces.sweep_policy = policy;
            }
            pipeline.initialise(&mut world).unwrap();
            for _ in 0..3000 {
                pipeline.step(&mut world).unwrap();
            }
            let p = &world.particles;
            let mut bodies = p.bodies.all.clone();
            bodies.sort_by_key(|body| body.id);
            bodies.iter_mut().for_each(|body| body.first = 0);
            let spheres: Vec<_> = p
                .slots_by_id()
                .iter()
                .map(|&s| (p.position[s as usize], p.velocity[s as usize], p.force[s as usize]))
                .collect();
            (bodies, spheres, world.energy())
        })
    };
    let reference = run(Some(SweepPolicy::NEVER), 1);
    let always = SweepPolicy { chunks_per_block: Some(1), random_order: Some(5), ..SweepPolicy::ALWAYS };
    for (policy, threads) in
        [(None, 1), (None, 2), (Some(always), 1), (Some(always), 2), (Some(always), 3), (Some(always), 8)]
    {
        let other = run(policy, threads);
        assert!(
            other.0 == reference.0 && other.1 == reference.1 && other.2 == reference.2,
            "{policy:?}, {threads} threads"
        );
    }
}
