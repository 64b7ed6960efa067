//! Packings as a user prepares them and takes them into other scenes.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use crate::command::{dem, finish, run};

const SMALL: &str = "--count 60 --stiffness-number 500 --rate 0.03 --friction 0.3";

#[test]
fn a_packing_is_taken_into_other_scenes_by_its_table_and_by_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let packing = folder.path().join("packing");
    let words = format!("pack compression {SMALL} --pressure 2kPa --json --out");
    let outcome = finish(dem(&words, &[&packing])).expect_code(0);
    let record: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    assert_eq!((&record["method"], &record["particles"]), (&"compression".into(), &60.into()));
    let coordination = record["coordination"].as_f64().unwrap();
    assert!(coordination > 3.0, "{coordination}");
    let table = std::fs::read_to_string(packing.join("packing.csv")).unwrap();
    assert_eq!(table.lines().count(), 61);
    assert!(table.starts_with("x,y,z,r\n"));
    for file in ["packing.json", "packing.toml", "picture.png", "series.csv", "snapshots.vtkhdf", "scene.resolved.toml"]
    {
        assert!(std::fs::metadata(packing.join(file)).unwrap().len() > 0, "{file}");
    }
    // bits of the table: no step is needed for the same contacts
    let scene = packing.join("packing.toml");
    let filled = run(&scene, &folder.path().join("filled"), "--steps 0 --json").expect_code(0);
    let summary: serde_json::Value = serde_json::from_str(&filled.stdout).unwrap();
    assert_eq!(summary["coordination"].as_f64(), Some(coordination));
    // the state brings contact histories along
    let mut branch = dem("run", &[&scene, &"--from", &packing, &"--out", &folder.path().join("branch")]);
    branch.args(["--steps", "10"]);
    finish(branch).expect_code(0).expect_message(&["dropped: 0"]);
}

#[test]
fn wrong_requests_are_refused_with_exit_code_2_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (words, message) in [
        ("pack shaking", "METHOD = shaking, expected random-sequential, deposition, growth, compression"),
        ("pack compression --fraction 1.5", "--fraction = 1.5, expected above 0, below 1"),
        ("pack compression --container box", "growth packs box and cylinder"),
        ("pack compression --container sack", "--container = sack, expected periodic, box, cylinder"),
        ("pack compression --start bcc", "--start = bcc, expected random, lattice"),
        ("pack compression --start lattice --count 100", "--count = 100, expected a cube"),
        ("pack compression --pressure 3kg", "--pressure"),
        ("pack deposition --pressure 5Pa", "it follows from the weight"),
        ("pack random-sequential --fraction 0.6", "the most that random sequential addition reaches here"),
        ("pack compression --friction-bounds 0,1,2", "3 numbers, expected two"),
        ("pack deposition --count 100 --width 5 --stiffness-number 1000", "3 mean diameters away"),
        ("pack compression --contact {law='linaer',restitution=0.5}", "linaer"),
    ] {
        let refused = finish(dem(&format!("{words} --out"), &[&out])).expect_code(2);
        refused.expect_message(&[message]);
        assert!(!out.exists(), "{words}");
    }
    let words = format!("pack compression {SMALL} --fraction 0.72 --out");
    finish(dem(&words, &[&out])).expect_code(3).expect_message(&["the nearest to 0.72", "at 1000 Pa"]);
    let record = std::fs::read_to_string(out.join("packing.json")).unwrap();
    assert!(record.contains("\"shortfall\": \"packing fraction 0.6"), "{record}");
    assert!(out.join("packing.csv").is_file() && out.join("packing.toml").is_file());
    std::fs::write(out.join("thesis.tex"), "years of work").unwrap();
    finish(dem("pack random-sequential --out", &[&out])).expect_code(2).expect_message(&["exists already", "--force"]);
    finish(dem("pack compression --count 60 --max-steps 20 --force --out", &[&out]))
        .expect_code(3)
        .expect_message(&["has not ended after 20 steps", "--max-steps"]);
    assert_eq!(std::fs::read(out.join("thesis.tex")).unwrap(), b"years of work");
}
