//! `run.log`: what it holds, and that nothing else depends on it.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;

use crate::command::{contents, dem, finish, run, scenes};

/// What lines say, without date, wall time, step and time.
fn lines(out: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(out.join("run.log")).unwrap();
    let what = |line: &str| {
        let (date, rest) = line.split_at(20);
        let (wall, rest) = rest.split_once(" s  step ").unwrap();
        let (step, rest) = rest.split_once("  t = ").unwrap();
        let (time, what) = rest.split_once(" s  ").unwrap();
        assert!(date.starts_with("20") && &date[10..11] == "T" && date.ends_with('Z'), "{line}");
        assert!(wall.trim().parse::<f64>().unwrap() >= 0.0 && time.parse::<f64>().unwrap() >= 0.0, "{line}");
        step.trim().parse::<u64>().unwrap();
        what.to_owned()
    };
    text.lines().map(what).collect()
}

fn begins_with<'a>(lines: &'a [String], text: &str) -> Vec<&'a String> {
    lines.iter().filter(|line| line.starts_with(text)).collect()
}

#[test]
fn a_log_tells_what_happened_and_goes_on_at_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().join("restart/mill.toml");
    let out = folder.path().join("a run");
    run(&scene, &out, "--until 0.2ms").expect_code(0);
    let first = lines(&out);
    assert!(first[0].ends_with(": begins"), "{first:?}");
    let command = &begins_with(&first, "command: ")[0];
    assert!(command.contains("--until 0.2ms") && command.contains("'") && command.contains(", in "), "{command}");
    assert!(first[2].contains("dem 0.") && first[2].contains("thread"), "{first:?}");
    assert_eq!(begins_with(&first, "stage \"").len(), 1, "{first:?}");
    assert!(begins_with(&first, "frame 0").len() == 1 && begins_with(&first, "frame 1").len() == 1, "{first:?}");
    assert_eq!(begins_with(&first, "checkpoint").len(), 1, "{first:?}");
    assert!(first.last().unwrap().starts_with("ends: "), "{first:?}");
    // a restart that takes no step changes nothing
    let before = contents(&out);
    run(&scene, &out, "--until 0.1ms --restart latest").expect_code(0);
    assert!(contents(&out) == before);
    run(&scene, &out, "--until 0.3ms --restart latest").expect_code(0);
    let both = lines(&out);
    assert_eq!(both[..first.len()], first);
    assert!(both[first.len()].starts_with("goes on from ") && both[first.len()].contains("step_"), "{both:?}");
    assert_eq!(begins_with(&both, "ends: ").len(), 2, "{both:?}");
    // in place of a run that is replaced
    run(&scene, &out, "--until 0.1ms --force").expect_code(0);
    assert_eq!(begins_with(&lines(&out), "ends: ").len(), 1);
}

#[test]
fn warnings_and_failures_are_in_the_log_and_quiet_changes_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().join("restart/mill.toml");
    let out = folder.path().join("run");
    let odd = "--set materials.0.density=2.5 --steps 3 -q";
    let material = std::fs::read_to_string(&scene).unwrap();
    let material = material.split("[materials.").nth(1).unwrap().split(']').next().unwrap().to_owned();
    let odd = odd.replace("materials.0", &format!("materials.{material}"));
    run(&scene, &out, &odd).expect_code(0).expect_message(&["WARN"]);
    let told = lines(&out);
    assert_eq!(begins_with(&told, &format!("warning: materials.{material}.density")).len(), 1, "{told:?}");
    assert!(!begins_with(&told, "stage \"").is_empty(), "{told:?}");
    let failed = folder.path().join("failed");
    run(&scene, &failed, "--set limits.overlap=1e-7").expect_code(3);
    let told = lines(&failed);
    assert!(told.last().unwrap().starts_with("stops: step "), "{told:?}");
}

#[test]
fn runs_that_are_equal_are_equal_whatever_their_logs_say() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().join("restart/mill.toml");
    let at = |name: &str| folder.path().join(name);
    for name in ["a", "b"] {
        run(&scene, &at(name), "--until 0.2ms --no-pictures").expect_code(0);
    }
    finish(dem("diff", &[&at("a"), &at("b")])).expect_code(0);
    let files = |name: &str| {
        let mut files = contents(&at(name));
        assert!(
            files.remove(&at(name).join("run.log")).is_some() && files.remove(&at(name).join("summary.json")).is_some()
        );
        files.into_values().collect::<Vec<_>>()
    };
    assert!(files("a") == files("b"), "all but the log and the summary");
    // without its log a run is as good as before
    std::fs::remove_file(at("a/run.log")).unwrap();
    run(&scene, &at("a"), "--until 0.3ms --restart latest --no-pictures").expect_code(0);
    assert!(at("a/run.log").is_file());
}
