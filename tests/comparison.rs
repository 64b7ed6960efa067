//! `dem diff`: runs that are equal, runs that are not and where, and what cannot be compared.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{Outcome, checkpoints, dem, finish, run, scenes};

fn mill() -> PathBuf {
    scenes().join("restart/mill.toml")
}

fn diff(words: &str, first: &Path, second: &Path) -> Outcome {
    finish(dem(&format!("diff {words}"), &[&first, &second]))
}

/// The comparison as JSON, with its exit code.
fn comparison(first: &Path, second: &Path) -> (Value, Option<i32>) {
    let told = diff("--json", first, second);
    (serde_json::from_str(&told.stdout).expect("it is JSON"), told.code)
}

/// An entry of a list by its name.
#[track_caller]
fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    list.as_array().and_then(|all| all.iter().find(|entry| entry["name"] == name)).expect("it is in the list")
}

#[test]
fn runs_with_one_thread_and_with_eight_are_equal_and_one_with_another_seed_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let outs = ["one", "eight", "seed"].map(|name| folder.path().join(name));
    for (out, further) in outs.iter().zip(["--threads 1", "--threads 8", "--set seed=43"]) {
        run(&mill(), out, &format!("--steps 520 {further}")).expect_code(0);
    }
    let [one, eight, seed] = &outs;
    let told = diff("", one, eight).expect_code(0).stdout;
    assert!(told.ends_with("\nequal\n") && !told.contains("differ"), "{told}");
    for table in ["state", "particles", "walls", "contacts", "histories of hertz-mindlin"] {
        assert!(told.contains(&format!("   {table}: ")), "no {table} in:\n{told}");
    }
    diff("--frame 0", one, eight).expect_code(0);
    diff("", &checkpoints(one)[0], &checkpoints(eight)[0]).expect_code(0);

    let told = diff("", one, seed).expect_code(1).stdout;
    assert!(told.ends_with("\ndifferent\n") && told.contains("texts that differ: scene"), "{told}");
    let (found, code) = comparison(one, seed);
    assert_eq!((&found["equal"], code), (&Value::Bool(false), Some(1)));
    let parts = found["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2, "checkpoints and frames");
    for part in parts {
        let position = named(&named(&part["tables"], "particles")["columns"], "position");
        let (largest, row) = (&position["largest_absolute"]["value"], &position["largest_absolute"]["row"]["id"]);
        assert!(largest.as_f64().unwrap() > 1e-5 && row.is_u64(), "{position}");
        assert_eq!(position["unit"], "m");
    }
    assert!(parts[0]["sections_that_differ"].as_array().unwrap().iter().any(|name| name == "particle.position"));
}

#[test]
fn particles_and_contacts_of_one_of_two_states_only_are_counted_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let (early, late) = (folder.path().join("early"), folder.path().join("late"));
    run(&mill(), &early, "--steps 100").expect_code(0);
    run(&mill(), &late, "--steps 150").expect_code(0);
    let (found, code) = comparison(&checkpoints(&early)[0], &checkpoints(&late)[0]);
    assert_eq!(code, Some(1));
    let tables = &found["parts"][0]["tables"];
    let particles = named(tables, "particles");
    // it rains
    let (rows, lone) = (&particles["rows"], &particles["rows_only_in"][1]);
    let more = rows[1].as_u64().unwrap() - rows[0].as_u64().unwrap();
    assert!(lone["count"].as_u64().unwrap() >= more && more > 0, "{rows} {lone}");
    assert_eq!(lone["first"][0]["id"].as_u64().unwrap(), rows[0].as_u64().unwrap(), "the first that was poured");
    let contacts = &named(tables, "histories of hertz-mindlin")["rows_only_in"][1];
    assert!(contacts["count"].as_u64().unwrap() > 0 && contacts["first"][0]["partner"].is_u64(), "{contacts}");
    let step = named(&named(tables, "state")["columns"], "step");
    assert_eq!(step["largest_absolute"]["value"], 50.0);
    let told = diff("", &early, &late).expect_code(1).stdout;
    assert!(told.contains(" rows only in B: id "), "{told}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "--steps 20").expect_code(0);
    let (state, frames) = (checkpoints(&out)[0].clone(), out.join("snapshots.vtkhdf"));
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut bytes = std::fs::read(&state).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = write("damaged.ckpt", &bytes);
    let cut = write("cut.vtkhdf", &std::fs::read(&frames).unwrap()[..200]);
    let foreign = write("foreign.ckpt", b"rows,of,numbers\n1,2,3\n");
    let short = write("short", b"DEM");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let missing = folder.path().join("missing");
    for (words, first, second, message) in [
        ("", &state, &frames, "is a checkpoint and "),
        ("", &out, &state, "is a run directory and "),
        ("", &state, &damaged, "is damaged: its checksum differs"),
        ("", &cut, &frames, "cannot be used"),
        ("", &frames, &foreign, "expected a run directory, a checkpoint or a snapshot file"),
        ("", &short, &state, "expected a run directory, a checkpoint or a snapshot file"),
        ("", &out, &empty, "holds no checkpoint"),
        ("", &missing, &out, "cannot read"),
        ("--frame 99", &frames, &frames, "--frame 99: "),
        ("--frame=-9223372036854775808", &frames, &frames, "--frame -9223372036854775808: "),
        ("--frame 0", &state, &state, "expected none for checkpoints"),
    ] {
        let told = diff(words, first, second).expect_code(2).expect_message(&["error: ", message]);
        assert!(told.stdout.is_empty(), "{}", told.stdout);
        let named = [first, second].iter().any(|path| told.stderr.contains(&path.display().to_string()));
        assert!(named || words.ends_with(" 0"), "no file is named: {}", told.stderr);
    }
}
