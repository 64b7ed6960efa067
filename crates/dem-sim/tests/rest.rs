//! What counts as rest: spin that no contact resists does not.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_sim::simulation::{Simulation, StopReason};
use dem_sim::{builder, measure};

/// Spheres of a table on a floor, with further lines of `[contact]` and of tables.
fn run(table: &str, contact: &str, more: &str) -> Simulation {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.csv"), format!("x,y,z,r,vx,vy,vz,wx,wy,wz\n{table}")).unwrap();
    let text = format!(
        r#"
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
restitution = 0.3
{contact}
[[walls]]
name = "floor"
material = "m"
max_overlap = 0.1
shape = {{ type = "plane", normal = [0, 0, 1] }}
{more}
[[particles]]
name = "p"
material = "m"
fill = {{ type = "file", path = "p.csv" }}
[[stages]]
name = "rest"
until = {{ at_rest = true, time = "0.3 s" }}
"#
    );
    let loaded = builder::parse_scene_in(folder.path(), "test", &text, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
    }
    simulation
}

/// Spheres at rest on the floor but for the spin of the first.
fn spinning(spin: &str) -> String {
    format!("0,0,0.0014,0.0014,0,0,0,{spin}\n0.01,0,0.0014,0.0014,0,0,0,0,0,0\n")
}

const ROUGH: &str = "friction = 0.5\nrolling = \"elastic-plastic\"\nrolling_friction = 0.2";
const ROOF: &str = r#"
[[walls]]
name = "roof"
material = "m"
max_overlap = 0.1
shape = { type = "plane", point = [0, 0, 0.002799], normal = [0, 0, -1] }
"#;
const SIDE: &str = r#"
[[walls]]
name = "side"
material = "m"
max_overlap = 0.1
shape = { type = "plane", point = [-0.001399, 0, 0], normal = [1, 0, 0] }
"#;

#[test]
fn spin_about_the_only_normal_does_not_keep_an_assembly_from_rest() {
    for (contact, spin, more) in [
        (ROUGH, "0,0,30", ""),
        // two contacts with one normal
        (ROUGH, "0,0,30", ROOF),
        // nothing resists any spin
        ("friction = 0", "20,-10,30", ""),
    ] {
        let simulation = run(&spinning(spin), contact, more);
        assert_eq!(simulation.state.stopped, Some(StopReason::AtRest), "{contact} {spin} {more}");
        let spin = simulation.world.particles.angular_velocity.iter().map(|w| w.length()).fold(0.0, f64::max);
        assert!(spin > 25.0, "nothing has braked it: {spin}");
    }
}

#[test]
fn what_contacts_resist_counts() {
    let rest = |table: &str, contact: &str, more: &str| {
        let simulation = run(table, contact, more);
        let spin = simulation.world.particles.angular_velocity.iter().map(|w| w.length()).fold(0.0, f64::max);
        (simulation.state.stopped == Some(StopReason::AtRest), spin)
    };
    // rolling on and on without a resistance to it
    let rolls = "0,0,0.0014,0.0014,0.05,0,0,0,35.714285714285715,0\n";
    assert!(!rest(rolls, "friction = 0.5", "").0);
    // translation counts without friction, too
    assert!(!rest("0,0,0.0014,0.0014,0.05,0,0,0,0,0\n", "friction = 0", "").0);
    // a spin that is resisted is at rest only when it is gone
    let twisting = "friction = 0.5\ntwisting = \"spring-dashpot\"\ntwisting_friction = 0.2";
    for (contact, more) in [(twisting, ""), (ROUGH, SIDE)] {
        let (rests, spin) = rest(&spinning("0,0,30"), contact, more);
        assert!(!rests || spin < 1.0, "{contact} {more}: {spin}");
    }
}

#[test]
fn without_contacts_there_is_no_unbalanced_force() {
    let value = |simulation: &Simulation| measure::value(simulation, "unbalanced_force").unwrap();
    let falls = run("0,0,10,0.0014,0,0,0,0,0,0\n", "friction = 0.5", "");
    assert!(value(&falls).is_nan(), "{}", value(&falls));
    let rests = run(&spinning("0,0,0"), "friction = 0.5", "");
    assert!(value(&rests) < 1e-3, "{}", value(&rests));
}
