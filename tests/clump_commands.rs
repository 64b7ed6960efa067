//! Every command that reads a run takes one with rigid bodies.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use serde_json::Value;

use crate::command::{dem, finish, run};

/// Dimers and a few spheres in a hopper whose outlet is open from the start.
const HOPPER: &str = r#"
seed = 7
[time]
end = "0.5 s"
[domain]
min = ["-20 mm", "-20 mm", "-20 mm"]
max = ["20 mm", "20 mm", "80 mm"]
[materials.glass]
density = "2500 kg/m^3"
young_modulus = "4 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
tangential_damping_ratio = 0.2
[[walls]]
name = "bin"
material = "glass"
shape = { type = "cylinder", radius = "15 mm", height = "70 mm" }
[[walls]]
name = "floor"
material = "glass"
shape = { type = "disc", radius = "15 mm", inner_radius = "8 mm" }
[clumps.dimer]
spheres = [
  { position = ["-0.9 mm", 0, 0], radius = "1.4 mm" },
  { position = ["0.9 mm", 0, 0], radius = "1.4 mm" },
]
[[particles]]
name = "dimers"
material = "glass"
clump = "dimer"
region = { type = "cylinder", radius = "14.9 mm", height = "60 mm" }
fill = { type = "random", count = 250 }
[[particles]]
name = "beads"
material = "glass"
sizes = { type = "single", radius = "1.6 mm" }
region = { type = "cylinder", radius = "14.9 mm", height = "60 mm" }
fill = { type = "random", count = 50 }
[[stages]]
name = "empty"
until = { time = "0.3 s" }
[output]
series = "5 ms"
snapshots = "20 ms"
checkpoints = "100 ms"
profiles = "10 ms"
[[output.wall_probes]]
wall = "bin"
bins = 6
to = "30 mm"
"#;

#[test]
fn commands_on_a_run_of_rigid_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (folder.path().join("hopper.toml"), folder.path().join("out"));
    std::fs::write(&scene, HOPPER).unwrap();
    let summary = run(&scene, &out, "--json").expect_code(0);
    let summary: Value = serde_json::from_str(&summary.stdout).unwrap();
    let (removed, bodies) = (summary["removed"].as_u64().unwrap(), summary["bodies"]["count"].as_u64().unwrap());
    assert!(removed > 100 && bodies > 10, "{removed} have left, {bodies} bodies are there");
    let place = |name: &str| folder.path().join(name);
    // the mass that has left, in bodies and in spheres
    let discharge = finish(dem("study discharge --json --out", &[&place("discharge"), &out])).expect_code(0);
    let discharge: Value = serde_json::from_str(&discharge.stdout).unwrap();
    let rate = discharge[0]["rate_kg_s"].as_f64().unwrap();
    let mass = summary["removed_mass"].as_f64().unwrap();
    assert!(rate > 0.0 && rate * 0.3 < 10.0 * mass, "{rate} kg/s, {mass} kg");
    for command in
        ["profile --axis z --frame 3 --out", "profile --axis r --frame 3 --region cylinder:0,0,0,0.014,0.012m --out"]
    {
        let place = place(&command.replace(' ', "_"));
        let profile = finish(dem(command, &[&place, &out])).expect_code(0);
        assert!(profile.stdout.contains("Radial distribution"), "{}", profile.stdout);
    }
    // too small for a line, which is what is said
    finish(dem("study surface --kind heap --out", &[&place("surface"), &out]))
        .expect_code(2)
        .expect_message(&["too small for a line"]);
    finish(dem("study janssen --out", &[&place("janssen"), &out]))
        .expect_code(2)
        .expect_message(&["half a diameter of the silo"]);
    for command in ["info", "report", "plot", "methods", "methods --bibtex"] {
        finish(dem(command, &[&out])).expect_code(0);
    }
    let methods = finish(dem("methods", &[&out])).expect_code(0);
    assert!(methods.stdout.contains("damping of a contact follows from what the contact moves"), "{}", methods.stdout);
    finish(dem("render --colour body --out", &[&place("picture.png"), &out])).expect_code(0);
    finish(dem("diff", &[&out, &out])).expect_code(0);
}
