//! One sphere and two spheres against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::geometry::{self, ContactGeometry, Lever, StepContext};
use dem_contact::law::Needs;
use dem_contact::registry;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::lanes::{MOST_LANES, Width};
use dem_core::rotation::{quaternion_from_rodrigues, rodrigues_from_rotation_vector};
use dem_sim::world::World;
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 0.01;

fn law_world(law: &str, friction: f64, restitution: f64) -> World {
    worlds::world(law, &worlds::common_parameters(law, friction, restitution), Cell::unbounded())
}

/// Speed after a head-on impact on the floor in proportion to the speed before; `flags` are parameters of the law.
fn bounce(law: &str, restitution: f64, flags: &[(&str, bool)], steps_per_contact: f64) -> f64 {
    let mut given = worlds::common_parameters(law, 0.0, restitution);
    given.extend(worlds::parameters(&[], flags));
    let mut world = worlds::world(law, &given, Cell::unbounded());
    worlds::add_floor(&mut world);
    let speed = 1.0;
    let mut new = worlds::sphere(DVec3::new(0.0, 0.0, 1.001 * RADIUS), RADIUS);
    new.velocity = DVec3::new(0.0, 0.0, -speed);
    world.insert(new);
    let mass = world.particles.mass[0];
    let duration = world.kernels[0].contact_duration(0, 0, RADIUS, mass, speed);
    world.time_step = duration / steps_per_contact;
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world).unwrap();
    while world.particles.velocity[0].z < 0.0 || world.contact_count().walls > 0 {
        pipeline.step(&mut world).unwrap();
    }
    world.particles.velocity[0].z / speed
}

#[test]
fn achieved_restitution_is_the_one_asked_for() {
    // of a law without the parameter no restitution can be asked, and of adhesive spheres it is that of others
    let is_other = |law: &str| {
        registry::find(law)
            .is_some_and(|entry| entry.conformance.departures.iter().any(|(name, _)| *name == "restitution"))
    };
    let declares = |law: &&str| worlds::declares(law, "restitution") && !is_other(law);
    for law in worlds::all_laws().into_iter().filter(declares) {
        // whether the dashpot may pull, of a law that has one
        let flags: &[&[(&str, bool)]] = if worlds::declares(law, "no_tension") {
            &[&[("no_tension", true)], &[("no_tension", false)]]
        } else {
            &[&[]]
        };
        for flags in flags {
            for tenths in 1..=10 {
                let asked = f64::from(tenths) / 10.0;
                let found = bounce(law, asked, flags, 500.0);
                let error = (found - asked).abs();
                println!("{law} {flags:?} e {asked}: {found:.6}");
                assert!(error < 1e-3, "{law} {flags:?} e {asked}: {found}");
            }
        }
    }
}

#[test]
fn free_fall_is_exact_for_the_scheme() {
    let mut world = law_world("linear", 0.0, 1.0);
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    world.time_step = 1e-3;
    world.insert(worlds::sphere(DVec3::new(0.0, 0.0, 100.0), RADIUS));
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    for _ in 0..2000 {
        pipeline.step(&mut world).unwrap();
    }
    let t = 2.0;
    assert!((world.particles.velocity[0].z + 9.81 * t).abs() < 1e-12 * 9.81 * t * 10.0);
    assert!((world.particles.position[0].z - (100.0 - 0.5 * 9.81 * t * t)).abs() < 1e-11 * 100.0);
}

/// A sphere thrown flat on a rough floor ends up rolling at v₀/(1 + 0.4 (r/L)²), L the lever; the undamped tangential spring rings
/// about it, so the speed is averaged over whole periods.
#[test]
fn sliding_turns_into_rolling_at_the_right_speed() {
    for law in worlds::all_laws() {
        for lever in [Lever::Half, Lever::Radius] {
            let mut world = law_world(law, 0.3, 1.0);
            worlds::add_floor(&mut world);
            world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
            world.contact_geometry.lever = lever;
            let overlap = static_overlap(law);
            assert!(overlap / RADIUS < 1e-4, "{overlap}");
            let mut new = worlds::sphere(DVec3::ZERO, RADIUS);
            let v0 = 0.5;
            new.position = DVec3::new(0.0, 0.0, RADIUS - overlap);
            new.velocity = DVec3::new(v0, 0.0, 0.0);
            world.insert(new);
            let mass = world.particles.mass[0];
            let stiffness = world.kernels[0].stiffness(0, 0, RADIUS, overlap);
            let frequency = (3.5 * stiffness.tangential / mass).sqrt();
            let period = std::f64::consts::TAU / frequency;
            world.time_step = period / 200.0;
            let mut pipeline = worlds::pipeline();
            pipeline.initialise(&mut world).unwrap();
            let slide = 2.0 * v0 / (7.0 * 0.3 * 9.81);
            while world.time < 1.2 * slide {
                pipeline.step(&mut world).unwrap();
            }
            let (mut sum, mut count) = (0.0, 0);
            for _ in 0..200 * 50 {
                pipeline.step(&mut world).unwrap();
                sum += world.particles.velocity[0].x;
                count += 1;
            }
            let found = sum / f64::from(count);
            let length = if lever == Lever::Half { RADIUS - 0.5 * overlap } else { RADIUS };
            let expected = v0 / (1.0 + 0.4 * (RADIUS / length).powi(2));
            println!("{} {lever:?}: {found:.8} m/s, expected {expected:.8}", law);
            assert!((found / expected - 1.0).abs() < 1e-4, "{} {lever:?}: {found} {expected}", law);
        }
    }
}

/// Overlap with the floor at which a contact that has just formed carries the weight of the sphere \[m\], by bisection.
fn static_overlap(law: &str) -> f64 {
    // of a new world each, because a contact may remember its largest overlap
    let excess = |overlap: f64| {
        let mut world = law_world(law, 0.3, 1.0);
        worlds::add_floor(&mut world);
        world.insert(worlds::sphere(DVec3::Z * (RADIUS - overlap), RADIUS));
        worlds::pipeline().initialise(&mut world).unwrap();
        world.particles.force[0].z - 9.81 * world.particles.mass[0]
    };
    let (mut low, mut high) = (0.0, 0.01 * RADIUS);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

#[test]
fn colliding_spheres_conserve_momentum_and_angular_momentum() {
    for law in worlds::all_laws() {
        let mut world = law_world(law, 0.4, 0.7);
        let mut a = worlds::sphere(DVec3::new(0.0, 0.0, 0.0), RADIUS);
        a.velocity = DVec3::new(1.0, 0.2, -0.1);
        a.angular_velocity = DVec3::new(30.0, -50.0, 20.0);
        let mut b = worlds::sphere(DVec3::new(2.3 * RADIUS, 0.6 * RADIUS, 0.2 * RADIUS), 0.7 * RADIUS);
        b.velocity = DVec3::new(-1.5, 0.1, 0.3);
        b.angular_velocity = DVec3::new(-10.0, 40.0, 60.0);
        world.insert(a);
        world.insert(b);
        world.time_step = 1e-6;
        let mut pipeline = worlds::pipeline();
        pipeline.limits.overlap_ratio = 1.0;
        pipeline.initialise(&mut world).unwrap();
        let (linear, angular) = world.momentum();
        let balance = world.energy().balance();
        let kinetic = world.energy().kinetic();
        let mut touched = false;
        for _ in 0..6000 {
            pipeline.step(&mut world).unwrap();
            touched |= world.contact_count().pairs > 0;
        }
        assert!(touched && world.contact_count().pairs == 0);
        let (linear1, angular1) = world.momentum();
        let scale = world.particles.mass[0] * 1.0;
        assert!((linear1 - linear).length() < 1e-14 * scale * 10.0, "{law}");
        assert!((angular1 - angular).length() < 1e-13 * scale * RADIUS * 10.0, "{law}");
        let ledger = world.energy();
        let dissipated = ledger.dissipated_at_contacts();
        worlds::check_works(&world, law).unwrap();
        let tolerance = worlds::ledger_tolerance(&world, kinetic);
        // what the ledger does not close is second order in the step
        let residual = (ledger.balance() - balance).abs();
        println!("{law}: dissipated {:.3} of kinetic, residual {:.2e}", dissipated / kinetic, residual / dissipated);
        assert!(residual < tolerance, "{law}: {residual} of {dissipated}");
    }
}

/// A touching pair seen by the kinematics alone: no increment of a rigid turn makes more slip than round-off of the positions.
#[test]
fn a_rigid_turn_of_any_size_makes_no_slip() {
    let mut scatter = Scatter(5);
    for angle in [1e-4, 0.1, 1.0, 2.5] {
        let axis = scatter.next_vector().normalize();
        let increment = rodrigues_from_rotation_vector(axis * angle);
        let q = quaternion_from_rodrigues(increment);
        let mut world = law_world("linear", 0.5, 1.0);
        let overlap = 1e-4 * RADIUS;
        world.insert(worlds::sphere(DVec3::ZERO, RADIUS));
        world.insert(worlds::sphere(DVec3::new(1.5 * RADIUS - overlap, 0.0, 0.0), 0.5 * RADIUS));
        let p = &mut world.particles;
        for slot in 0..2 {
            p.previous_position[slot] = p.position[slot];
            p.position[slot] = q * p.position[slot];
            p.rotation_increment[slot] = increment;
        }
        let slip = |lever| {
            let geometry = ContactGeometry { lever, ..ContactGeometry::default() };
            let context = StepContext::new(&world.particles, &world.cell, &[], 1e-6, 1e-6, geometry, Width::SCALAR);
            geometry::pairs::<f64>(&context, &context.bodies(), &[0; MOST_LANES], &[1; MOST_LANES], Needs::EVERYTHING)
                .0
                .slip
                .length()
        };
        assert!(
            slip(Lever::Half) <= 20.0 * f64::EPSILON * 1.5 * RADIUS * (1.0 + increment.length()),
            "{angle}: {}",
            slip(Lever::Half)
        );
        assert!(angle < 0.05 || slip(Lever::Radius) > 1e-3 * overlap, "the lever `radius` is not objective");
    }
}

#[test]
fn frozen_degrees_of_freedom_stay_frozen() {
    let mut world = law_world("hertz-mindlin", 0.5, 0.5);
    world.fields.gravity = DVec3::new(0.3, -9.81, 2.0);
    let mut a = worlds::sphere(DVec3::ZERO, RADIUS);
    a.frozen = 4 | 8 | 16;
    let mut b = worlds::sphere(DVec3::new(1.0 * RADIUS, 1.7 * RADIUS, 0.1 * RADIUS), RADIUS);
    b.frozen = 7 | 56;
    world.insert(a);
    world.insert(b);
    world.time_step = 1e-6;
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world).unwrap();
    for _ in 0..20_000 {
        pipeline.step(&mut world).unwrap();
    }
    let slot = |id| world.particles.id.iter().position(|&i| i == id).unwrap();
    let (a, b) = (slot(0), slot(1));
    assert_eq!(world.particles.position[a].z, 0.0);
    assert!(world.particles.angular_velocity[a].z.abs() > 0.0);
    assert_eq!((world.particles.angular_velocity[a].x, world.particles.angular_velocity[a].y), (0.0, 0.0));
    assert_eq!(world.particles.position[b], DVec3::new(1.0 * RADIUS, 1.7 * RADIUS, 0.1 * RADIUS));
}

/// Four spheres that press on the floor and on the next.
fn row_on_the_floor() -> World {
    let mut world = law_world("linear", 0.3, 1.0);
    worlds::add_floor(&mut world);
    world.time_step = 1e-7;
    for k in 0..4 {
        world.insert(worlds::sphere(DVec3::new(1.98 * RADIUS * f64::from(k), 0.0, 0.99 * RADIUS), RADIUS));
    }
    world
}

/// The ledger counts the contacts of the others also between the insertion of a particle and the list that knows it.
#[test]
fn contacts_are_visited_also_before_a_new_particle_is_in_the_list() {
    let mut world = row_on_the_floor();
    world.particles.rearrange(&[2, 0, 3, 1]);
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let keys = |world: &World| {
        let mut keys = Vec::new();
        world.visit_contacts(&mut |c| keys.push(c.key));
        keys.sort_unstable();
        keys
    };
    let (found, energy) = (keys(&world), world.energy());
    assert_eq!(found.len(), 3 + 4);
    assert!(found.windows(2).all(|pair| pair[0] != pair[1]) && energy.elastic_normal > 0.0);
    world.insert(worlds::sphere(DVec3::new(0.0, 0.0, 9.0 * RADIUS), RADIUS));
    assert_eq!((keys(&world), world.energy().elastic_normal), (found, energy.elastic_normal));
}

/// What is asked of contacts between a rebuild on demand and the next evaluation, as in an output after a wall was taken out, still has the
/// forces of the last evaluation.
#[test]
fn forces_survive_a_rebuild_on_demand() {
    let mut world = row_on_the_floor();
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let forces = |world: &World| {
        let mut forces = Vec::new();
        world.visit_contacts(&mut |c| {
            forces.push((c.key, world.forces.mode(c.candidate), world.forces.get(c.candidate).copied()));
        });
        forces
    };
    let before = forces(&world);
    assert!(before.len() == 7 && before.iter().all(|(_, mode, force)| mode.is_some() && force.is_some()));
    pipeline.forces.rebuild(&mut world).unwrap();
    assert_eq!(forces(&world), before);
}
