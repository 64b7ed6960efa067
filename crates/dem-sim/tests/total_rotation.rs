//! The optional column of the total rotation.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "functions that tests share fail as tests do")]

use dem_core::DVec3;
use dem_core::rotation::total;
use dem_io::checkpoint::CheckpointReader;
use dem_sim::simulation::Simulation;
use dem_sim::{builder, checkpoint};
use dem_testkit::schemes::{Scheme, all_schemes};

/// A sphere that spins freely.
const SCENE: &str = r#"
[time]
step = "1 ms"
[fields]
gravity = [0, 0, 0]
[materials.glass]
density = 2500
young_modulus = 1e3
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[particles]]
name = "top"
material = "glass"
sizes = { type = "single", radius = 0.01 }
region = { type = "box", min = [0, 0, 0], max = [0.03, 0.03, 0.03] }
fill = { type = "lattice", count = 1 }
angular_velocity = [30, -40, 0]
[[stages]]
name = "run"
until = { steps = 1000000 }
"#;

fn simulation(output: &str) -> Simulation {
    simulation_of(&format!("{SCENE}{output}"))
}

fn simulation_of(scene: &str) -> Simulation {
    let loaded = builder::parse_scene("top", scene, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    simulation
}

const ASKED_FOR: &str = "[output]\ntotal_rotation = true\n";

fn total_rotation(simulation: &Simulation) -> DVec3 {
    let column = simulation.world.particles.user.iter().find(|column| column.name == total::COLUMN);
    DVec3::from_slice(&column.expect("the column was asked for").values)
}

#[test]
fn total_rotation_goes_on_beyond_a_turn() {
    let mut simulation = simulation(ASKED_FOR);
    for _ in 0..1000 {
        simulation.advance().unwrap();
    }
    // eight turns in a second
    let expected = DVec3::new(30.0, -40.0, 0.0);
    assert!((total_rotation(&simulation) - expected).length() < 1e-10);
}

/// Steps of 2.5 rad, 3.5 rad and more than two turns: an increment alone says nothing of the turns in it.
#[test]
fn total_rotation_counts_steps_of_more_than_half_a_turn() {
    for spin in [2500.0, 3500.0, 13_000.0] {
        for integrator in all_schemes().iter().map(Scheme::toml) {
            let scene = SCENE
                .replace("[fields]", &format!("integrator = {integrator}\n[fields]"))
                .replace("angular_velocity = [30, -40, 0]", &format!("angular_velocity = [0, 0, {spin}]"));
            let mut simulation = simulation_of(&format!("{scene}{ASKED_FOR}"));
            for _ in 0..100 {
                simulation.advance().unwrap();
            }
            let turned = total_rotation(&simulation);
            let expected = DVec3::Z * (0.1 * spin);
            assert!((turned - expected).length() < 1e-9 * spin, "{integrator}, {spin}: {turned}");
        }
    }
}

/// An implicit scheme that has to halve its steps, and all others, which may correct a rotation after the contacts have seen it.
#[test]
fn total_rotation_is_the_same_under_every_integrator() {
    let halving = r#"{ name = "generalized-trapezoidal", tolerance = 1e-12, most_iterations = 1 }"#;
    for integrator in all_schemes().iter().map(Scheme::toml).chain([halving.to_owned()]) {
        let scene = SCENE.replace("[fields]", &format!("integrator = {integrator}\n[fields]"));
        let mut simulation = simulation_of(&format!("{scene}{ASKED_FOR}"));
        for _ in 0..100 {
            simulation.advance().unwrap();
        }
        let error = (total_rotation(&simulation) - DVec3::new(3.0, -4.0, 0.0)).length();
        assert!(error < 1e-12, "{integrator}: {error:.1e} rad");
    }
}

#[test]
fn total_rotation_is_kept_only_where_it_is_asked_for() {
    assert!(simulation("").world.particles.user.is_empty());
}

#[test]
fn total_rotation_starts_at_the_checkpoint_of_a_run_that_did_not_keep_it() {
    let mut first = simulation("");
    first.advance().unwrap();
    let bytes = checkpoint::save(&first, "scene").unwrap();
    let reader = CheckpointReader::from_bytes(bytes).unwrap();
    let loaded = builder::parse_scene("top", &format!("{SCENE}{ASKED_FOR}"), &[]).unwrap();
    let mut continued = builder::build_empty(&loaded).unwrap();
    checkpoint::restore(&mut continued, &reader, "scene").unwrap();
    assert_eq!(total_rotation(&continued), DVec3::ZERO);
    continued.advance().unwrap();
    assert!((total_rotation(&continued) - DVec3::new(0.03, -0.04, 0.0)).length() < 1e-15);
}
