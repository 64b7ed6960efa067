//! The automatic step follows its cause: shorter where something is fast, longer again when that is gone.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder;
use dem_sim::checkpoint;
use dem_sim::simulation::Simulation;

/// Spheres that rest on a floor, and one that is shot along it.
fn scene(speed: f64) -> String {
    format!(
        r#"
[materials.m]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[domain]
min = [-1, -1, -0.1]
max = [1, 1, 0.1]
[[walls]]
name = "floor"
material = "m"
shape = {{ type = "rectangle", centre = [0, 0, 0], edge_u = [2, 0, 0], edge_v = [0, 2, 0] }}
[[particles]]
name = "bed"
material = "m"
sizes = {{ type = "single", radius = "2 mm" }}
region = {{ type = "box", min = [0, 0, 0], max = ["40 mm", "40 mm", "4 mm"] }}
fill = {{ type = "lattice", gap = 0.2 }}
[[particles]]
name = "shot"
material = "m"
sizes = {{ type = "single", radius = "2 mm" }}
region = {{ type = "box", min = [0.3, 0, 0], max = [0.304, "4 mm", "4 mm"] }}
fill = {{ type = "lattice", gap = 0 }}
velocity = [{speed}, 0, 0]
[[stages]]
name = "shoot"
until = {{ steps = 1000000 }}
"#
    )
}

fn built(text: &str) -> Simulation {
    let mut simulation = builder::build(&builder::parse_scene("shot", text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

#[test]
fn step_grows_again_when_the_fast_grain_has_left_and_a_restart_follows_bit_for_bit() {
    let quiet = built(&scene(0.0)).world.time_step;
    let text = scene(4.0);
    let mut simulation = built(&text);
    let short = simulation.world.time_step;
    assert!(short < 0.7 * quiet, "{short} {quiet}");
    // it needs 0.17 s to the edge of the domain
    let mut steps = vec![short];
    let mut continued: Option<Simulation> = None;
    while simulation.world.time < 0.4 {
        simulation.advance().unwrap();
        let step = simulation.world.time_step;
        if steps.last() != Some(&step) {
            assert!(simulation.world.step.is_multiple_of(1000), "step {}", simulation.world.step);
            steps.push(step);
        }
        if simulation.world.removed == 0 && simulation.world.time > 0.1 && continued.is_none() {
            let bytes = checkpoint::save(&simulation, "shot").unwrap();
            let mut again = builder::build_empty(&builder::parse_scene("shot", &text, &[]).unwrap()).unwrap();
            checkpoint::restore(&mut again, &CheckpointReader::from_bytes(bytes).unwrap(), "shot").unwrap();
            continued = Some(again);
        }
    }
    assert_eq!(simulation.world.removed, 1);
    assert!(steps.len() > 1 && steps.windows(2).all(|pair| pair[1] > pair[0] && pair[1] <= 2.0 * pair[0]), "{steps:?}");
    let end = simulation.world.time_step;
    assert!((0.9..=1.1).contains(&(end / quiet)), "{steps:?}, {quiet} without the shot");
    let mut continued = continued.unwrap();
    while continued.world.step < simulation.world.step {
        continued.advance().unwrap();
    }
    let bytes = |simulation: &Simulation| checkpoint::save(simulation, "shot").unwrap();
    assert!(bytes(&continued) == bytes(&simulation));
}

/// A speed that is given stays the least that is reckoned with.
#[test]
fn step_does_not_grow_beyond_an_expected_speed_that_is_given() {
    let text = format!("[time]\nexpected_speed = 4\n{}", scene(4.0));
    let mut simulation = built(&text);
    let short = simulation.world.time_step;
    while simulation.world.time < 0.3 {
        simulation.advance().unwrap();
    }
    assert_eq!((simulation.world.removed, simulation.world.time_step), (1, short));
}

/// Drag that stops a sphere sooner than any contact lasts: the step resolves that, before anything moves and while it does.
#[test]
fn drag_bounds_the_step_by_a_fifth_of_its_relaxation_time() {
    let viscosity = 50.0;
    let text = format!("[fields]\ndrag = \"stokes\"\nfluid_viscosity = {viscosity}\n{}", scene(4.0));
    let mut simulation = built(&text);
    let mass = simulation.world.particles.mass[0];
    let relaxation = mass / (6.0 * std::f64::consts::PI * viscosity * 2e-3);
    let step = simulation.world.time_step;
    assert!(step <= 0.2 * relaxation * (1.0 + 1e-12), "{step} {relaxation}");
    let bounds = &simulation.time_step.bounds;
    let of_drag = bounds.iter().find(|bound| bound.criterion == "relaxation by drag").unwrap();
    assert!((of_drag.time_step / (0.2 * relaxation) - 1.0).abs() < 1e-12, "{of_drag:?}");
    // the fast one is soon slow, without overshooting (down to what its contact with the floor does), and the step that of drag
    let shot = |simulation: &Simulation| {
        let p = &simulation.world.particles;
        let last = (0..p.len()).max_by_key(|&slot| p.id[slot]).unwrap();
        p.velocity[last].x
    };
    let mut last = shot(&simulation);
    while simulation.world.step < 5000 {
        simulation.advance().unwrap();
        let now = shot(&simulation);
        assert!((0.0..=last).contains(&now) || last < 1e-4, "{last} {now}");
        last = now;
    }
    assert!(last.abs() < 1e-4, "{last}");
    assert!((simulation.world.time_step / (0.2 * relaxation) - 1.0).abs() < 1e-9);
    assert_eq!(simulation.state.time_step_criterion, "relaxation by drag");
}
