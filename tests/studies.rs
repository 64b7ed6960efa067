//! Studies as a user runs them.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

mod command;

use command::{dem, finish};

#[test]
fn study_of_rotations_writes_tables_and_figures_and_prints_json() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = finish(dem("study rotation --steps 500 --json --out", &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let rows = rows.as_array().expect("it is an array");
    assert_eq!(rows.len(), 10);
    assert_eq!((&rows[0]["parameterization"], &rows[0]["map"]), (&"quaternion".into(), &"exact".into()));
    for file in ["rotation.csv", "rotation.json", "rotation_constant_spin.png", "rotation_orders.svg"] {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn study_of_integrators_writes_a_row_for_each_scheme() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = finish(dem("study integrator --steps 1000 --json --out", &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let rows = rows.as_array().expect("it is an array");
    assert!(rows.len() > 10);
    assert_eq!(rows[0]["scheme"], "velocity-verlet");
    for file in
        ["integrator.csv", "integrator_rolling.json", "integrator_order_conservative.png", "integrator_energy.svg"]
    {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn study_of_the_slice_writes_tables_figures_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = finish(dem("study slice --seeds 2 --particles 20 --one-integrator --out", &[&out])).expect_code(0);
    assert!(outcome.stdout.contains("Mean |psi6| of the final packing"), "{}", outcome.stdout);
    for file in ["slice.csv", "slice_energy.json", "slice_order.svg", "slice_with_rotation_1000ms.png"] {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn study_of_sliding_writes_every_figure_and_prints_comparisons() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = finish(dem("study sliding --steps 1000 --json --out", &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let rows = rows.as_array().expect("it is an array");
    assert!(rows.iter().any(|row| row["method"] == "elliptic" && row["agrees"] == true), "{rows:?}");
    for number in [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15] {
        for kind in ["png", "svg"] {
            let file = format!("sliding_figure_{number}.{kind}");
            assert!(std::fs::metadata(out.join(&file)).unwrap().len() > 0, "{file}");
        }
    }
    for table in ["comparisons", "displacement_control", "force_control"] {
        assert!(std::fs::metadata(out.join(format!("sliding_{table}.csv"))).unwrap().len() > 0, "{table}");
    }
}

#[test]
fn studies_refuse_options_out_of_range() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (options, message) in [
        ("--steps 0", "--steps = 0, expected 1 to 1000000000"),
        ("--bench --particles 3", "--particles = 3, expected 100 to 1000000"),
        ("--bench --rounds 0", "--rounds = 0, expected 1 to 1000"),
        ("--particles 200", "--bench"),
        ("--steps many", "--steps"),
    ] {
        let words = format!("study rotation {options} --out");
        finish(dem(&words, &[&out])).expect_code(2).expect_message(&[message]);
    }
    for (words, message) in [
        ("study integrator --steps 10 --out", "--steps = 10, expected 1000 to 1000000000"),
        ("study integrator --bench --particles 3 --out", "--particles = 3, expected 100 to 1000000"),
        ("study slice --seeds 1 --out", "--seeds = 1, expected 2 to 10000"),
        ("study slice --particles 5000 --out", "--particles = 5000, expected 20 to 235"),
        ("study slice --integrator euler --out", "--integrator = euler, expected one of velocity-verlet"),
    ] {
        finish(dem(words, &[&out])).expect_code(2).expect_message(&[message]);
    }
    for (options, message) in [
        ("--overlap 0.7", "--overlap = 0.7, expected 0.001 to 0.5"),
        ("--steps 3", "--steps = 3, expected 500 to 1000000"),
        ("--integrator euler", "--integrator = euler, expected velocity-verlet"),
    ] {
        let words = format!("study sliding {options} --out");
        finish(dem(&words, &[&out])).expect_code(2).expect_message(&[message]);
    }
    assert!(!out.exists());
    finish(dem("study", &[])).expect_code(2).expect_message(&["rotation"]);
}
