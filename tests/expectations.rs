//! What users expect of scenes that leave something open: a floor without a domain, a container that is full or has no floor, branches whose
//! materials have other numbers, runs that go on under other bounds.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use crate::command::{Outcome, checkpoints, dem, finish, run};

const POURED: &str = r#"
seed = 3
[materials.b]
density = 2500
young_modulus = "50 MPa"
poisson_ratio = 0.25
friction = 0.5
restitution = 0.3
[contact]
law = "hertz-mindlin"
[fields]
gravity = [0, 0, -9.81]
[[particles]]
name = "rain"
material = "b"
sizes = { type = "uniform", min = "2 mm", max = "2.5 mm" }
region = { type = "box", min = ["-6 mm", "-6 mm", "15 mm"], max = ["6 mm", "6 mm", "24 mm"] }
fill = { type = "pour", rate = "2000 1/s", count = 20 }
[[stages]]
name = "fill"
until = { at_rest = true }
"#;

const FLOOR: &str = r#"
[[walls]]
name = "floor"
material = "b"
shape = { type = "plane", point = [0, 0, "-100 mm"], normal = [0, 0, 1] }
"#;

const TUBE: &str = r#"
[[walls]]
name = "tube"
material = "b"
shape = { type = "cylinder", base = [0, 0, 0], axis = [0, 0, 1], height = "24 mm", radius = "10 mm" }
"#;

const BOTTOM: &str = r#"
[[walls]]
name = "bottom"
material = "b"
shape = { type = "disc", centre = [0, 0, 0], normal = [0, 0, 1], radius = "10 mm" }
"#;

fn scene(folder: &Path, name: &str, parts: &[&str]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, parts.concat()).unwrap();
    path
}

/// What `dem check` says of a scene with some values set.
fn check(scene: &Path, set: &[&str]) -> Outcome {
    let mut command = dem("check", &[&scene]);
    command.args(set.iter().flat_map(|set| ["--set", set]));
    finish(command).expect_code(0)
}

/// Number after a key of `summary.json`.
fn summary(out: &Path, key: &str) -> f64 {
    let text = std::fs::read_to_string(out.join("summary.json")).unwrap();
    let rest = text.split(&format!("\"{key}\": ")).nth(1).expect("the summary has the key");
    rest.split([',', '\n']).next().and_then(|number| number.parse().ok()).expect("it is a number")
}

#[test]
fn a_floor_that_is_far_below_the_regions_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (scene(folder.path(), "floor.toml", &[POURED, FLOOR]), folder.path().join("out"));
    run(&path, &out, "--until 300ms").expect_code(0);
    assert_eq!((summary(&out, "particles"), summary(&out, "removed")), (20.0, 0.0));
    assert!(summary(&out, "wall_contacts") > 0.0);
    let checked = check(&path, &[]);
    assert!(checked.stdout.contains("without limits, the default of the scene"), "{}", checked.stdout);
}

#[test]
fn particles_that_leave_a_domain_nobody_gave_are_told_of_and_an_empty_run_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (scene(folder.path(), "tube.toml", &[POURED, TUBE]), folder.path().join("out"));
    run(&path, &out, "").expect_code(0).expect_message(&[
        "particles that leave the box around walls, regions and tables, from [-0.0",
        "no particles are left: 20",
    ]);
    assert_eq!(summary(&out, "removed"), 20.0);
}

#[test]
fn a_run_whose_container_is_full_ends_at_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (scene(folder.path(), "full.toml", &[POURED, TUBE, BOTTOM]), folder.path().join("out"));
    run(&path, &out, "--set particles.rain.fill.count=1000 --set domain.min=[-1,-1,0] --set domain.max=[1,1,1]")
        .expect_code(3)
        .expect_message(&["finds no place for more", "poured less than requested: rain: "]);
    assert!(summary(&out, "particles") > 50.0);
}

#[test]
fn particles_of_a_branch_keep_materials_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (scene(folder.path(), "origin.toml", &[POURED, FLOOR]), folder.path().join("origin"));
    run(&path, &out, "--until 10ms").expect_code(0);
    let from = format!("--steps 5 --from {}", out.display());
    let another = "[materials.a]\ndensity = 1000\nyoung_modulus = \"50 MPa\"\npoisson_ratio = 0.25\nfriction = 0.1\nrestitution = 0.3\n";
    let more = scene(folder.path(), "more.toml", &[POURED, FLOOR, another]);
    let branch = folder.path().join("branch");
    run(&more, &branch, &from).expect_code(0);
    let checkpoint = dem_io::checkpoint::CheckpointReader::open(checkpoints(&branch).last().unwrap()).unwrap();
    let material = checkpoint.bytes("particle.material").unwrap();
    assert!(material.len() > 2 && material.chunks(2).all(|number| number == [1, 0]), "{material:?}");

    let renamed = scene(
        folder.path(),
        "renamed.toml",
        &[&[POURED, FLOOR].concat().replace("\"b\"", "\"c\"").replace("materials.b", "materials.c")],
    );
    run(&renamed, &folder.path().join("none"), &from)
        .expect_code(2)
        .expect_message(&["is of material b, the scene has c"]);
}

#[test]
fn initial_particles_that_a_branch_leaves_out_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (scene(folder.path(), "origin.toml", &[POURED, FLOOR]), folder.path().join("origin"));
    run(&path, &out, "--until 10ms").expect_code(0);
    let intruder = r#"
[[particles]]
name = "intruder"
material = "b"
sizes = { type = "uniform", min = "2 mm", max = "2.01 mm" }
region = { type = "box", min = ["-6 mm", "-6 mm", "40 mm"], max = ["6 mm", "6 mm", "50 mm"] }
fill = { type = "lattice", count = 1 }
"#;
    let with = scene(folder.path(), "intruder.toml", &[POURED, FLOOR, intruder]);
    run(&with, &folder.path().join("branch"), &format!("--steps 5 --from {}", out.display()))
        .expect_code(0)
        .expect_message(&["source \"intruder\" is skipped"]);
}

#[test]
fn limits_and_ends_may_change_when_a_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (scene(folder.path(), "scene.toml", &[POURED, FLOOR]), folder.path().join("out"));
    run(&path, &out, "--set limits.overlap=1e-4").expect_code(3).expect_message(&["overlap"]);
    let stopped = summary(&out, "steps");
    run(&path, &out, "--set limits.overlap=0.2 --set stages.0.until.time=0.23 --restart latest").expect_code(0);
    assert!(summary(&out, "steps") > stopped);
    let before = std::fs::read(out.join("summary.json")).unwrap();
    run(&path, &out, "--set limits.overlap=0.2 --set stages.0.until.time=0.23 --restart latest")
        .expect_code(0)
        .expect_message(&["this run has ended", "all stages done"]);
    assert_eq!(std::fs::read(out.join("summary.json")).unwrap(), before);
}

#[test]
fn values_without_effect_and_deep_impacts_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = scene(folder.path(), "scene.toml", &[POURED, FLOOR]);
    let sound = check(&path, &[]);
    assert!(sound.stderr.is_empty(), "{}", sound.stderr);
    check(&path, &["contact.friction=0.9"]).expect_message(&["contact.friction has no effect"]);
    check(&path, &["materials.b.young_modulus=50 kPa"]).expect_message(&["b on wall \"floor\" at ", "limits.overlap"]);
}
