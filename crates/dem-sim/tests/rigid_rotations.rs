//! A touching pair with a tangential load, turned as a rigid body by the exact rotation: what every transport, lever and form of the slip
//! makes of its tangential force, which should turn with the pair. The law takes its slip from the turned positions.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::frame::TransportKind;
use dem_contact::geometry::{ContactGeometry, Lever, SlipForm};
use dem_contact::kernel::Acceptance;
use dem_core::cell::Cell;
use dem_core::rotation::{rodrigues_between, rodrigues_from_rotation_vector};
use dem_core::wall::Motion;
use dem_core::{DQuat, DVec3};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 0.01;
/// As a share of the radius.
const OVERLAP: f64 = 1e-4;
const TIME_STEP: f64 = 1e-6;

/// Centre of the first sphere; the turns are about the origin.
const CENTRE: DVec3 = DVec3::new(0.4 * RADIUS, -0.7 * RADIUS, 0.5 * RADIUS);

/// A contact along x, whose tangential spring along y is elongated by one overlap.
fn loaded(law: &str, with_wall: bool) -> (World, Pipeline) {
    let overlap = OVERLAP * RADIUS;
    // finite sliding is rigid up to a slip in proportion to μ, and then carries μN: that must be small
    let friction = if law == "balevicius" { 0.5 } else { 1e9 };
    let mut world = worlds::world(law, &worlds::common_parameters(law, friction, 1.0), Cell::unbounded());
    world.insert(worlds::sphere(CENTRE, RADIUS));
    if with_wall {
        let shape = dem_core::wall::Shape::Plane { point: CENTRE + DVec3::X * (RADIUS - overlap), normal: -DVec3::X };
        world.walls.push(dem_core::wall::Wall::new("plate", shape, DVec3::ZERO, 0, Motion::default()));
    } else {
        world.insert(worlds::sphere(CENTRE + DVec3::X * (2.0 * RADIUS - overlap), RADIUS));
    }
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    world.particles.rotation_increment[0] = rodrigues_from_rotation_vector(DVec3::Z * (overlap / RADIUS));
    evaluate(&mut world, &mut pipeline);
    (world, pipeline)
}

fn evaluate(world: &mut World, pipeline: &mut Pipeline) {
    pipeline.forces.evaluate(world, TIME_STEP, Acceptance::Trial).unwrap();
    pipeline.forces.commit(world);
}

/// Change of the tangential force, seen from the pair, in proportion to it, after turning the pair about `axis` by `angle` in `steps`
/// steps. Velocities are those of a scheme: displacement and rotation of the step over its length.
fn drift(law: &str, geometry: ContactGeometry, with_wall: bool, axis: DVec3, angle: f64, steps: u32) -> f64 {
    let (mut world, mut pipeline) = loaded(law, with_wall);
    world.contact_geometry = geometry;
    let per_step = angle / f64::from(steps);
    let slot = world.particles.id.iter().position(|&id| id == 0).unwrap();
    let tangential = |world: &World, normal: DVec3| {
        let force = world.particles.force[slot];
        force - normal * force.dot(normal)
    };
    let (start, normal) = (tangential(&world, DVec3::X), DVec3::X);
    if with_wall {
        let motion = Motion { angular_velocity: axis * (per_step / TIME_STEP), ..Motion::default() };
        world.walls[0].set_motion(motion, 0.0);
    }
    let first = world.particles.position.clone();
    let mut total = DQuat::IDENTITY;
    for k in 1..=steps {
        let next = DQuat::from_axis_angle(axis, per_step * f64::from(k));
        let increment = rodrigues_between(total, next);
        total = next;
        if with_wall {
            world.walls[0].advance(TIME_STEP * f64::from(k));
        }
        for slot in 0..world.particles.len() {
            let p = &mut world.particles;
            p.previous_position[slot] = p.position[slot];
            p.position[slot] = total * first[slot];
            p.rotation_increment[slot] = increment;
            p.velocity[slot] = (p.position[slot] - p.previous_position[slot]) / TIME_STEP;
            p.angular_velocity[slot] = axis * (per_step / TIME_STEP);
        }
        evaluate(&mut world, &mut pipeline);
    }
    (tangential(&world, total * normal) - total * start).length() / start.length()
}

fn all<T>(names: &[&'static str], from_name: impl Fn(&str) -> Option<T>) -> Vec<(&'static str, T)> {
    names.iter().map(|name| (*name, from_name(name).unwrap())).collect()
}

/// Round-off of the positions, in proportion to the slip that carries the force. Every increment adds its own, a random walk that shows
/// beyond some ten of them.
fn round_off(steps: u32) -> f64 {
    let farthest = 2.4;
    f64::EPSILON * farthest / OVERLAP * (3.0 * f64::from(steps).sqrt()).max(20.0)
}

/// A quarter turn about an axis at 55° to the normal, in 10 and in 1,000 increments. Exact transport, half the overlap and finite rotations
/// hold to round-off, as do the points that met at the start; every other choice errs by its own amount, and the largest shows:
/// - transport: the figures of a unit vector,
/// - lever `radius`: a slip of the overlap times the angle, 1.2 overlaps,
/// - slip `first-order`: of the order of half the square of an increment times the radius in every step, 10 overlaps in 1,000.
#[test]
fn every_choice_but_the_default_drifts_in_a_quarter_turn_by_the_known_amount() {
    let axis = DVec3::new(1.0, 0.0, 2.0f64.sqrt()).normalize();
    let transport_error = |kind| match kind {
        TransportKind::Exact => [0.0, 0.0],
        TransportKind::AveragedSpin => [2.49e-3, 2.49e-7],
        TransportKind::ProjectionTwirl => [4.07e-2, 4.11e-4],
        TransportKind::Projection => [0.877, 0.876],
        TransportKind::ScaledProjection => [0.903, 0.876],
        TransportKind::None => [1.41, 1.41],
    };
    println!("| transport | lever | slip | 10 increments | 1,000 increments |\n|---|---|---|---|---|");
    for (transport_name, transport) in all(TransportKind::NAMES, TransportKind::from_name) {
        for (lever_name, lever) in all(Lever::NAMES, Lever::from_name) {
            for (slip_name, slip) in all(SlipForm::NAMES, SlipForm::from_name) {
                let geometry = ContactGeometry { lever, slip, transport, ..ContactGeometry::default() };
                let mut row = format!("| {transport_name} | {lever_name} | {slip_name} |");
                for (case, steps) in [10, 1000].into_iter().enumerate() {
                    let found = drift("linear", geometry, false, axis, std::f64::consts::FRAC_PI_2, steps);
                    row += &format!(" {found:.2e} |");
                    let lever_error = if lever == Lever::Radius { 1.2 } else { 0.0 };
                    let slip_error = if slip == SlipForm::FirstOrder { 1e4 / f64::from(steps) } else { 0.0 };
                    let errors = [transport_error(transport)[case], lever_error, slip_error];
                    let largest = errors.into_iter().fold(0.0, f64::max);
                    let limits = if largest == 0.0 { 0.0..=round_off(steps) } else { 0.3 * largest..=3.0 * largest };
                    assert!(limits.contains(&found), "{row} expected {limits:?}");
                }
                println!("{row}");
            }
        }
    }
}

/// The defaults, through many turns about random axes in large and in small increments, for every law.
#[test]
fn a_rigidly_turned_pair_keeps_its_tangential_force() {
    let mut scatter = Scatter(3);
    for law in worlds::all_laws() {
        for (turns, steps) in [(0.25, 10), (0.25, 1000), (50.0, 350), (3.0, 9), (1.0, 20_000)] {
            let axis = scatter.next_vector().normalize();
            let found = drift(law, ContactGeometry::default(), false, axis, std::f64::consts::TAU * turns, steps);
            // round-off makes N tremble, and under a trembling N the force of Mindlin and Deresiewicz creeps by design: about 60 axes it was
            // 1.61e-7 at the first tremble in nearly all, and up to 2.4e-8 per step, whether products in sums are rounded once or twice
            let creep = if law == "mindlin-deresiewicz" { 1.7e-7f64.max(3e-8 * f64::from(steps)) } else { 0.0 };
            let allowed = round_off(steps) + 1e-12 * turns + creep;
            println!("{law} {turns} turns in {steps}: {found:.2e}, allowed {allowed:.2e}");
            assert!(found < allowed, "{law} {turns} turns in {steps}: {found:.2e} > {allowed:.2e}");
        }
    }
}

/// A wall and a sphere on it turn together: they share one contact point, so every lever is objective; the slip must be finite.
#[test]
fn against_a_turning_wall_every_lever_is_objective() {
    let axis = DVec3::new(1.0, 0.3, 2.0f64.sqrt()).normalize();
    for (lever_name, lever) in all(Lever::NAMES, Lever::from_name) {
        for (slip_name, slip) in all(SlipForm::NAMES, SlipForm::from_name) {
            let geometry = ContactGeometry { lever, slip, ..ContactGeometry::default() };
            let found = [12, 1000].map(|steps| drift("linear", geometry, true, axis, std::f64::consts::TAU, steps));
            println!("{lever_name} {slip_name}: {:.2e} in 12, {:.2e} in 1,000", found[0], found[1]);
            if slip == SlipForm::FirstOrder {
                assert!(found[1] > 1.0, "{found:?}");
            } else {
                assert!(found.iter().all(|&x| x < round_off(1000)), "{lever_name} {slip_name}: {found:?}");
            }
        }
    }
}
