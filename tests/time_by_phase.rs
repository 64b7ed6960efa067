//! Where the wall time of a run has gone, as a user sees it.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;

use serde_json::Value;

use crate::command::{dem, finish, run, scenes};

const PHASES: [&str; 6] = ["motion", "list", "contacts", "walls", "output", "other"];

/// The entry of `summary.json`, whose phases have to add up to the wall time.
#[track_caller]
fn times(out: &Path) -> Value {
    let summary: Value = serde_json::from_slice(&std::fs::read(out.join("summary.json")).unwrap()).unwrap();
    let (times, all) = (&summary["time_by_phase"], summary["wall_seconds"].as_f64().unwrap());
    let sum = |key: &str| PHASES.iter().map(|phase| times[phase][key].as_f64().unwrap()).sum::<f64>();
    assert!((sum("seconds") - all).abs() < 1e-9 * all && (sum("share") - 1.0).abs() < 1e-9, "{all} s, {times:#}");
    assert_eq!(times["output"]["seconds"], summary["output_seconds"]);
    for phase in PHASES {
        assert!(times[phase]["seconds"].as_f64().unwrap() >= 0.0, "{times:#}");
        let is_of_every_step = !["output", "other"].contains(&phase);
        assert_eq!(times[phase].get("ns_per_particle_step").is_some(), is_of_every_step, "{times:#}");
    }
    times.clone()
}

fn count(times: &Value, key: &str) -> u64 {
    times[key].as_u64().unwrap()
}

#[test]
fn phases_of_a_run_and_of_its_restart_add_up_to_the_wall_time_of_each_call() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (scenes().join("restart/tray.toml"), folder.path().join("out"));
    let first = run(&scene, &out, "-v --steps 4000").expect_code(0);
    let found = times(&out);
    assert_eq!(count(&found, "steps"), 4000);
    assert!((1..=4000).contains(&count(&found, "timed_steps")), "{found:#}");
    for phase in ["motion", "contacts", "walls", "output"] {
        assert!(found[phase]["seconds"].as_f64().unwrap() > 0.0, "{phase} of {found:#}");
        assert!(first.stderr.contains(&format!("  {phase} ")), "{}", first.stderr);
    }
    assert!(first.stderr.contains("wall time of this call by phase"), "{}", first.stderr);
    // without -v nothing is said, and a restart counts its own steps
    let second = run(&scene, &out, "--restart latest --steps 4500").expect_code(0);
    assert!(!second.stderr.contains("by phase"), "{}", second.stderr);
    assert_eq!(count(&times(&out), "steps"), 500);
    finish(dem("report", &[&out])).expect_code(0);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Time by phase") && page.contains("<td>contacts</td>"));
}

#[test]
fn a_run_that_takes_no_step_has_phases_too() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (scenes().join("restart/tray.toml"), folder.path().join("out"));
    run(&scene, &out, "--steps 0").expect_code(0);
    let summary: Value = serde_json::from_slice(&std::fs::read(out.join("summary.json")).unwrap()).unwrap();
    let times = &summary["time_by_phase"];
    assert_eq!((count(times, "steps"), times["motion"]["seconds"].as_f64()), (0, Some(0.0)));
    assert!(times["motion"].get("ns_per_particle_step").is_none() && times["other"]["share"].as_f64() > Some(0.0));
}
