//! Time is a count of steps: runs take as many as they are asked to, and outputs neither drift nor come twice.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use dem_io::checkpoint::CheckpointReader;
use dem_io::series::Series;
use dem_sim::builder;
use dem_sim::checkpoint;
use dem_sim::run::{Origin, Run, RunBounds};
use dem_sim::simulation::Simulation;

/// A sphere that floats, with `time` and what else a scene asks for.
fn scene(time: &str, rest: &str) -> String {
    format!(
        r#"
[time]
{time}
[fields]
gravity = [0, 0, 0]
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[materials.m]
density = 2500
young_modulus = "1 kPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[particles]]
name = "s"
material = "m"
sizes = {{ type = "single", radius = "5 mm" }}
region = {{ type = "box", min = ["-5 mm", "-5 mm", "-5 mm"], max = ["5 mm", "5 mm", "5 mm"] }}
fill = {{ type = "lattice", gap = 0, count = 1 }}
{rest}
"#
    )
}

fn built(text: &str) -> Simulation {
    let mut simulation = builder::build(&builder::parse_scene("clock", text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

/// Steps until a simulation ends.
fn steps_of(time: &str, rest: &str) -> Simulation {
    let mut simulation = built(&scene(time, rest));
    while simulation.state.stopped.is_none() {
        simulation.advance_unseen(f64::INFINITY, 1000).unwrap();
    }
    simulation
}

#[test]
fn a_run_to_so_many_steps_takes_so_many() {
    // a sum of 600,000 steps is 11.9999999999 s
    for (step, end, steps) in [
        ("2e-5", "12", 600_000),
        ("0.1", "0.3", 3),
        ("0.1", "0.7", 7),
        ("0.1", "0.30000000000000004", 3),
        ("\"1 ms\"", "\"20 s\"", 20_000),
        ("0.02040816326530612", "1", 49),
        // one that is no multiple ends with the first step beyond it
        ("0.1", "0.31", 4),
    ] {
        let simulation = steps_of(&format!("step = {step}\nend = {end}"), "");
        let world = &simulation.world;
        assert_eq!(world.step, steps, "{step} s to {end} s");
        assert_eq!(world.time, steps as f64 * world.time_step, "{step} s to {end} s");
    }
}

#[test]
fn stages_of_so_many_steps_take_so_many_wherever_they_begin() {
    let stages: String =
        (0..40).map(|k| format!("[[stages]]\nname = \"{k}\"\nuntil = {{ time = \"0.3 s\" }}\n")).collect();
    let simulation = steps_of("step = 0.1", &stages);
    assert_eq!(simulation.world.step, 120);
}

/// A step that changes begins another count, which a restart goes on with.
#[test]
fn changed_steps_are_counted_from_where_they_changed_and_over_a_restart() {
    let text = scene("step = 1e-3\nend = 10", "");
    let mut simulation = built(&text);
    for _ in 0..7 {
        simulation.advance().unwrap();
    }
    simulation.world.time_step = 3e-4;
    for _ in 0..100 {
        simulation.advance().unwrap();
    }
    let bytes = checkpoint::save(&simulation, "scene").unwrap();
    let mut again = builder::build_empty(&builder::parse_scene("clock", &text, &[]).unwrap()).unwrap();
    checkpoint::restore(&mut again, &CheckpointReader::from_bytes(bytes).unwrap(), "scene").unwrap();
    for continued in [&mut simulation, &mut again] {
        for _ in 0..5000 {
            continued.advance().unwrap();
        }
        assert_eq!(continued.world.time, 7.0 * 1e-3 + 5100.0 * 3e-4);
    }
    assert_eq!(simulation.world.clock, again.world.clock);
}

fn run_to(text: &str, directory: &Path, time: f64, restart: bool) {
    let loaded = builder::parse_scene("clock", text, &[]).unwrap();
    let mut run = if restart {
        Run::restart(&loaded, directory, None).unwrap()
    } else {
        Run::begin(&loaded, directory, &Origin::Scene, false).unwrap()
    };
    let bounds = RunBounds { step: None, time: Some(time) };
    run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
}

/// Rows every three halves of a step, where rounding would decide: the earlier step of two, each once, with and without a restart.
#[test]
fn rows_fall_on_the_steps_nearest_to_their_instants() {
    let text = scene("step = 0.01\nend = 10", "[output]\nseries = 0.015\nsnapshots = 1e9\ncheckpoints = 0.5");
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run_to(&text, &whole, 10.0, false);
    run_to(&text, &parts, 3.0, false);
    run_to(&text, &parts, 10.0, true);
    let steps = |directory: &Path| Series::read(directory.join("series.csv")).unwrap().column("step").unwrap().to_vec();
    let expected: Vec<f64> = (0..=667u64).map(|k| (3 * k / 2) as f64).collect();
    assert_eq!(steps(&whole), expected);
    assert_eq!(steps(&parts), expected);
}
