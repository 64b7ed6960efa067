//! Every command has a directory of its own, and `--force` replaces what the same command wrote and nothing else.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use crate::command::{contents, dem, finish, run, scenes};

#[test]
fn a_test_and_a_run_of_one_scene_do_not_share_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("small.toml");
    let example = std::fs::read_to_string(scenes().join("../../examples/triaxial_small.toml")).unwrap();
    let small = example.replace("\"25 mm\"", "\"9.8 mm\"").replace("count = 1000", "count = 60");
    std::fs::write(&scene, small).unwrap();
    let here = |words: &str| {
        let mut command = dem(words, &[&scene]);
        command.current_dir(folder.path());
        finish(command)
    };
    here("run --steps 50").expect_code(0);
    let of_run = contents(&folder.path().join("runs/small"));
    let test = "triaxial --once --strain 0.002 --fraction 0.5 --points 10 --threads 1";
    here(test).expect_code(0);
    assert!(folder.path().join("runs/small_triaxial/states/peak_0.5.ckpt").is_file());
    assert!(contents(&folder.path().join("runs/small")) == of_run, "the run is as it was");
    // tables and states are replaced only by force, and a run's directory by neither
    let of_test = contents(&folder.path().join("runs/small_triaxial"));
    let again = format!("{test} --set contact.damping_ratio=0.3");
    here(&again).expect_code(2).expect_message(&["with results of `dem triaxial`: give --force"]);
    here(&format!("{again} --force --out runs/small")).expect_code(2).expect_message(&["holds results of `dem run`"]);
    here("run --force --out runs/small_triaxial").expect_code(2).expect_message(&["holds results of `dem triaxial`"]);
    assert!(contents(&folder.path().join("runs/small_triaxial")) == of_test);
    assert!(contents(&folder.path().join("runs/small")) == of_run);
    here(&format!("{again} --force")).expect_code(0);
    assert!(contents(&folder.path().join("runs/small_triaxial")) != of_test);
}

#[test]
fn tables_of_studies_profiles_and_merges_are_replaced_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let scene = scenes().join("good/fills.toml");
    run(&scene, &at("a"), "").expect_code(0);
    run(&scene, &at("b"), "--set seed=77").expect_code(0);
    for (words, runs, command) in [
        ("study rotation --no-runs --steps 20", vec![], "dem study rotation"),
        ("profile --axis z", vec![at("a")], "dem profile"),
        ("merge", vec![at("a"), at("b")], "dem merge"),
    ] {
        let out = at(&command.replace(' ', "_"));
        let call = |more: &str, out: &std::path::Path| {
            let mut call = dem(&format!("{words} {more} --out"), &[&out]);
            call.args(&runs);
            finish(call)
        };
        call("", &out).expect_code(0);
        let before = contents(&out);
        let refused = format!("with results of `{command}`: give --force");
        call("", &out).expect_code(2).expect_message(&[&refused]);
        assert!(contents(&out) == before, "{words}");
        std::fs::write(out.join("by_hand.txt"), "x").unwrap();
        call("--force", &out).expect_code(0);
        assert!(out.join("by_hand.txt").is_file(), "{words}");
        // nor into the directory of another command
        for other in [at("a"), at("dem_study_rotation")].iter().filter(|other| **other != out) {
            let before = contents(other);
            call("--force", other).expect_code(2).expect_message(&["does not touch"]);
            assert!(contents(other) == before, "{words}");
        }
    }
}

#[test]
fn studies_of_runs_are_named_by_the_study_and_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = ["heap_1", "heap_2"].map(|name| folder.path().join(name)).into();
    for out in &runs {
        run(&scenes().join("good/fills.toml"), out, "--steps 10").expect_code(0);
        let mut study = dem("study surface --kind heap", &[out]);
        study.current_dir(folder.path());
        finish(study).expect_code(0);
    }
    for name in ["heap_1", "heap_2"] {
        let out = folder.path().join(format!("runs/study_surface_{name}"));
        assert!(out.join("surface.csv").is_file(), "{name}");
    }
}
