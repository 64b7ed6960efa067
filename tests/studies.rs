//! Studies as a user runs them.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::command::{self, collect, contents, dem, finish, start};

#[test]
fn study_of_rotations_writes_tables_and_figures_and_prints_json() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = finish(dem("study rotation --no-runs --steps 500 --json --out", &[&out])).expect_code(0);
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
    let outcome = finish(dem("study slice --seeds 2 --particles 40 --one-integrator --out", &[&out])).expect_code(0);
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
fn study_of_rotation_objectivity_prints_tensors_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let words = "study rotation-objectivity --particles 100 --q-over-p 0.2 --increments 5,20 --json --out";
    let outcome = finish(dem(words, &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let rows = rows.as_array().expect("it is an array");
    assert_eq!(rows.len(), 3 * 2 * 9);
    for row in rows {
        let [before, exact] = ["before_kPa", "exact_kPa"].map(|key| row[key].as_f64().unwrap());
        assert!((before - exact).abs() < 1e-6, "{row}");
    }
    for file in ["rotation_objectivity_errors.csv", "rotation_objectivity.png"] {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
    }
    for (options, message) in [
        ("--particles 5", "--particles = 5, expected 100 to 20000"),
        ("--increments 1", "--increments = 1, expected 2 to 100000"),
        ("--q-over-p 3", "--q-over-p = 3, expected 0 < value <= 2"),
    ] {
        let words = format!("study rotation-objectivity {options}");
        finish(dem(&words, &[])).expect_code(2).expect_message(&[message]);
    }
}

#[test]
fn studies_of_adhesion_and_yield_write_tables_and_figures() {
    let folder = tempfile::tempdir().unwrap();
    for (words, files, rows) in [
        ("study adhesion --steps 500", ["adhesion_impacts.csv", "adhesion_pull_off.png", "adhesion_bridges.svg"], 10),
        ("study yield --speed 0.1m/s,1m/s", ["yield_laws.json", "yield.png", "yield.svg"], 14),
    ] {
        let out = folder.path().join(files[1]);
        let outcome = finish(dem(&format!("{words} --json --out"), &[&out])).expect_code(0);
        let found: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
        assert_eq!(found.as_array().map(Vec::len), Some(rows));
        for file in files {
            assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
        }
    }
    for (words, message) in [
        ("study adhesion --surface-energy 0", "--surface-energy = 0, expected a positive number"),
        ("study adhesion --steps 1", "--steps = 1, expected 100 to 100000"),
        ("study yield --speed 0", "--speed = 0"),
    ] {
        finish(dem(words, &[])).expect_code(2).expect_message(&[message]);
    }
}

/// Sixty spheres of the triaxial example, sheared a little.
const FEW_SPHERES: &str = "--set seed=5 --set domain.max=[0.0098,0.0098,0.0098] --set particles.sample.region.max=[0.0098,0.0098,0.0098] \
     --set particles.sample.fill.count=60";

#[test]
fn a_triaxial_test_leaves_states_that_can_be_probed_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let example = command::scenes().join("../../examples/triaxial_small.toml");
    let words = format!("triaxial --once --strain 0.005 --fraction 0.5 --threads 1 --points 10 {FEW_SPHERES} --out");
    finish(dem(&words, &[&at("test"), &example])).expect_code(0);
    let state = at("test/states/peak_0.5.ckpt");
    assert!(std::fs::metadata(at("test/triaxial.png")).unwrap().len() > 0);
    let probe = "probe --directions 4 --steps 2 --relax 1 --unload 10 --law kuhn --threads 1";
    for part in ["1", "2"] {
        let words = format!("{probe} --shard {part}/2 --out");
        finish(dem(&words, &[&at(part), &"--state", &state, &at("test")])).expect_code(0);
    }
    let missing = finish(dem("probe --merge", &[&at("1")]));
    missing.expect_code(2).expect_message(&["5 of 10 probes are missing"]);
    finish(dem("probe --merge", &[&at("1"), &at("2"), &"--out", &at("all")])).expect_code(0);
    for file in ["probe.csv", "probe_increments.json", "probe_quality.csv"] {
        assert!(std::fs::metadata(at("all").join(file)).unwrap().len() > 0, "{file}");
    }
    for (words, message) in [
        ("--shard 3/2", "--shard = 3/2, expected i/n"),
        ("--directions 2", "--directions = 2, expected 4 to 10000"),
        ("--law hooke", "kuhn"),
        ("--plane flat", "--plane = flat, expected one of rendulic"),
        ("--axis q", "--axis = q, expected one of x, y, z"),
        ("--directions 4 --steps 2 --relax 1 --unload 10 --law conventional", "laws or their parameters differ"),
        (
            "--directions 4 --steps 2 --relax 1 --unload 10 --law linear",
            "linear does not go on from the histories of kuhn",
        ),
    ] {
        let words = format!("probe --threads 1 {words} --out");
        finish(dem(&words, &[&at("1"), &"--state", &state, &at("test")])).expect_code(2).expect_message(&[message]);
    }
    finish(dem("probe", &[])).expect_code(2).expect_message(&["SOURCE"]);
    finish(dem("probe", &[&at("nowhere.toml")])).expect_code(2).expect_message(&["nowhere.toml"]);
    for (words, message) in [
        ("--path sideways --pressure 1e5Pa --rate 1/s", "--path = sideways, expected one of constant-p"),
        ("--path drained --pressure -1Pa --rate 1/s", "--pressure = -1 Pa, expected a pressure above 0"),
        ("--path drained --pressure 1e5Pa --rate 0/s", "--rate = 0 1/s, expected a rate other than 0"),
        ("--path drained", "--pressure"),
        (
            "--path drained --pressure 100 --rate 1/s",
            "--pressure = 100, expected a number with its unit, as in \"100 Pa\"",
        ),
        ("--path drained --pressure 100kPa --rate 1", "--rate = 1, expected a number with its unit"),
        ("--path drained --pressure 100kg --rate 1/s", "--pressure: \"100kg\" is in kg"),
        ("--stress-error 0", "--stress-error = 0, expected value > 0"),
        ("--fraction 2", "--fraction = 2, expected 0 < value < 1"),
        ("--strain 3", "--strain = 3, expected 0 < value <= 1"),
        ("--law hooke", "kuhn"),
    ] {
        finish(dem(&format!("triaxial {words}"), &[&example])).expect_code(2).expect_message(&[message]);
    }
}

#[test]
fn a_triaxial_test_goes_on_where_it_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let example = command::scenes().join("../../examples/triaxial_small.toml");
    let test = |out: &str| {
        let options = "--once --strain 0.02 --fraction 0.5 --threads 1 --points 10";
        // a unit in the label of a law: no name of a file
        let law = "conventional:normal_stiffness=200000 N/m";
        dem(&format!("triaxial {options} {FEW_SPHERES} --out"), &[&at(out), &"--law", &law, &example])
    };
    finish(test("straight")).expect_code(0);
    let parts = || {
        let entries = std::fs::read_dir(at("killed/unfinished")).into_iter().flatten().flatten();
        let whole = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "part"));
        whole.map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap())).collect::<BTreeMap<_, _>>()
    };
    let mut kills = 0;
    // a few are enough: how many there could be is a matter of how fast the machine is
    let outcome = loop {
        let before = parts();
        let is_further = || parts().iter().any(|(path, time)| before.get(path) != Some(time));
        let mut child = start(test("killed"));
        while child.try_wait().unwrap().is_none() && (kills == 4 || !is_further()) {
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.try_wait().unwrap().is_some() {
            break collect(child).expect_code(0);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // what a kill between writing and renaming leaves, wherever the test writes
        for folder in ["", "unfinished", "states", "tables"] {
            std::fs::create_dir_all(at("killed").join(folder)).unwrap();
            std::fs::write(at("killed").join(folder).join(".unfinished-killed"), b"half").unwrap();
        }
    };
    println!("killed {kills} times");
    assert!(kills > 0);
    outcome.expect_message(&["goes on from where it was interrupted"]);
    assert!(!at("killed/unfinished").exists());
    // no table belongs to this scene
    std::fs::remove_dir(at("killed/tables")).unwrap();
    let results = |name: &str| {
        let (folder, files) = (at(name), contents(&at(name)));
        let relative = |path: &Path| path.strip_prefix(&folder).unwrap().to_owned();
        files.into_iter().map(|(path, bytes)| (relative(&path), bytes)).collect::<BTreeMap<_, _>>()
    };
    let (straight, killed) = (results("straight"), results("killed"));
    assert!(straight.keys().eq(killed.keys()));
    let differing: Vec<_> =
        straight.iter().filter(|(path, bytes)| killed[*path] != **bytes).map(|found| found.0).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn a_state_is_probed_under_its_own_law_and_a_drift_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let example = command::scenes().join("../../examples/triaxial_small.toml");
    let test = "triaxial --once --strain 0.005 --fraction 0.47 --points 10 --set contact.law=linear";
    finish(dem(&format!("{test} {FEW_SPHERES} --out"), &[&at("test"), &example])).expect_code(0);
    let state = at("test/states/peak_0.47.ckpt");
    let probe = |options: &str| {
        let words = format!("probe --directions 12 --steps 5 --relax 20 --unload 0 --json {options} --state");
        finish(dem(&words, &[&state, &at("test")]))
    };
    let rows = |text: &str| -> Vec<serde_json::Value> { serde_json::from_str(text).unwrap() };
    let own = rows(&probe("").expect_code(0).stdout);
    assert!(!own.is_empty() && own.iter().all(|row| row["law"] == "linear" && row["remark"] == ""), "{own:?}");
    // another kind of memory: nothing is dropped in silence
    probe("--law kuhn --force").expect_code(2).expect_message(&["kuhn does not go on from the histories of linear"]);
    let other = probe("--law kuhn --drop-histories --force").expect_code(3);
    let other = other.expect_message(&["request not met: kuhn: the probe without strain changed the stress by"]);
    let other = rows(&other.stdout);
    let is_marked =
        |row: &serde_json::Value| row["remark"].as_str().unwrap().starts_with("histories dropped; state not at rest");
    assert!(!other.is_empty() && other.iter().all(is_marked), "{other:?}");
    let figure = std::fs::read_to_string(at("test/probe/probe.svg")).unwrap();
    assert!(figure.contains("kuhn (histories dropped; state not at rest"));
    // nor in a test under another law
    let words = format!("{test} --law kuhn {FEW_SPHERES} --out");
    finish(dem(&words, &[&at("other"), &example])).expect_code(2).expect_message(&["--drop-histories"]);
}

#[test]
fn a_test_that_misses_its_stress_ends_with_code_3_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let example = command::scenes().join("../../examples/triaxial_small.toml");
    let asked = "triaxial --once --strain 0.002 --fraction 0.5 --points 10 --path drained --pressure 1kPa --rate 0.5/s";
    let outcome = finish(dem(&format!("{asked} {FEW_SPHERES} --json --out"), &[&out, &example])).expect_code(3);
    let outcome = outcome.expect_message(&["request not met: test: stress error up to", "bound 0.05"]);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert!(rows[0]["largest_stress_error"].as_f64().unwrap() > 10.0, "{rows}");
    assert!(rows[0]["remark"].as_str().unwrap().starts_with("stress error up to"), "{rows}");
    assert!(std::fs::read_to_string(out.join("triaxial.svg")).unwrap().contains("test (out of bounds)"));
    // a preparation that waits in vain
    let hasty =
        "triaxial --once --strain 0.001 --fraction 0.5 --points 10 --force --set stages.compress.until.time=1ms";
    let outcome = finish(dem(&format!("{hasty} {FEW_SPHERES} --out"), &[&out, &example])).expect_code(3);
    outcome.expect_message(&["stage \"compress\" waited for its stress at equilibrium for 0.001"]);
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
        ("--run-bodies 7", "--run-bodies = 7, expected 8 to 100000"),
        ("--no-runs --run-steps 500", "--no-runs"),
        ("--steps many", "--steps"),
    ] {
        let words = format!("study rotation {options} --out");
        finish(dem(&words, &[&out])).expect_code(2).expect_message(&[message]);
    }
    for (words, message) in [
        ("study integrator --steps 10 --out", "--steps = 10, expected 1000 to 1000000000"),
        ("study integrator --bench --particles 3 --out", "--particles = 3, expected 100 to 1000000"),
        ("study slice --seeds 1 --out", "--seeds = 1, expected 2 to 10000"),
        ("study clusters --seeds 1 --out", "--seeds = 1, expected 2 to 10000"),
        ("study clusters --shape 0.2:0.5 --out", "--shape = 0.2:0.5, expected RADIUS:DISTANCE"),
        ("study clusters --preparation-friction 0.1 --out", "--preparation-friction = [0.1], expected at least two"),
        ("study clusters --directions 5 --out", "--directions = 5, expected 12 to 10000"),
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

/// Few clusters, sheared a little: assemblies are kept, and not done twice.
#[test]
fn study_of_clusters_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let few = "study clusters --shape 0.6:0.7 --clusters 30 --strain 0.0005 --preparation-friction 0.05,0.4 --larger 0 --directions 0 --threads 1";
    let fast = "--set stages.compress.until={stress_reached={tolerance=0.3,unbalanced_force=0.3},time=0.1}";
    let words = format!("{few} {fast} --seeds 2 --out");
    let said = finish(dem(&words, &[&out])).expect_code(3).stdout;
    assert!(said.contains("0.6:0.7: compressed with a friction of 0."), "{said}");
    let read = |name: &str| std::fs::read(out.join(name)).unwrap();
    let before = ["clusters.csv", "clusters_courses.csv", "clusters.png"].map(read);
    let kept = || std::fs::read_dir(out.join("assemblies")).unwrap().count();
    let assemblies = kept();
    finish(dem(&format!("{few} {fast} --seeds 3 --out"), &[&out])).expect_code(3);
    assert_eq!(kept(), assemblies + 2, "one preparation and its test");
    finish(dem(&words, &[&out])).expect_code(3);
    assert_eq!(["clusters.csv", "clusters_courses.csv", "clusters.png"].map(read), before);
    finish(dem("study slice --seeds 2 --particles 40 --one-integrator --out", &[&out]))
        .expect_code(2)
        .expect_message(&["holds results of `dem study clusters`"]);
}

#[test]
fn a_benchmark_takes_the_search_it_is_told_and_refuses_what_is_none() {
    let asked = "bench polydisperse --steps 2 --warmup 0 --threads 1 --broadphase kd_tree --json";
    let said = finish(dem(asked, &[])).expect_code(0).stdout;
    let found: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&found["broadphase"], &found["particles"]), (&"kd_tree".into(), &20_000.into()));
    for (words, message) in [
        (
            "bench polydisperse --broadphase octree",
            "--broadphase = octree, expected one of automatic, cell_list, hierarchical_grid, kd_tree",
        ),
        ("bench polydisperse --size 30000", "--size = 30000, expected a multiple of 20000"),
        ("bench bidisperse", "CASE = bidisperse, expected one of settled, stir, periodic, polydisperse"),
    ] {
        finish(dem(words, &[])).expect_code(2).expect_message(&[message]);
    }
}

#[test]
fn study_of_impacts_writes_its_files_and_prints_a_row_for_each_law_and_angle() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let words = "study impact --law mdr --law linear --angle 5,40deg --steps 200 --annuli 40 --json --out";
    let outcome = finish(dem(words, &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let rows = rows.as_array().expect("it is an array");
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[3]["law"], &rows[3]["angle_deg"]), (&"linear".into(), &40.0.into()));
    for key in ["e_n", "e_t", "phi_contact_deg", "omega_rad_s", "contact_time_s", "max_normal_force_N", "max_overlap_m"]
    {
        assert!(rows.iter().all(|row| row[key].is_number()), "{key}");
    }
    for file in ["impact.csv", "impact_references.json", "impact_histories.csv", "impact_rebound.png"] {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn study_of_paths_follows_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("out"), folder.path().join("path.csv"));
    std::fs::write(&file, "overlap_m,slip_x_m\n1e-5,0\n1e-5,1e-7\n1e-5,-1e-7\n").unwrap();
    let outcome = finish(dem("study path --law mdr --json --file", &[&file, &"--out", &out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    assert_eq!((&rows[0]["path"], &rows[0]["points"]), (&"given".into(), &3.into()));
    std::fs::write(&file, "slip_x_m\n1\n").unwrap();
    finish(dem("study path --file", &[&file])).expect_code(2).expect_message(&["line 1", "normal_force_N"]);
}

#[test]
fn studies_of_contacts_refuse_what_does_not_exist() {
    for (words, message) in [
        ("study impact --law hooke", "hertz-mindlin"),
        ("study impact --law mdr:spring=3", "springs"),
        ("study impact --law linear:normal_stiffness=-1", "expected 0 < value"),
        ("study impact --integrator leapfrog", "velocity-verlet"),
        ("study impact --sphere cheese", "aluminium-oxide"),
        ("study impact --angle 0", "in (0, 90)"),
        ("study impact --angle 95deg", "in (0, 90)"),
        ("study impact --angle 90deg", "in (0, 90)"),
        ("study impact --angle -5deg", "in (0, 90)"),
        ("study impact --angle nan", "in (0, 90)"),
        ("study impact --angle 5", "the unit is missing"),
        ("study impact --radius 0.002", "--radius = 0.002, expected a number with its unit"),
        ("study impact --spin 0,100", "the unit is missing"),
        ("study path --overlap 1e-5", "--overlap = 1e-5, expected a number with its unit"),
        ("study impact --angle 2..30:0deg", "2..40:20"),
        ("study impact --friction 0..1:0", "2..40:20"),
        ("study impact --partner-material stone", "soda-lime-glass"),
        ("study path --law hooke", "hertz-mindlin"),
        ("study path --wall cheese", "aluminium-oxide"),
        ("study impact --lever long", "radius"),
        ("study impact --friction -1", "0 or positive"),
        ("study path --path loop", "nested-loops"),
        ("validate --case nothing", "--case = nothing, expected one of normal-impact"),
        ("validate --case normal-impact --case nothing", "container-filling"),
        ("validate --quick --markdown no_such_page.md", "no_such_page.md"),
        ("validate --case normal-impact --markdown VALIDATION.md", "cannot be used with"),
    ] {
        finish(dem(words, &[])).expect_code(2).expect_message(&[message]);
    }
}

#[test]
fn validation_prints_checks_and_writes_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let words = "validate --quick --case normal-impact --case force-loops --json --report";
    let outcome = finish(dem(words, &[&folder.path()])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    for key in ["case", "quantity", "reference", "source", "result", "tolerance", "verdict", "tier", "weakness"] {
        assert!(!rows[0][key].is_null(), "{key}");
    }
    let page = std::fs::read_to_string(folder.path().join("validation.html")).unwrap();
    assert!(page.contains("<svg") && page.ends_with("</html>\n"));
}

#[test]
fn profile_of_a_run_writes_tables_figures_and_fields_and_refuses_what_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    command::run(&command::scenes().join("good/fills.toml"), &out, "--set output.contacts=true").expect_code(0);
    let outcome = finish(dem("profile --axis z --bins 5 --json", &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(5));
    for file in ["profile.csv", "profile.png", "structure.json", "contact_numbers.svg", "fields.vtkhdf"] {
        assert!(std::fs::metadata(out.join("profile").join(file)).unwrap().len() > 0, "{file}");
    }
    for (words, message) in [
        ("--axis q", "--axis = q, expected x, y, z or r"),
        ("--axis z --bins 0", "--bins = 0, expected 1 to 10000"),
        ("--axis z --region box:90,90,90,91,91,91m", "a region that particles reach into"),
        ("--axis z --region ball:1", "--region = ball:1, expected box:"),
        ("--axis z --field porosty", "--field = porosty, expected one of solid_fraction"),
        ("--axis z --frame 1000000", "--frame = 1000000, expected "),
        ("--axis z --window 1kg", "--window: "),
        ("--axis z --window 1", "--window = 1, expected a number with its unit"),
        ("--axis z --region box:0,0,0,1,1,1", "the unit is missing"),
        ("--axis z --grid 1e-9m", "--grid = "),
    ] {
        finish(dem(&format!("profile --force {words}"), &[&out])).expect_code(2).expect_message(&[message]);
    }
    let nowhere = folder.path().join("nowhere");
    finish(dem("profile --axis z", &[&nowhere])).expect_code(2).expect_message(&["nowhere"]);
}

#[test]
fn a_profile_of_a_deforming_cell_has_the_edges_of_its_frame() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let options = "--set output.snapshots=0.001 --set output.series=0.001";
    command::run(&command::scenes().join("good/deforming_cell.toml"), &out, options).expect_code(0);
    let outcome = finish(dem("profile --axis z --bins 5 --frame 1 --json", &[&out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let fractions = rows.as_array().unwrap().iter().map(|row| row["solid_fraction"].as_f64().unwrap());
    let mean = fractions.sum::<f64>() / 5.0;
    let series = dem_io::series::Series::read(out.join("series.csv")).unwrap();
    let (porosity, strain) = (series.column("porosity").unwrap(), series.column("strain_zz").unwrap());
    assert!(strain[1].abs() > 1e-4, "the cell has deformed by then: {}", strain[1]);
    // spheres fill the whole periods with all of their volume
    assert!((mean + porosity[1] - 1.0).abs() < 1e-9, "{mean} {}", porosity[1]);
    finish(dem("profile --force --axis z --frame 1 --window 1s", &[&out]))
        .expect_code(2)
        .expect_message(&["--window = 1 s"]);
    finish(dem("profile --axis z", &[&out])).expect_code(2).expect_message(&["profile exists already"]);
    finish(dem("profile --force --axis z", &[&out])).expect_code(2).expect_message(&["is sheared"]);
}

#[test]
fn a_silo_is_measured_from_its_run_and_bears_its_weight() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("silo"), folder.path().join("out"));
    // a silo of five diameters with 500 spheres
    let settings = "--set walls.floor.shape.radius=12.5mm --set walls.silo.shape.radius=12.5mm --set walls.silo.shape.height=0.45 \
         --set particles.rain.region={type=\"cylinder\",radius=0.0124,height=0.4} --set particles.rain.velocity=[0,0,0] \
         --set particles.rain.fill={type=\"lattice\",gap=0.05,jitter=1,count=450} \
         --set output.wall_probes.0.bins=11 --set output.wall_probes.0.to=110mm";
    let silo = command::scenes().join("../../examples/silo.toml");
    command::run(&silo, &run, settings).expect_code(0);
    let outcome = finish(dem("study janssen --json", &[&run, &"--out", &out])).expect_code(0);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("the output is JSON");
    let number = |key: &str| rows[0][key].as_f64().expect("it is a number");
    assert!(number("imbalance").abs() < 0.005, "{rows}");
    assert!((0.05..0.8).contains(&number("floor_share")) && number("height_over_diameter") > 4.0, "{rows}");
    assert!((0.05..=0.5).contains(&number("wall_friction")) && (0.2..1.5).contains(&number("lateral_ratio")), "{rows}");
    assert!(number("residual_fitted") <= number("residual") && number("residual") < 0.5, "{rows}");
    for file in ["janssen.csv", "janssen_profile.json", "janssen.png", "janssen_ratios.svg"] {
        assert!(std::fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
    }
    finish(dem("study discharge", &[&run])).expect_code(2).expect_message(&["nothing leaves its domain"]);
    finish(dem("study surface --kind drum", &[&run])).expect_code(2).expect_message(&["--kind = drum, expected a run"]);
    let message = finish(dem("study janssen --seeds 3", &[&run])).expect_code(2);
    message.expect_message(&["cannot be used with"]);
}

#[test]
fn studies_of_runs_refuse_what_a_run_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    command::run(&command::scenes().join("good/fills.toml"), &run, "").expect_code(0);
    finish(dem("study janssen", &[&run])).expect_code(2).expect_message(&["profiles.csv", "[[output.wall_probes]]"]);
    let nowhere = folder.path().join("nowhere");
    for words in ["study janssen", "study discharge", "study surface --kind heap"] {
        finish(dem(words, &[&nowhere])).expect_code(2).expect_message(&["nowhere"]);
    }
    for (words, message) in [
        ("study janssen --seeds 1", "--seeds = 1, expected 2 to 1000"),
        ("study janssen --particles 2", "--particles = 2, expected 300 to 100000"),
        ("study beverloo --outlets 6,7", "at least three different ones"),
        ("study beverloo --outlets 1,7,8", "3 to 15"),
        ("study beverloo --k -1", "--k = -1, expected 0 to 2.5"),
        ("study beverloo --particles 1", "--particles = 1, expected 200 to 100000"),
    ] {
        finish(dem(words, &[])).expect_code(2).expect_message(&[message]);
    }
}

#[test]
fn narrow_bins_of_a_wall_probe_come_with_a_warning() {
    let scene = command::scenes().join("good/shapes.toml");
    let probe = |bins: u64| format!("output.wall_probes=[{{wall=\"drum\",bins={bins}}}]");
    let check = |bins: u64| finish(dem("check", &[&scene, &"--set", &probe(bins)])).expect_code(0);
    check(4).expect_message(&[]);
    assert!(!check(4).stderr.contains("narrower"));
    check(400).expect_message(&["the bins of the probe of wall \"drum\"", "narrower than the largest particle"]);
}
