//! `dem run --ranks`: the directory of a run is the same, byte for byte, whatever the number of ranks, but for facts about the machine.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{
    checkpoints, collect, contents, expect_rows, last_checkpoint, run, run_command, scenes, series, start, wait_until,
};

/// What of a summary is a fact about the machine and the time that it took.
const OF_THE_MACHINE: [&str; 6] =
    ["machine", "wall_seconds", "output_seconds", "particle_steps_per_second", "time_by_phase", "threads"];

fn mill() -> PathBuf {
    scenes().join("restart/mill.toml")
}

fn rods() -> PathBuf {
    scenes().join("../../examples/drum_rods.toml")
}

/// Files of a run by their names, the summary without what is of the machine, and without the log, which has dates.
fn files(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for (path, mut bytes) in contents(out) {
        let name = path.strip_prefix(out).unwrap().to_path_buf();
        if name == Path::new("run.log") {
            continue;
        }
        if name == Path::new("summary.json") {
            let mut summary: Value = serde_json::from_slice(&bytes).unwrap();
            let object = summary.as_object_mut().unwrap();
            OF_THE_MACHINE.iter().for_each(|key| drop(object.remove(*key).expect("the summary has the key")));
            bytes = summary.to_string().into_bytes();
        }
        files.insert(name, bytes);
    }
    files
}

fn assert_same_directory(expected: &Path, found: &Path) {
    let (expected, found) = (files(expected), files(found));
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{} differs", name.display());
    }
    assert!(expected.len() >= 8, "{:?}", expected.keys());
}

#[test]
fn number_of_ranks_changes_no_byte_of_the_directory() {
    let folder = tempfile::tempdir().unwrap();
    let further = "--set output.series=0.5ms --set output.snapshots=1ms --set output.contacts=true --threads 1";
    for (name, scene, steps) in [("spheres", mill(), ""), ("bodies", rods(), "--steps 1000")] {
        let alone = folder.path().join(format!("{name} alone"));
        run(&scene, &alone, &format!("{further} {steps}")).expect_code(0);
        for ranks in [2, 3] {
            let out = folder.path().join(format!("{name} {ranks}"));
            run(&scene, &out, &format!("{further} {steps} --ranks {ranks}")).expect_code(0);
            assert_same_directory(&alone, &out);
        }
    }
}

/// Begun on three ranks and killed, gone on with on two, interrupted, and on one.
#[test]
fn a_run_that_is_killed_goes_on_with_other_numbers_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let (alone, parts) = (folder.path().join("alone"), folder.path().join("parts"));
    let further = "--set output.checkpoints=0.5ms --set output.series=0.5ms --threads 1";
    run(&mill(), &alone, further).expect_code(0);
    let mut killed = start(run_command(&mill(), &parts, &format!("{further} --ranks 3")));
    wait_until("a checkpoint", || !checkpoints(&parts).is_empty());
    killed.kill().unwrap();
    collect(killed);
    run(&mill(), &parts, &format!("{further} --ranks 2 --steps 400 --restart latest")).expect_code(0);
    run(&mill(), &parts, &format!("{further} --restart latest")).expect_code(0);
    assert!(last_checkpoint(&alone) == last_checkpoint(&parts));
    expect_rows(&series(&alone), &series(&parts));
}

#[test]
fn a_guard_that_trips_on_one_rank_stops_all_and_leaves_the_state_after_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let outs = ["--threads 1", "--threads 1 --ranks 3"].map(|further| {
        let out = folder.path().join(further.len().to_string());
        let outcome = run(&mill(), &out, &format!("{further} --set limits.overlap=0.02")).expect_code(3);
        let outcome = outcome.expect_message(&["overlap of particle"]);
        (out, outcome.stderr.lines().find(|line| line.contains("overlap of particle")).unwrap().to_owned())
    });
    assert_eq!(outs[0].1, outs[1].1);
    assert_same_directory(&outs[0].0, &outs[1].0);
}

#[test]
fn what_ranks_cannot_do_is_refused_by_name_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    assert!(!out.exists());
    let gauss_seidel = "--set time.integrator={name=\"generalized-trapezoidal\",sweep=\"gauss-seidel\"} --ranks 2";
    run(&mill(), &out, gauss_seidel).expect_code(2).expect_message(&["gauss-seidel", "jacobi", "on one rank"]);
    run(&mill(), &out, "--ranks 0").expect_code(2);
    run(&mill(), &out, "--ranks 2 --seeds 1..3").expect_code(2).expect_message(&["--ranks"]);
    assert!(!out.exists());
}

/// A process that a launcher has started without its library must not run as if it were alone: all of them would write to one directory.
#[test]
fn a_launcher_without_its_library_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (variable, size) in [("PMI_RANK", "PMI_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")] {
        let mut command = run_command(&mill(), &out, "--steps 1");
        command.env(variable, "0").env(size, "4").env("DEM_MPI", "no-such-library.so");
        let outcome: crate::command::Outcome = command.output().unwrap().into();
        outcome.expect_code(2).expect_message(&[variable, "no-such-library.so", "DEM_MPI"]);
        assert!(!out.exists());
        // a command that a rank of another program starts
        let alone = folder.path().join(variable);
        let mut command = run_command(&mill(), &alone, "--steps 1");
        command.env(variable, "0").env(size, "4").env("DEM_MPI", "none");
        let outcome: crate::command::Outcome = command.output().unwrap().into();
        outcome.expect_code(0);
    }
}
