//! Walls whose surface slides, and walls that are in motion when a run or a stage begins.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_core::DVec3;
use dem_sim::builder;
use dem_sim::error::StepError;
use dem_sim::overlap_cause::OverlapCause;
use dem_sim::simulation::{Simulation, SimulationError};

const RADIUS: f64 = 0.01;
const FRICTION: f64 = 0.5;
const GRAVITY: f64 = 9.81;

/// One sphere of [`RADIUS`] with its centre at some height on the z axis, and walls.
fn scene(height: f64, gravity: f64, walls: &str, rest: &str) -> String {
    let (low, high) = (height - RADIUS, height + RADIUS);
    format!(
        r#"
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = {FRICTION}
restitution = 0.5
tangential_damping_ratio = 0.3
[fields]
gravity = [0, 0, -{gravity}]
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[[particles]]
name = "p"
material = "m"
sizes = {{ type = "single", radius = {RADIUS} }}
region = {{ type = "box", min = [-{RADIUS}, -{RADIUS}, {low}], max = [{RADIUS}, {RADIUS}, {high}] }}
fill = {{ type = "lattice", count = 1 }}
{walls}
{rest}
"#
    )
}

fn built(text: &str) -> Simulation {
    let mut simulation = builder::build(&builder::parse_scene("driven", text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

fn refused(text: &str) -> String {
    let loaded = builder::parse_scene("driven", text, &[]).unwrap();
    builder::build(&loaded).err().map(|error| error.to_string()).unwrap_or_default()
}

fn wall(name: &str, shape: &str, motion: &str) -> String {
    format!("[[walls]]\nname = \"{name}\"\nmaterial = \"m\"\nshape = {shape}\nmotion = {motion}\n")
}

const FLOOR: &str = "{ type = \"plane\", normal = [0, 0, 1] }";
const LID: &str = "{ type = \"plane\", point = [0, 0, 0.03], normal = [0, 0, -1] }";

/// A sphere put on a belt slips for 2u/(7μg) and then rolls with 2u/7 and a spin of 5u/7r; the belt has given it that energy and as much
/// heat, m u²/7 each.
#[test]
fn a_belt_drags_a_sphere_along_and_its_work_is_booked() {
    let speed = 0.5;
    let slips = 2.0 * speed / (7.0 * FRICTION * GRAVITY);
    let rectangle = "{ type = \"rectangle\", centre = [0, 0, 0], edge_u = [1, 0, 0], edge_v = [0, 0.4, 0] }";
    let container = "{ type = \"box\", min = [-0.5, -0.2, 0], max = [0.5, 0.2, 0.2] }";
    for shape in [rectangle, container, FLOOR] {
        let belt = wall("belt", shape, &format!("{{ surface_velocity = [-{speed}, 0, 0] }}"));
        let mut simulation = built(&scene(RADIUS, GRAVITY, &belt, "[time]\nstep = \"5 us\"\nend = \"0.2 s\""));
        let (mass, place) = (simulation.world.particles.mass[0], simulation.world.walls[0].pose.position);
        let unit = mass * speed * speed / 7.0;
        let balance = simulation.world.energy().balance();
        while simulation.world.time < 0.8 * slips {
            simulation.advance().unwrap();
        }
        assert!(simulation.world.particles.velocity[0].x > -0.9 * 2.0 / 7.0 * speed, "{shape}: it still slips");
        while simulation.state.stopped.is_none() {
            simulation.advance().unwrap();
        }
        let world = &simulation.world;
        let (v, w) = (world.particles.velocity[0], world.particles.angular_velocity[0]);
        // the lever is shorter than the radius by the overlap, 0.3 % of it
        assert!((v.x / (-2.0 / 7.0 * speed) - 1.0).abs() < 5e-3 && v.z.abs() < 1e-4, "{shape}: {v}");
        assert!((w.y.abs() / (5.0 / 7.0 * speed / RADIUS) - 1.0).abs() < 5e-3, "{shape}: {w}");
        let energy = world.energy();
        assert_eq!((world.walls[0].pose.position, world.walls[0].velocity), (place, DVec3::ZERO), "{shape}");
        assert!((energy.walls / (2.0 * unit) - 1.0).abs() < 5e-3, "{shape}: {} of {}", energy.walls, 2.0 * unit);
        assert!((energy.friction / unit - 1.0).abs() < 2e-2, "{shape}: {} of {unit}", energy.friction);
        assert!((energy.balance() - balance).abs() < 1e-3 * unit, "{shape}: {} of {unit}", energy.balance() - balance);
    }
}

#[test]
fn velocities_that_leave_the_surface_are_refused() {
    let with =
        |shape: &str, motion: &str| refused(&scene(0.05, GRAVITY, &wall("belt", shape, motion), "[time]\nend = 1"));
    assert_eq!(with(FLOOR, "{ surface_velocity = [1, 0, 0] }"), "");
    for (shape, motion, expected) in [
        (FLOOR, "{ surface_velocity = [1, 0, 0.1] }", "no part along the normal of the plane"),
        ("{ type = \"disc\", radius = 0.1 }", "{ surface_velocity = [0, 0, 1] }", "along the normal of the disc"),
        ("{ type = \"cylinder\", radius = 0.1, height = 1 }", "{ surface_velocity = [1, 0, 0] }", "along the axis"),
        ("{ type = \"sphere\", radius = 0.1 }", "{ surface_velocity = [1, 0, 0] }", "no direction that stays"),
        (FLOOR, "{ surface_velocity = [1, 0, 0], angular_velocity = [0, 0, 1] }", "none together with a rotation"),
    ] {
        let message = with(shape, motion);
        assert!(message.contains("walls.belt.motion.surface_velocity") && message.contains(expected), "{message}");
    }
}

/// The same meeting seen by who stands on the wall and by who flies with the sphere: the first forces know of the motion of the wall.
#[test]
fn forces_of_the_first_state_are_those_of_walls_in_motion() {
    let height = 0.999 * RADIUS;
    let time = "[time]\nstep = \"1 us\"\nend = 1";
    let touching = |motion: &str, velocity: f64| {
        let text = scene(RADIUS, 0.0, &wall("floor", FLOOR, motion), time);
        let mut simulation = builder::build(&builder::parse_scene("driven", &text, &[]).unwrap()).unwrap();
        simulation.world.particles.position[0].z = height;
        simulation.world.particles.velocity[0].z = velocity;
        simulation.initialise().unwrap();
        simulation.world.walls[0].force.z
    };
    let (at_rest, by_wall, by_sphere) =
        (touching("{}", 0.0), touching("{ velocity = [0, 0, 0.2] }", 0.0), touching("{}", -0.2));
    assert!(by_wall < 1.5 * at_rest, "damped: {by_wall} {at_rest}");
    assert!((by_wall / by_sphere - 1.0).abs() < 1e-12, "{by_wall} {by_sphere}");
    let swinging = touching("{ amplitude = [0, 0, \"1 mm\"], frequency = \"50 Hz\" }", 0.0);
    let speed = std::f64::consts::TAU * 50.0 * 1e-3;
    assert!((swinging / touching("{}", -speed) - 1.0).abs() < 1e-12);
}

#[test]
fn a_stage_that_sets_a_wall_in_motion_begins_with_its_forces() {
    let time = "[time]\nstep = \"1 us\"\nend = 1";
    let stages = format!(
        "{time}\n[[stages]]\nname = \"rest\"\nuntil = {{ steps = 3 }}\n[[stages]]\nname = \"push\"\nactions = [{{ type = \"move_wall\", wall = \"floor\", \
         motion = {{ velocity = [0, 0, 0.2] }} }}]\nuntil = {{ steps = 10 }}"
    );
    let place = |simulation: &mut Simulation, position: f64, velocity: f64| {
        simulation.world.particles.position[0].z = position;
        simulation.world.particles.velocity[0].z = velocity;
        simulation.initialise().unwrap();
    };
    let mut staged = built(&scene(RADIUS, 0.0, &wall("floor", FLOOR, "{}"), &stages));
    place(&mut staged, 0.999 * RADIUS, 0.0);
    for _ in 0..3 {
        staged.advance().unwrap();
    }
    let (position, velocity) = (staged.world.particles.position[0].z, staged.world.particles.velocity[0].z);
    let mut from_start = built(&scene(RADIUS, 0.0, &wall("floor", FLOOR, "{ velocity = [0, 0, 0.2] }"), time));
    place(&mut from_start, position, velocity);
    for simulation in [&mut staged, &mut from_start] {
        simulation.advance().unwrap();
    }
    let gained = |simulation: &Simulation| simulation.world.particles.velocity[0].z - velocity;
    assert!((gained(&staged) / gained(&from_start) - 1.0).abs() < 1e-9, "{} {}", gained(&staged), gained(&from_start));
    assert!(staged.world.walls[0].work > 0.0);
}

/// Why a scene stops.
fn cause(text: &str) -> (String, OverlapCause) {
    let mut simulation = built(text);
    loop {
        match simulation.advance() {
            Ok(()) => assert!(simulation.state.stopped.is_none(), "it does not stop"),
            Err(SimulationError::Step(error)) => {
                let message = error.to_string();
                let StepError::Overlap { cause, .. } = error else { unreachable!("{message}") };
                assert!(message.contains("(limits.overlap)"), "{message}");
                return (message, *cause);
            }
            Err(other) => unreachable!("{other}"),
        }
    }
}

#[test]
fn overlaps_that_stop_a_run_name_their_cause() {
    let (still, time) = (wall("floor", FLOOR, "{}"), "[time]\nstep = \"2 us\"\nend = 1");
    let lid = |motion: &str| still.clone() + &wall("lid", LID, motion);
    let (message, found) = cause(&scene(RADIUS, 0.0, &lid("{ velocity = [0, 0, -0.1] }"), time));
    assert!(matches!(&found, OverlapCause::BetweenWalls { closing, .. } if (closing - 0.1).abs() < 1e-12), "{found:?}");
    assert!(message.contains("wall \"floor\"") && message.contains("wall \"lid\"") && !message.contains("time step"));

    let fast = wall("lid", LID, "{ velocity = [0, 0, -20] }");
    let (message, found) = cause(&scene(RADIUS, 0.0, &fast, time));
    assert!(matches!(found, OverlapCause::ClosingWall { speed, .. } if (speed - 20.0).abs() < 1e-12), "{message}");

    let dropped = scene(0.3, 300.0, &still, "[time]\nstep = \"2 us\"\nend = 1");
    let (message, found) = cause(&dropped);
    assert_eq!(found, OverlapCause::SoftContact { walls: Vec::new() }, "{message}");

    let (message, found) = cause(&scene(0.3, GRAVITY, &still, "[time]\nstep = \"1 ms\"\nend = 1"));
    assert!(matches!(found, OverlapCause::LongStep { per_step } if per_step > 0.1), "{message}");
}

#[test]
fn a_sphere_that_may_pass_through_a_wall_stops_the_run() {
    let plate = "{ type = \"rectangle\", centre = [0, 0, 0], edge_u = [1, 0, 0], edge_v = [0, 1, 0] }";
    let flying = |motion: &str, velocity: f64, end: f64| {
        let text = scene(0.1, 0.0, &wall("plate", plate, motion), &format!("[time]\nstep = \"10 us\"\nend = {end}"));
        let mut simulation = builder::build(&builder::parse_scene("driven", &text, &[]).unwrap()).unwrap();
        simulation.world.particles.velocity[0].z = velocity;
        simulation.initialise().unwrap();
        loop {
            match simulation.advance() {
                Ok(()) if simulation.state.stopped.is_some() => return None,
                Ok(()) => {}
                Err(error) => return Some(error.to_string()),
            }
        }
    };
    let stopped = flying("{}", -2000.0, 1e-3).unwrap();
    assert!(stopped.contains("particle 0 moves by 2.000 of the radius per step against wall \"plate\""), "{stopped}");
    let by_wall = flying("{ velocity = [0, 0, 2000] }", 0.0, 1e-3).unwrap();
    assert!(by_wall.contains("2.000 of the radius per step against wall \"plate\""), "{by_wall}");
    assert_eq!(flying("{}", 2000.0, 1e-4), None, "away from it nothing is met");
    assert_eq!(flying("{ velocity = [0, 0, 2000] }", 2000.0, 1e-4), None, "nor beside a wall that flies alike");
}
