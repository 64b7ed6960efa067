//! Every bound of the time step against its closed form, and how the step follows the state of a run.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use dem_core::DVec3;
use dem_core::particles::{frozen, sphere_volume};
use dem_sim::builder;
use dem_sim::simulation::Simulation;

const RADIUS: f64 = 0.1;
const DENSITY: f64 = 2500.0;
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.25;
const STIFFNESS: f64 = 4e4;

/// Spheres of one size at places of a test, under a law and with a step.
fn scene(count: usize, law: &str, time: &str, more: &str) -> String {
    let sources: String = (0..count)
        .map(|k| {
            format!(
                r#"
[[particles]]
name = "sphere {k}"
material = "grain"
sizes = {{ type = "single", radius = {RADIUS} }}
region = {{ type = "box", min = [{k}, 0, 0], max = [{k}.4, 1, 1] }}
fill = {{ type = "random", count = 1 }}
"#
            )
        })
        .collect();
    format!(
        r#"
[fields]
gravity = [0, 0, 0]
[time]
end = "100 s"
{time}
[materials.grain]
density = {DENSITY}
young_modulus = {YOUNG}
poisson_ratio = {POISSON}
[contact]
{law}
{more}
{sources}
"#
    )
}

fn built(text: &str) -> Simulation {
    builder::build(&builder::parse_scene("spheres", text, &[]).unwrap()).unwrap()
}

/// Puts spheres on the x axis.
fn place(simulation: &mut Simulation, x: &[f64], speed: &[f64]) {
    let p = &mut simulation.world.particles;
    for (slot, (&x, &speed)) in x.iter().zip(speed).enumerate() {
        p.position[slot] = DVec3::X * x;
        p.velocity[slot] = DVec3::X * speed;
    }
    simulation.initialise().unwrap();
}

fn mass() -> f64 {
    DENSITY * sphere_volume(RADIUS)
}

/// Bound of a criterion with what it was computed for.
#[track_caller]
fn bound(bounds: &[dem_contact::time_step::Bound], criterion: &str) -> (f64, String) {
    let found = bounds.iter().find(|bound| bound.criterion == criterion);
    let found = found.unwrap_or_else(|| panic!("no {criterion} among {bounds:?}"));
    (found.time_step, found.detail.clone())
}

#[track_caller]
fn expect(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-12, "{found:e}, expected {expected:e}");
}

const LINEAR: &str = "law = \"linear\"\nnormal_stiffness = 4e4\nstiffness_ratio = 0.5\nfriction = 0.5";
const HERTZ: &str = "law = \"hertz-mindlin\"\nfriction = 0.5\ndamping_ratio = 0";

#[test]
fn bounds_of_a_linear_contact_are_those_of_an_oscillator() {
    for ratio in [0.0, 0.3] {
        let law = format!("{LINEAR}\ndamping_ratio = {ratio}\ntangential_damping_ratio = {}", 0.5 * ratio);
        let bounds = built(&scene(2, &law, "expected_speed = 2", "")).time_step.bounds;
        let m = 0.5 * mass();
        let damped = |ratio: f64| (1.0 + ratio * ratio).sqrt() - ratio;
        expect(bound(&bounds, "normal contact oscillation").0, 0.2 * damped(ratio) * 2.0 * (m / STIFFNESS).sqrt());
        // the force is that of the spring and dashpot, the inertia m*/3.5
        let tangential = bound(&bounds, "tangential contact oscillation").0;
        let own = 0.5 * ratio * 3.5f64.sqrt();
        expect(tangential, 0.2 * damped(own) * 2.0 * (m / (3.5 * 0.5 * STIFFNESS)).sqrt());
        if ratio == 0.0 {
            let duration = std::f64::consts::PI * (m / STIFFNESS).sqrt();
            assert!((bound(&bounds, "contact duration").0 / (0.04 * duration) - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn bounds_of_a_hertz_contact_are_those_of_its_impact() {
    let speed = 2.0;
    let simulation = built(&scene(2, HERTZ, "expected_speed = 2", ""));
    let bounds = &simulation.time_step.bounds;
    let (r, m) = (0.5 * RADIUS, 0.5 * mass());
    let e = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    let deepest = (15.0 * m * speed * speed / (16.0 * e * r.sqrt())).powf(0.4);
    let (duration, detail) = bound(bounds, "contact duration");
    assert!((duration / (0.04 * 2.9433 * deepest / speed) - 1.0).abs() < 1e-4, "{duration:e}");
    assert!(detail.contains("2.000 m/s"), "{detail}");
    let stiffness = 2.0 * e * (r * deepest).sqrt();
    assert!((bound(bounds, "normal contact oscillation").0 / (0.4 * (m / stiffness).sqrt()) - 1.0).abs() < 1e-6);
    // the smallest is taken and named
    assert_eq!(simulation.world.time_step, bounds[0].time_step);
    assert_eq!(simulation.state.time_step_criterion, bounds[0].criterion);
    assert!(bounds.is_sorted_by(|a, b| a.time_step <= b.time_step));
}

#[test]
fn bounds_of_waves_and_motion_follow_from_size_and_speed() {
    let simulation = built(&scene(1, HERTZ, "expected_speed = 2", ""));
    let bounds = &simulation.time_step.bounds;
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let rayleigh = std::f64::consts::PI * RADIUS * (DENSITY / shear).sqrt() / (0.1631 * POISSON + 0.8766);
    expect(bound(bounds, "Rayleigh time").0, 0.2 * rayleigh);
    expect(bound(bounds, "displacement per step").0, 0.01 * RADIUS / 2.0);
}

/// Three spheres in a row under pressure: the one in the middle has twice the stiffness of the others.
#[test]
fn bound_of_a_particle_sums_its_contacts_and_names_the_pair() {
    let mut simulation = built(&scene(3, LINEAR, "expected_speed = 1e-3", "damping_ratio = 0"));
    let step = 2.0 * RADIUS - 1e-4;
    place(&mut simulation, &[0.0, step, 2.0 * step + 0.5e-4], &[0.0; 3]);
    let (found, detail) = bound(&simulation.present_bounds(), "stiffness of a particle's contacts");
    let translation = 2.0 * 2.0 * 1.5 * STIFFNESS / mass();
    let lever = RADIUS - 0.5e-4;
    let rotation = 2.0 * 2.0 * 0.5 * STIFFNESS * lever * lever / (0.4 * mass() * RADIUS * RADIUS);
    let omega = translation.max(rotation).sqrt();
    assert!((found / (0.3 * 2.0 / omega) - 1.0).abs() < 1e-3, "{found:e}");
    assert_eq!(detail, "particle 1 with 2 contacts, the stiffest on particle 0");
    // part of what `auto` chooses from
    assert_eq!(bound(&simulation.time_step.bounds, "stiffness of a particle's contacts").0, found);
}

/// The same with dashpots, of which all that touch a sphere act on it together; resistance to rolling has one, too.
#[test]
fn bound_of_a_particle_sums_its_dashpots() {
    let (normal, tangential, rolling, spring) = (0.5, 0.4, 0.3, 7.0);
    let law = format!(
        "{LINEAR}\ntangential_damping_ratio = {tangential}\nrolling = \"elastic-plastic\"\nrolling_friction = 0.1\n\
         rolling_damping_ratio = {rolling}\nrolling_stiffness = {spring}"
    );
    let mut simulation = built(&scene(3, &law, "expected_speed = 1e-3", &format!("damping_ratio = {normal}")));
    let step = 2.0 * RADIUS - 1e-4;
    place(&mut simulation, &[0.0, step, 2.0 * step], &[0.0; 3]);
    let (found, _) = bound(&simulation.present_bounds(), "stiffness of a particle's contacts");
    let (m, inertia, lever) = (mass(), 0.4 * mass() * RADIUS * RADIUS, RADIUS - 0.5e-4);
    let (reduced, radius) = (0.5 * m, 0.5 * RADIUS);
    let dashpot = |ratio: f64, k: f64, inertia: f64| 2.0 * ratio * (k * inertia).sqrt();
    let against_rolling = dashpot(rolling, spring, 1.4 * reduced * radius * radius);
    // contacts on opposite sides: spinning and translation do not mix
    let spinning = (dashpot(tangential, 0.5 * STIFFNESS, reduced) * lever * lever + against_rolling) / inertia;
    let decay = 2.0 * 2.0 * spinning.max(dashpot(normal, STIFFNESS, reduced) / m);
    let translation = 2.0 * 2.0 * 1.5 * STIFFNESS / m;
    let rotation = 2.0 * 2.0 * (0.5 * STIFFNESS * lever * lever + spring) / inertia;
    let omega = translation.max(rotation).sqrt();
    let left = decay * found / 0.9 + (omega * found / 0.6).powi(2);
    assert!((left - 1.0).abs() < 1e-7, "{left}");
}

/// Frozen spheres overlap as they like, as those of a rough base do; nothing of them oscillates.
#[test]
fn particles_that_cannot_move_do_not_bound_the_step() {
    let law = format!("{LINEAR}\ntangential_damping_ratio = 0.4");
    let mut simulation = built(&scene(3, &law, "expected_speed = 1e-3", "damping_ratio = 0.5"));
    let p = &mut simulation.world.particles;
    for slot in 0..2 {
        p.frozen[slot] = frozen::TRANSLATION.iter().chain(&frozen::ROTATION).fold(0, |all, bit| all | bit);
        p.inverse_mass[slot] = 0.0;
    }
    place(&mut simulation, &[0.0, 1.95 * RADIUS, 4.5 * RADIUS], &[0.0; 3]);
    assert_eq!(simulation.world.contact_count().pairs, 1);
    let bounds = simulation.present_bounds();
    assert!(bounds.iter().all(|bound| bound.criterion != "stiffness of a particle's contacts"), "{bounds:?}");
    // the third one on the second
    place(&mut simulation, &[0.0, 1.95 * RADIUS, 3.94 * RADIUS], &[0.0; 3]);
    let (_, detail) = bound(&simulation.present_bounds(), "stiffness of a particle's contacts");
    assert_eq!(detail, "particle 2 on particle 1");
}

const FLOOR: &str = r#"
[[walls]]
name = "floor"
material = "grain"
shape = { type = "plane", point = [0, 0, 0], normal = [1, 0, 0] }
"#;

#[test]
fn bounds_of_the_state_name_particles_pairs_and_walls() {
    let mut simulation = built(&scene(3, HERTZ, "expected_speed = 1e-3", FLOOR));
    // two approach each other, one a wall, more slowly
    place(&mut simulation, &[0.999 * RADIUS, 1.0, 1.0 + 1.999 * RADIUS], &[-1.0, 2.0, -2.0]);
    simulation.world.particles.angular_velocity[2] = DVec3::Z * 30.0;
    let bounds = simulation.present_bounds();
    let (duration, detail) = bound(&bounds, "contact duration");
    assert_eq!(detail, "particles 1 and 2 at 4.0000 m/s");
    let kernel = &simulation.world.kernels[0];
    expect(duration, 0.04 * kernel.contact_duration(0, 0, 0.5 * RADIUS, 0.5 * mass(), 4.0));
    let (turn, detail) = bound(&bounds, "rotation per step");
    expect(turn, 0.05 / 30.0);
    assert_eq!(detail, "particle 2 at 30.0000 rad/s");
    let (moved, detail) = bound(&bounds, "displacement per step");
    expect(moved, 0.01 * RADIUS / 2.0);
    assert_eq!(detail, "particle 1 at 2.0000 m/s");
    // as they part, the wall is left
    for slot in [1, 2] {
        simulation.world.particles.velocity[slot] *= -1.0;
    }
    let (duration, detail) = bound(&simulation.present_bounds(), "contact duration");
    assert_eq!(detail, "particle 0 and wall \"floor\" at 1.0000 m/s");
    expect(duration, 0.04 * simulation.world.kernels[0].contact_duration(0, 0, RADIUS, mass(), 1.0));
}

#[test]
fn fast_spin_bounds_the_step_to_a_twentieth_of_a_radian() {
    let spinning = |spin: f64| {
        let text = scene(1, HERTZ, "expected_speed = 1e-3", "");
        built(
            &text.replace("material = \"grain\"", &format!("material = \"grain\"\nangular_velocity = [0, 0, {spin}]")),
        )
    };
    let fast = spinning(1e4);
    assert_eq!(fast.state.time_step_criterion, "rotation per step");
    expect(fast.world.time_step, 5e-6);
    let slow = spinning(1e-3);
    assert_ne!(slow.state.time_step_criterion, "rotation per step");
    assert!(slow.world.time_step > fast.world.time_step);
}

#[test]
fn step_is_reduced_when_a_particle_spins_up_or_is_faster_than_expected() {
    for (criterion, spin, speed) in [("rotation per step", 0.2, 0.0), ("displacement per step", 0.0, 0.04 * RADIUS)] {
        let wide = "[domain]\nmin = [-1e9, -1e9, -1e9]\nmax = [1e9, 1e9, 1e9]";
        let mut simulation = built(&scene(1, HERTZ, "expected_speed = 1e-3", wide));
        let before = simulation.world.time_step;
        simulation.world.particles.angular_velocity[0] = DVec3::X * (spin / before);
        simulation.world.particles.velocity[0] = DVec3::X * (speed / before);
        for _ in 0..1000 {
            simulation.advance().unwrap();
        }
        assert_eq!(simulation.state.time_step_criterion, criterion);
        assert!((simulation.world.time_step - 0.9 * before / 4.0).abs() < 1e-12 * before);
        assert_eq!(simulation.state.steps_taken, [before; 2]);
    }
}

#[test]
fn contact_parameters_of_a_stage_reduce_the_step() {
    let stages = "[[stages]]\nname = \"soft\"\nuntil = { steps = 3 }\n[[stages]]\nname = \"stiff\"\n\
                  actions = [{ type = \"set_contact\", parameters = { normal_stiffness = 4e8 } }]\nuntil = { steps = 3 }";
    for (time, reduced) in [("", true), ("step = 1e-4", false)] {
        let mut simulation = built(&scene(
            2,
            LINEAR,
            &format!("expected_speed = 1e-2\n{time}"),
            &format!("damping_ratio = 0.3\n{stages}"),
        ));
        place(&mut simulation, &[0.0, 1.0], &[0.0; 2]);
        let before = simulation.world.time_step;
        for _ in 0..5 {
            simulation.advance().unwrap();
        }
        let after = simulation.world.time_step;
        if reduced {
            // a hundredth of the period; the Rayleigh time had set the first one
            let tightest = &simulation.time_step.bounds[0];
            assert_eq!(after, tightest.time_step);
            assert!(tightest.criterion.contains("contact") && after < 0.2 * before, "{tightest:?}");
        } else {
            assert_eq!(after, before);
        }
    }
}

/// A wall that stands at x = −1, of some shape, with a motion.
fn moving_wall(shape: &str, motion: &str) -> String {
    format!("[[walls]]\nname = \"plate\"\nmaterial = \"grain\"\nshape = {{ {shape} }}\nmotion = {{ {motion} }}\n")
}

const PLATE: &str = "type = \"plane\", point = [-1, 0, 0], normal = [1, 0, 0]";
const PADDLE: &str = "type = \"rectangle\", centre = [-1, 0, 0], edge_u = [0, 0.2, 0], edge_v = [0, 0, 0.2]";

#[test]
fn periods_of_motions_bound_the_step() {
    let turns = std::f64::consts::TAU / 4e4;
    for (shape, motion, period) in [
        (PLATE, "amplitude = [1e-6, 0, 0], frequency = \"20 kHz\"", Some(5e-5)),
        (PADDLE, "angular_velocity = [0, 4e4, 0]", Some(turns)),
        (PLATE, "angular_velocity = [0, 4e4, 0]", Some(turns)),
        // what turns into itself, or only translates, has no period
        (PLATE, "angular_velocity = [4e4, 0, 0]", None),
        (PLATE, "velocity = [0, 10, 0]", None),
    ] {
        let mut simulation = built(&scene(1, HERTZ, "expected_speed = 1e-3", &moving_wall(shape, motion)));
        simulation.initialise().unwrap();
        let bounds = &simulation.time_step.bounds;
        match period {
            Some(period) => {
                let (found, detail) = bound(bounds, "period of a motion");
                expect(found, 0.02 * period);
                assert!(detail.contains("wall \"plate\""), "{detail}");
                assert!(simulation.world.time_step <= found, "{motion}");
            }
            None => assert!(bounds.iter().all(|bound| bound.criterion != "period of a motion"), "{motion}: {bounds:?}"),
        }
    }
    let turning = scene(1, HERTZ, "expected_speed = 1e-3", "")
        .replace("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]\ngravity_rotation = [0, 4e4, 0]");
    let mut simulation = built(&turning);
    simulation.initialise().unwrap();
    expect(bound(&simulation.time_step.bounds, "period of a motion").0, 0.02 * turns);
}

#[test]
fn the_way_of_a_wall_in_a_step_is_short_against_the_smallest_sphere() {
    for (motion, speed) in [("velocity = [30, 40, 0]", 30.0), ("velocity = [0, 40, 0]", 0.0)] {
        let mut simulation = built(&scene(1, HERTZ, "expected_speed = 1e-3", &moving_wall(PLATE, motion)));
        simulation.initialise().unwrap();
        let found = simulation.present_bounds();
        let found = found.iter().find(|bound| bound.criterion == "displacement of a wall per step");
        assert_eq!(found.is_some(), speed > 0.0, "what moves along itself goes nowhere");
        if let Some(found) = found {
            expect(found.time_step, 0.01 * RADIUS / speed);
        }
    }
}

#[test]
fn what_a_stage_sets_in_motion_reduces_the_step() {
    let stages = "[[stages]]\nname = \"still\"\nuntil = { steps = 3 }\n[[stages]]\nname = \"shaken\"\n\
                  actions = [{ type = \"move_wall\", wall = \"plate\", motion = { amplitude = [1e-6, 0, 0], frequency = 2e4 } }]\n\
                  until = { steps = 3 }";
    for (time, reduced) in [("", true), ("step = 1e-4", false)] {
        let wall = moving_wall(PLATE, "");
        let mut simulation =
            built(&scene(1, HERTZ, &format!("expected_speed = 1e-3\n{time}"), &format!("{wall}{stages}")));
        simulation.initialise().unwrap();
        let later = dem_sim::scene_check::bounds_of_stages(&simulation);
        let (stage, shaken) = later.iter().find(|(_, bound)| bound.criterion == "period of a motion").unwrap();
        assert_eq!(stage, "shaken");
        expect(shaken.time_step, 0.02 / 2e4);
        let before = simulation.world.time_step;
        for _ in 0..5 {
            simulation.advance().unwrap();
        }
        if reduced {
            assert!(before > 1e-5);
            expect(simulation.world.time_step, 1e-6);
            assert_eq!(simulation.state.time_step_criterion, "period of a motion");
        } else {
            assert_eq!(simulation.world.time_step, before);
        }
    }
}

/// Neighbours come nearer by the strain of a step times their distance.
#[test]
fn driven_cells_bound_the_step() {
    let cell = "[domain]\nmin = [-1, -1, -1]\nmax = [2, 2, 2]\nx = \"periodic\"\ny = \"periodic\"\nz = \"periodic\"\n[cell]\n\
                [[stages]]\nname = \"shear\"\ndeform = { xy = { rate = 3e3 }, xx = { rate = 4e3 } }\nuntil = { steps = 3 }";
    let mut simulation = built(&scene(1, HERTZ, "expected_speed = 1e-3", cell));
    simulation.initialise().unwrap();
    simulation.advance().unwrap();
    expect(simulation.world.time_step, 0.5 * 0.01 / 5e3);
    assert_eq!(simulation.state.time_step_criterion, "strain per step");
}
