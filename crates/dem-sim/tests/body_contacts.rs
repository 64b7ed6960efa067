//! What contacts do to rigid bodies: restitution where one member or two are hit, the choices of the effective mass, and the slip of bodies that move as one.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::{FRAC_PI_2, PI};

use dem_contact::ParameterValue;
use dem_contact::geometry::EffectiveMass;
use dem_contact::kernel::Acceptance;
use dem_core::bodies::body::Body;
use dem_core::cell::Cell;
use dem_core::particles::frozen;
use dem_core::rotation::rodrigues_between;
use dem_core::{DQuat, DVec3};
use dem_sim::integrators::{all_schemes, find};
use dem_sim::world::World;
use dem_testkit::bodies::{body, dimer, jack, set_templates};
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 1e-3;
const SPEED: f64 = 0.02;

fn world(restitution: f64, tension: bool) -> World {
    let mut given = worlds::common_parameters("linear", 0.0, restitution);
    if tension {
        given.insert("no_tension".to_owned(), ParameterValue::Flag(false));
    }
    worlds::world("linear", &given, Cell::unbounded())
}

/// Steps, so many to an impact of a mass, until nothing touches any more.
fn until_apart(world: &mut World, mass: f64, steps: u32) {
    world.time_step = world.kernels[0].contact_duration(0, 0, 0.5 * RADIUS, mass, SPEED) / f64::from(steps);
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(world).unwrap();
    let mut has_touched = false;
    loop {
        pipeline.step(world).unwrap();
        let touches = world.contact_count() != Default::default();
        if has_touched && !touches {
            break;
        }
        has_touched |= touches;
    }
    assert!(world.peak_overlap_ratio < 1e-3, "{}", world.peak_overlap_ratio);
}

/// A dimer along x that flies with its end against a frozen sphere below it; returns the share of the speed of that end that is left.
fn restitution_at_the_end(asked: f64, effective_mass: EffectiveMass, tension: bool, steps: u32) -> f64 {
    let mut world = world(asked, tension);
    world.contact_geometry.effective_mass = effective_mass;
    set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
    let mut anvil = worlds::sphere(DVec3::new(0.75 * RADIUS, 0.0, -2.0 * RADIUS), RADIUS);
    anvil.frozen = frozen::ALL_TRANSLATIONS | frozen::ROTATION.iter().sum::<u8>();
    world.insert(anvil);
    let mut new = body(DVec3::ZERO, DQuat::IDENTITY);
    new.velocity.z = -SPEED;
    world.insert_body(new);
    let mass = 1.0 / world.particles.inverse_mass_at(2, DVec3::NEG_Z);
    until_apart(&mut world, mass, steps);
    let body = &world.particles.bodies.all[0];
    (body.velocity + body.angular_velocity().cross(body.to_space(DVec3::X) * (0.75 * RADIUS))).z / SPEED
}

#[test]
fn a_dimer_hit_across_its_end_has_the_asked_restitution() {
    for tenths in 1..=9 {
        let asked = f64::from(tenths) / 10.0;
        let reached = restitution_at_the_end(asked, EffectiveMass::Contact, false, 500);
        println!("asked {asked}: {reached:.5}");
        assert!((reached - asked).abs() < 1e-3, "{asked}: {reached}");
    }
}

/// The dashpot that belongs to the mass of the whole body is too strong, that of the mass of one sphere too weak: what is left is that of the linear oscillator
/// with that dashpot.
#[test]
fn other_effective_masses_miss_the_asked_restitution_by_what_is_documented() {
    // m_n = 1.28368e-5 kg, the body 2.00440e-5 kg, a sphere 1.04720e-5 kg: the dashpot is off by the root of the ratio
    for (choice, expected) in
        [(EffectiveMass::Contact, 0.5), (EffectiveMass::Body, 0.416), (EffectiveMass::Sphere, 0.536)]
    {
        let reached = restitution_at_the_end(0.5, choice, true, 2000);
        println!("{choice:?}: {reached:.6}");
        assert!((reached - expected).abs() < 1e-3, "{choice:?}: {reached}");
    }
}

#[test]
fn two_dimers_that_hit_each_other_part_with_the_asked_restitution() {
    for tenths in 1..=9 {
        let asked = f64::from(tenths) / 10.0;
        let mut world = world(asked, false);
        set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
        let arm = DVec3::X * (0.75 * RADIUS);
        let orientations = [DQuat::from_rotation_z(0.4), DQuat::from_rotation_y(1.1) * DQuat::from_rotation_z(0.2)];
        // the first member of one touches the second of the other along a normal that is no axis of either
        let normal = DVec3::new(0.3, 0.1, -0.9).normalize();
        let centres = [orientations[0] * arm, -normal * (2.0 * RADIUS) * (1.0 + 1e-9) - orientations[1] * arm];
        for (k, velocity) in [(0, DVec3::new(0.2, 0.1, 0.4) * SPEED), (1, normal * SPEED)] {
            let mut new = body(centres[k], orientations[k]);
            (new.velocity, new.angular_velocity) = (velocity, DVec3::new(3.0, -2.0, 1.0) * (k as f64 + 1.0));
            world.insert_body(new);
        }
        let (first, second) = (0, 3);
        let gap = (world.particles.position[second] - world.particles.position[first]).length() - 2.0 * RADIUS;
        assert!((0.0..1e-8 * RADIUS).contains(&gap), "{gap}");
        let approach = |world: &World| {
            let p = &world.particles;
            let n = (p.position[second] - p.position[first]).normalize();
            (p.velocity[first] - p.velocity[second]).dot(n)
        };
        let before = approach(&world);
        let p = &world.particles;
        let mass = 1.0 / (p.inverse_mass_at(first, -normal) + p.inverse_mass_at(second, normal));
        assert!(before > 0.0);
        until_apart(&mut world, mass, 500);
        let reached = -approach(&world) / before;
        println!("asked {asked}: {reached:.5}");
        assert!((reached - asked).abs() < 1e-3, "{asked}: {reached}");
    }
}

/// Two springs and two dashpots on one mass, each dashpot of what a hit on one member alone moves.
#[test]
fn a_dimer_that_lands_flat_rebounds_by_less_than_is_asked() {
    for (asked, documented) in [(0.1, 0.059), (0.5, 0.454), (0.9, 0.888)] {
        let mut world = world(asked, true);
        worlds::add_floor(&mut world);
        set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
        let mut new = body(DVec3::Z * (RADIUS * (1.0 + 1e-9)), DQuat::IDENTITY);
        new.velocity.z = -SPEED;
        world.insert_body(new);
        let (alone, whole) =
            (1.0 / world.particles.inverse_mass_at(0, DVec3::NEG_Z), world.particles.bodies.all[0].mass);
        until_apart(&mut world, 0.5 * whole, 500);
        let reached = world.particles.bodies.all[0].velocity.z / SPEED;
        let logarithm = f64::ln(asked);
        let share = -logarithm / PI.hypot(logarithm) * (2.0 * alone / whole).sqrt();
        let expected = (-PI * share / (1.0 - share * share).sqrt()).exp();
        println!("asked {asked}: {reached:.4}, oscillator {expected:.4}");
        assert!((expected - documented).abs() < 6e-4, "{expected} {documented}");
        assert!((reached - expected).abs() < 1e-3, "{reached} {expected}");
    }
}

/// Two bodies that touch are moved and turned as one by angles up to a radian: nothing slips, and what a contact has stored turns with them.
#[test]
fn bodies_that_move_as_one_do_not_slip() {
    let mut scatter = Scatter(17);
    for _ in 0..20 {
        let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), Cell::unbounded());
        set_templates(&mut world, vec![jack(RADIUS)]);
        let tilt = DQuat::from_rotation_z(FRAC_PI_2 * scatter.next_unit());
        world.insert_body(body(DVec3::ZERO, tilt));
        // the outer members along x touch
        world.insert_body(body(tilt * DVec3::X * (7.99 * RADIUS), tilt));
        world.time_step = 1e-6;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        assert_eq!(world.contact_count().pairs, 1);
        let (turn, shift) = (scatter.next_vector(), scatter.next_vector() * RADIUS);
        let (rotation, about) = (DQuat::from_scaled_axis(turn), scatter.next_vector() * (5.0 * RADIUS));
        let before = world.particles.position.clone();
        for at in 0..2 {
            let start = {
                let body = &mut world.particles.bodies.all[at];
                let start = body.orientation();
                body.position = about + rotation * (body.position - about) + shift;
                body.orientation = (rotation * start).normalize().to_array();
                start
            };
            world.particles.place_members(at, &Cell::unbounded());
            let body = &world.particles.bodies.all[at];
            let (members, increment) =
                (body.first as usize..(body.first + body.count) as usize, rodrigues_between(start, body.orientation()));
            world.particles.rotation_increment[members].fill(increment);
        }
        world.particles.previous_position = before;
        let time_step = world.time_step;
        pipeline.forces.evaluate(&mut world, time_step, Acceptance::Final).unwrap();
        pipeline.forces.commit(&mut world);
        let mut slip = f64::NAN;
        world.visit_contacts(&mut |c| slip = c.elastic_slip.length());
        assert!(slip < 1e-12 * 8.0 * RADIUS, "turned by {turn}: slip {slip:e} m");
    }
}

/// What a step tells contacts of the motion of members is exact for a rigid one, however far it turns: `d₁ − d₀ = a × (d₀ + d₁)/2` of every vector d that is
/// fixed in the body, with a the rescaled Rodrigues vector of the step.
#[test]
fn the_increment_of_a_step_turns_all_that_is_fixed_in_a_body_exactly() {
    for scheme in all_schemes().into_iter().filter(|scheme| find(scheme.integrator).unwrap().moves_bodies) {
        let mut world = world(0.5, false);
        set_templates(&mut world, vec![jack(RADIUS), dimer(RADIUS, 1.5 * RADIUS)]);
        let mut scatter = Scatter(23);
        for k in 0..8u32 {
            let mut new = body(DVec3::X * (0.1 * f64::from(k)), DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
            // up to more than a radian in a step
            new.angular_velocity = scatter.next_vector() * 1000.0;
            new.velocity = scatter.next_vector() * 0.1;
            new.template = k % 2;
            world.insert_body(new);
        }
        world.time_step = 1e-3;
        let mut pipeline = worlds::pipeline_of(&scheme);
        pipeline.initialise(&mut world).unwrap();
        let arms = |world: &World| -> Vec<(DVec3, DVec3)> {
            let p = &world.particles;
            let of = |body: &Body, slot: u32| (p.position[slot as usize] - body.position, body.to_space(DVec3::ONE));
            p.bodies.all.iter().flat_map(|b| (b.first..b.first + b.count).map(move |slot| of(b, slot))).collect()
        };
        for _ in 0..20 {
            let before = arms(&world);
            pipeline.step(&mut world).unwrap();
            let p = &world.particles;
            let increments = p.bodies.all.iter().flat_map(|b| {
                (b.first..b.first + b.count).map(|slot| (b.rotation_increment, p.rotation_increment[slot as usize]))
            });
            for (((arm0, own0), (arm1, own1)), (of_body, increment)) in
                before.into_iter().zip(arms(&world)).zip(increments)
            {
                assert_eq!(of_body, increment, "{scheme}");
                for (d0, d1, size) in [(arm0, arm1, RADIUS), (own0, own1, 1.0)] {
                    let off = d1 - d0 - increment.cross(0.5 * (d0 + d1));
                    assert!(off.length() < 1e-12 * size * (1.0 + increment.length()), "{scheme}: {off}");
                }
            }
        }
    }
}

/// A dimer that lies on a floor with friction and is held at its centre turns to and fro about its axis: its members do not move, so that all slip comes from
/// the rotation. With springs k_t at the lever l it swings with `Ω² = 2 k_t l²/I₁`.
#[test]
fn a_dimer_that_is_held_turns_on_a_floor_as_a_torsion_pendulum() {
    let overlap = 1e-4 * RADIUS;
    for scheme in all_schemes().into_iter().filter(|scheme| find(scheme.integrator).unwrap().moves_bodies) {
        let given = worlds::parameters(
            &[("normal_stiffness", 1e6), ("stiffness_ratio", 0.5), ("restitution", 1.0), ("friction", 100.0)],
            &[],
        );
        let mut world = worlds::world("linear", &given, Cell::unbounded());
        worlds::add_floor(&mut world);
        set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
        let mut new = body(DVec3::Z * (RADIUS - overlap), DQuat::IDENTITY);
        new.frozen = frozen::ALL_TRANSLATIONS;
        new.angular_velocity.x = 1.0;
        world.insert_body(new);
        let lever = RADIUS - overlap;
        let rate = (2.0 * 5e5 * lever * lever / world.particles.bodies.all[0].moments.x).sqrt();
        // a period in 1000 steps
        world.time_step = 2.0 * PI / rate / 1000.0;
        let mut pipeline = worlds::pipeline_of(&scheme);
        pipeline.initialise(&mut world).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..3000 {
            pipeline.step(&mut world).unwrap();
            let spin = world.particles.bodies.all[0].angular_velocity().x;
            worst = worst.max((spin - (rate * world.time).cos()).abs());
        }
        println!("{scheme}: {worst:.1e}");
        // of first order with velocities of the start of the step; the others are off by 3·2π (2π/1000)²/24 and more
        let tolerance = if scheme.integrator == "semi-implicit-euler" { 1e-2 } else { 1e-3 };
        assert!(worst < tolerance, "{scheme}: {worst}");
    }
}
