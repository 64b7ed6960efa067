//! Walls that a stage puts among spheres.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_sim::builder;
use dem_sim::simulation::Simulation;

const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.25;
const RADIUS: f64 = 0.01;

/// Spheres that float above a floor, through which a stage puts a lid.
fn scene(law: &str, height: f64, lid: &str) -> String {
    format!(
        r#"
[materials.m]
density = 2500
young_modulus = {YOUNG}
poisson_ratio = {POISSON}
[contact]
{law}
[fields]
gravity = [0, 0, 0]
[time]
step = "2 us"
end = "1 s"
[[walls]]
name = "lid"
material = "m"
shape = {{ type = "rectangle", centre = [0, 0, {height}], edge_u = [0.2, 0, 0], edge_v = [0, 0.2, 0] }}
active = false
{lid}
[[particles]]
name = "p"
material = "m"
sizes = {{ type = "single", radius = {RADIUS} }}
region = {{ type = "box", min = [-0.02, -0.01, 0], max = [0.02, 0.01, 0.02] }}
fill = {{ type = "lattice", gap = 0 }}
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[limits]
overlap = 0.5
[[stages]]
name = "rest"
until = {{ steps = 3 }}
[[stages]]
name = "covered"
actions = [{{ type = "add_wall", wall = "lid" }}]
until = {{ steps = 3000 }}
"#
    )
}

fn built(text: &str) -> Simulation {
    let mut simulation = builder::build(&builder::parse_scene("lid", text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

const HERTZ: &str = "law = \"hertz-mindlin\"\nfriction = 0.5\nrestitution = 0.5";

#[test]
fn a_wall_that_cuts_spheres_is_refused_by_name() {
    let mut simulation = built(&scene(HERTZ, 0.019, ""));
    for _ in 0..3 {
        simulation.advance().unwrap();
    }
    let message = simulation.advance().unwrap_err().to_string();
    for part in ["stage \"covered\"", "\"lid\"", "particle 0 ", "1.000e-1 of the radius", "max_overlap"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!simulation.world.walls[0].active, "it is not there");
    // as deep as the spheres touch is none
    let mut simulation = built(&scene(HERTZ, 0.02, ""));
    for _ in 0..10 {
        simulation.advance().unwrap();
    }
    assert!(simulation.world.walls[0].active);
}

#[test]
fn what_a_wall_brings_into_springs_is_exchanged_energy() {
    let overlap: f64 = 1e-3;
    let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    let hertz = 8.0 / 15.0 * modulus * RADIUS.sqrt() * overlap.powf(2.5);
    let linear = 0.5 * 3e4 * overlap * overlap;
    let laws =
        [(HERTZ, hertz), ("law = \"linear\"\nnormal_stiffness = 3e4\nfriction = 0.5\nrestitution = 0.5", linear)];
    for (law, of_one) in laws {
        let mut simulation = built(&scene(law, 0.019, "max_overlap = 0.11"));
        for _ in 0..4 {
            simulation.advance().unwrap();
        }
        let exchanged = simulation.world.energy().exchanged;
        assert!((exchanged / (2.0 * of_one) - 1.0).abs() < 1e-9, "{law}: {exchanged:e}, expected {:e}", 2.0 * of_one);
        for _ in 0..2000 {
            simulation.advance().unwrap();
        }
        let ledger = simulation.world.energy();
        assert_eq!(simulation.world.contact_count().walls, 0, "{law}: they have been pushed away");
        assert!(ledger.kinetic() > 0.1 * exchanged);
        // the first half of a step goes without the new force
        assert!(ledger.balance().abs() < 1e-3 * exchanged, "{law}: {:e} of {exchanged:e}", ledger.balance());
        assert_eq!(ledger.walls, 0.0);
    }
}
