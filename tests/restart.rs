//! Equal bits: for any number of threads, and after an interruption at any step.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use dem_contact::ParameterValue;
use dem_contact::registry::{Entry, LAWS};
use dem_testkit::schemes::{Scheme, all_schemes};

use crate::command::{self, checkpoints, contents, dem, expect_rows, finish, last_checkpoint, run, scenes, series};

const VARIANTS: [&str; 3] = [
    "--set contact.law=hertz-mindlin",
    "--set contact.law=linear --set contact.normal_stiffness=3000",
    // everything that may be laid over a law
    "--set contact.law=combination --set contact.normal=hertz --set contact.tangential=mindlin-no-slip \
     --set contact.rolling=elastic-plastic --set contact.rolling_friction=0.1 --set contact.twisting=marshall \
     --set contact.near_field=mie --set contact.mie_attraction=1e-9 --set contact.mie_attraction_exponent=2 \
     --set contact.mie_repulsion=1e-16 --set contact.mie_repulsion_exponent=5 --set contact.mie_cutoff=0.5mm \
     --set output.total_rotation=true",
];

fn mill() -> PathBuf {
    scenes().join("restart/mill.toml")
}

/// Number after a key of `summary.json`.
#[track_caller]
fn summary(out: &Path, key: &str) -> f64 {
    let text = std::fs::read_to_string(out.join("summary.json")).unwrap();
    let find = |before: &str| text.split(&format!("{before}\"{key}\": ")).nth(1);
    // that of the run, if there is one; a phase of the time may have the same name
    let rest = find("\n  ").or_else(|| find("")).expect("the summary has the key");
    rest.split([',', '\n']).next().and_then(|number| number.parse().ok()).expect("it is a number")
}

#[test]
fn number_of_threads_changes_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    for law in VARIANTS {
        let outs: Vec<PathBuf> = [1, 2, 3, 5, 8]
            .into_iter()
            .map(|threads| {
                let out = folder.path().join(format!("{threads}{}", law.len()));
                run(&mill(), &out, &format!("{law} --threads {threads}")).expect_code(0);
                out
            })
            .collect();
        // the scene is what it says
        for key in ["removed", "contacts", "wall_contacts"] {
            assert!(summary(&outs[0], key) > 0.0, "{key}");
        }
        assert!(summary(&outs[0], "inserted") > summary(&outs[0], "particles"));
        let rows = std::fs::read(outs[0].join("series.csv")).unwrap();
        let expected = checkpoints(&outs[0]);
        assert_eq!(expected.len(), 2);
        for out in &outs[1..] {
            for (one, other) in expected.iter().zip(checkpoints(out)) {
                assert_eq!(one.file_name(), other.file_name());
                assert!(
                    std::fs::read(one).unwrap() == std::fs::read(&other).unwrap(),
                    "{law}: {} differs",
                    other.display()
                );
            }
            assert!(rows == std::fs::read(out.join("series.csv")).unwrap(), "{law}: series differ");
        }
    }
}

#[test]
fn interruption_at_any_step_changes_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    for law in VARIANTS {
        let whole = folder.path().join(format!("whole{}", law.len()));
        run(&mill(), &whole, law).expect_code(0);
        let parts = folder.path().join(format!("parts{}", law.len()));
        // in the middle of nothing, at the change of a stage, one step after it, while threads change
        run(&mill(), &parts, &format!("{law} --steps 137")).expect_code(0);
        for further in ["--steps 200 --threads 1", "--steps 201 --threads 3", "--steps 350", "--steps 517", ""] {
            run(&mill(), &parts, &format!("{law} {further} --restart latest")).expect_code(0);
        }
        let ((name, expected), (found_name, found)) = (last_checkpoint(&whole), last_checkpoint(&parts));
        assert_eq!(name, found_name);
        assert!(expected == found, "{law}: final checkpoints differ");
        expect_rows(&series(&whole), &series(&parts));
        for key in ["contacts", "coordination", "max_overlap_ratio_peak", "elastic_normal", "friction", "exchanged"] {
            assert_eq!(summary(&whole, key), summary(&parts, key), "{law}: {key}");
        }
    }
}

/// The mill with a law of the registry and nothing but what every law knows.
fn mill_under(law: &Entry, folder: &Path) -> (PathBuf, String) {
    let scene = std::fs::read_to_string(mill()).unwrap();
    let damping = "tangential_damping_ratio = 0.3\n";
    assert!(scene.contains(damping));
    let path = folder.join("mill.toml");
    std::fs::write(&path, scene.replace(damping, "")).unwrap();
    let mut settings = format!("--set contact.law={}", law.key);
    let declaration = (law.declaration)();
    let takes = |name: &str| declaration.all().iter().any(|spec| spec.name == name);
    let needs = takes("normal_stiffness") && declaration.condition("normal_stiffness").is_none();
    if needs || law.key == "combination" {
        settings += " --set contact.normal_stiffness=3000";
    }
    if !takes("restitution") {
        // what the mill has for all laws
        let text = std::fs::read_to_string(&path).unwrap();
        let without = text.replace("\nrestitution = 0.5", "").replace(", restitution = 0.7", "");
        std::fs::write(&path, without).unwrap();
    }
    for (name, value) in law.sample() {
        settings += &match value {
            // springs of other laws here have 3 kN/m
            ParameterValue::Number(value) if name.contains("stiffness") => {
                format!(" --set contact.{name}={}", 3e-3 * value)
            }
            ParameterValue::Word(word) => format!(" --set contact.{name}={word}"),
            value => format!(" --set contact.{name}={value}"),
        };
    }
    (path, settings)
}

#[test]
fn interruption_changes_no_bit_under_any_law() {
    let folder = tempfile::tempdir().unwrap();
    for law in LAWS {
        let (scene, settings) = mill_under(law, folder.path());
        let (whole, parts) = (folder.path().join(format!("{} whole", law.key)), folder.path().join(law.key));
        // past the change of friction of the second stage
        run(&scene, &whole, &format!("{settings} --steps 230")).expect_code(0);
        for further in ["--steps 137", "--steps 230 --threads 3 --restart latest"] {
            run(&scene, &parts, &format!("{settings} {further}")).expect_code(0);
        }
        assert!(last_checkpoint(&whole) == last_checkpoint(&parts), "{}: final checkpoints differ", law.key);
        expect_rows(&series(&whole), &series(&parts));
        assert!(summary(&whole, "contacts") > 100.0 && summary(&whole, "friction") > 0.0, "{}", law.key);
    }
}

/// The mill for some steps under every integrator with every choice of its words and flags; a table of an integrator as an argument
/// without spaces.
fn integrators() -> Vec<(String, String)> {
    let setting = |scheme: &Scheme| format!("--set time.integrator={}", scheme.toml().replace(' ', ""));
    all_schemes().iter().map(|scheme| (scheme.to_string(), setting(scheme))).collect()
}

#[test]
fn interruption_and_threads_change_no_bit_under_any_integrator() {
    let folder = tempfile::tempdir().unwrap();
    for (name, setting) in integrators() {
        let (whole, parts) = (folder.path().join(format!("{name} whole")), folder.path().join(&name));
        // past the change of friction and walls of the second stage
        run(&mill(), &whole, &format!("{setting} --steps 230 --threads 1")).expect_code(0);
        for further in ["--steps 137 --threads 2", "--steps 230 --threads 3 --restart latest"] {
            run(&mill(), &parts, &format!("{setting} {further}")).expect_code(0);
        }
        assert!(last_checkpoint(&whole) == last_checkpoint(&parts), "{name}: final checkpoints differ");
        expect_rows(&series(&whole), &series(&parts));
        assert!(summary(&whole, "contacts") > 100.0 && summary(&whole, "friction") > 0.0, "{name}");
    }
}

#[test]
fn a_checkpoint_is_refused_by_another_integrator_or_option() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "--set time.integrator=newmark --steps 5").expect_code(0);
    for other in ["gear", "{name=\"newmark\",mode=\"pece\"}"] {
        run(&mill(), &out, &format!("--set time.integrator={other} --steps 10 --restart latest"))
            .expect_code(2)
            .expect_message(&["written by another scene"]);
    }
}

#[test]
fn interruption_under_an_automatic_time_step_changes_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let scene = scenes().join("good/stages.toml");
    let picture = "--set output.picture.zoom=0.05";
    run(&scene, &whole, picture).expect_code(0);
    run(&scene, &parts, &format!("{picture} --until 10ms")).expect_code(0);
    run(&scene, &parts, &format!("{picture} --until 31ms --restart latest")).expect_code(0);
    run(&scene, &parts, &format!("{picture} --restart latest")).expect_code(0);
    assert_eq!(last_checkpoint(&whole), last_checkpoint(&parts));
    expect_rows(&series(&whole), &series(&parts));
}

#[test]
fn interruption_and_threads_change_no_bit_while_an_adaptive_step_changes() {
    let folder = tempfile::tempdir().unwrap();
    let stages = (scenes().join("good/stages.toml"), "--set output.picture.zoom=0.05");
    for (name, scene, settings) in [("mill", mill(), ""), ("stages", stages.0, stages.1)] {
        let settings = format!("{settings} --set time.step=adaptive");
        let (whole, parts) = (folder.path().join(format!("{name} whole")), folder.path().join(name));
        run(&scene, &whole, &format!("{settings} --threads 1")).expect_code(0);
        run(&scene, &parts, &format!("{settings} --steps 33 --threads 2")).expect_code(0);
        for further in ["--steps 137", "--steps 201 --threads 3", "--steps 480", "--steps 700", ""] {
            run(&scene, &parts, &format!("{settings} {further} --restart latest")).expect_code(0);
        }
        assert!(last_checkpoint(&whole) == last_checkpoint(&parts), "{name}: final checkpoints differ");
        expect_rows(&series(&whole), &series(&parts));
        let (shortest, longest) = (summary(&whole, "shortest_time_step"), summary(&whole, "longest_time_step"));
        assert!(longest > 1.2 * shortest, "{name}: {shortest} {longest}");
        assert_eq!(
            [shortest, longest],
            ["shortest", "longest"].map(|end| summary(&parts, &format!("{end}_time_step")))
        );
    }
}

/// Probes of three shapes of walls, two of which move, one of which comes later; intervals that end at no round number of steps.
const PROBES: &str = "--set output.profiles=0.37ms --set \
     output.wall_probes=[{wall=\"roller\",bins=4,sectors=3},{wall=\"shaker\",bins=5},{wall=\"lid\",bins=2,to=\"50mm\"}]";

#[test]
fn interruption_and_threads_change_no_bit_of_the_averages_on_walls() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run(&mill(), &whole, &format!("{PROBES} --threads 1 --steps 560")).expect_code(0);
    run(&mill(), &parts, &format!("{PROBES} --threads 2 --steps 33")).expect_code(0);
    for further in ["--steps 137", "--steps 139 --threads 3", "--steps 420", "--steps 560"] {
        run(&mill(), &parts, &format!("{PROBES} {further} --restart latest")).expect_code(0);
    }
    assert!(last_checkpoint(&whole) == last_checkpoint(&parts), "final checkpoints differ");
    let profiles = |out: &Path| std::fs::read_to_string(out.join("profiles.csv")).unwrap();
    let text = profiles(&whole);
    assert!(text == profiles(&parts), "averages differ");
    // 12 outputs of the 4.48 ms, and the last one, of 12 + 5 + 2 bins
    assert_eq!(text.lines().count(), 1 + 13 * 19);
    assert!(std::fs::metadata(whole.join("profiles.png")).unwrap().len() > 0);
    // what is looked at does not change the run, and may be given up on the way
    let plain = folder.path().join("plain");
    run(&mill(), &plain, "--steps 560").expect_code(0);
    expect_rows(&series(&plain), &series(&whole));
    run(&mill(), &parts, "--steps 600 --restart latest").expect_code(0);
    assert!(profiles(&parts) == text);
}

#[test]
fn averages_of_other_probes_begin_anew_in_a_file_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, &format!("{PROBES} --steps 100")).expect_code(0);
    let other = "--set output.profiles=0.37ms --set output.wall_probes=[{wall=\"roller\",bins=1}]";
    let before = contents(&out);
    run(&mill(), &out, &format!("{other} --steps 150 --restart latest"))
        .expect_code(2)
        .expect_message(&["the wall probes differ from those of the checkpoint", "move the file away"]);
    assert!(contents(&out) == before, "nothing is changed");
    std::fs::rename(out.join("profiles.csv"), folder.path().join("earlier.csv")).unwrap();
    run(&mill(), &out, &format!("{other} --steps 150 --restart latest")).expect_code(0);
    let text = std::fs::read_to_string(out.join("profiles.csv")).unwrap();
    let last: Vec<&str> = text.lines().last().unwrap().split(',').collect();
    // the window of the last row ends at 1.2 ms and began with the output at 1.112 ms
    assert_eq!((last[0], last[3], last[5]), ("150", "0", "0"));
    assert!(last[2].parse::<f64>().unwrap() < 0.37e-3, "{last:?}");
}

#[test]
fn restart_of_a_finished_run_changes_nothing_but_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "").expect_code(0);
    let mut before = contents(&out);
    let keys = ["elastic_normal", "bed_height", "max_overlap_ratio_final", "contacts"];
    let values = keys.map(|key| summary(&out, key));
    assert!(values.iter().all(|&value| value > 0.0), "{values:?}");
    run(&mill(), &out, "--restart latest").expect_code(0);
    let mut after = contents(&out);
    assert_eq!(values, keys.map(|key| summary(&out, key)));
    // it tells the wall time
    before.remove(&out.join("summary.json"));
    after.remove(&out.join("summary.json"));
    let changed: Vec<&PathBuf> =
        before.iter().filter(|(path, bytes)| after.get(*path) != Some(bytes)).map(|(p, _)| p).collect();
    assert!(changed.is_empty() && before.len() == after.len(), "{changed:?}");
}

#[test]
fn more_time_extends_a_finished_run_as_if_it_had_been_given_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run(&mill(), &whole, "--set time.end=3ms").expect_code(0);
    run(&mill(), &parts, "--set time.end=1ms").expect_code(0);
    run(&mill(), &parts, "--set time.end=3ms --restart latest").expect_code(0);
    assert_eq!(last_checkpoint(&whole), last_checkpoint(&parts));
}

#[test]
fn other_output_intervals_take_effect_at_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "--steps 250 --set output.series=0.02ms").expect_code(0);
    run(&mill(), &out, "--steps 500 --restart latest --set output.series=0.4ms").expect_code(0);
    let steps: Vec<u64> = series(&out).into_keys().filter(|&step| step > 250).collect();
    assert_eq!(steps, [300, 350, 400, 450, 500]);
}

#[test]
fn earlier_checkpoint_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "--steps 600").expect_code(0);
    let expected = last_checkpoint(&out);
    let earlier = checkpoints(&out)[0].clone();
    let mut command = command::run_command(&mill(), &out, "--steps 600");
    command.arg("--restart").arg(&earlier);
    finish(command).expect_code(0);
    assert_eq!(last_checkpoint(&out), expected);
    series(&out);
}

#[test]
fn branch_begins_anew_with_the_saved_particles_and_other_friction() {
    let folder = tempfile::tempdir().unwrap();
    let (origin, branch) = (folder.path().join("origin"), folder.path().join("branch"));
    run(&mill(), &origin, "--steps 300").expect_code(0);
    let before = contents(&origin);
    let from = format!("--from {}", origin.display());
    // the origin still pours: a branch begins with its first stage
    let outcome = run(&mill(), &branch, &format!("{from} --set contact.friction=0.05 --steps 40"))
        .expect_code(0)
        .expect_message(&["contact histories kept: ", ", dropped: 0"]);
    assert!(!outcome.stderr.contains("kept: 0,"), "{}", outcome.stderr);
    assert!(contents(&origin) == before, "the origin was changed");
    let particles = |run: &Path| {
        let rows = dem_io::series::Series::read(run.join("series.csv")).unwrap();
        rows.column("particles").unwrap().to_vec()
    };
    assert_eq!(particles(&branch).first(), particles(&origin).last());
    assert!(std::fs::read_to_string(branch.join("scene.resolved.toml")).unwrap().contains("friction = 0.05"));

    // a branch restarts like any other run
    let whole = folder.path().join("whole");
    run(&mill(), &whole, &format!("{from} --set contact.friction=0.05 --steps 120")).expect_code(0);
    run(&mill(), &branch, "--set contact.friction=0.05 --steps 120 --restart latest").expect_code(0);
    assert_eq!(last_checkpoint(&whole), last_checkpoint(&branch));
    expect_rows(&series(&whole), &series(&branch));
}

#[test]
fn branch_under_another_law_says_that_histories_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let (origin, branch) = (folder.path().join("origin"), folder.path().join("branch"));
    run(&mill(), &origin, "--steps 300").expect_code(0);
    let from = format!("--from {} --steps 20 {}", last_path(&origin).display(), VARIANTS[1]);
    let outcome = run(&mill(), &branch, &from).expect_code(0).expect_message(&["contact histories kept: 0, dropped: "]);
    assert!(!outcome.stderr.contains("dropped: 0"), "{}", outcome.stderr);
}

#[test]
fn automatic_time_step_of_a_branch_follows_from_its_particles() {
    let folder = tempfile::tempdir().unwrap();
    let (origin, branch) = (folder.path().join("origin"), folder.path().join("branch"));
    let scene = scenes().join("good/faces.toml");
    let picture = "--set output.picture.zoom=0.05";
    run(&scene, &origin, &format!("--steps 50 {picture}")).expect_code(0);
    let from = format!("--from {} --steps 50 {picture}", origin.display());
    run(&scene, &branch, &from).expect_code(0).expect_message(&["time step ", "set by the "]);
    let (old, new) = (summary(&origin, "time_step"), summary(&branch, "time_step"));
    assert!((0.5..2.0).contains(&(new / old)), "{old} {new}");
}

fn last_path(out: &Path) -> PathBuf {
    checkpoints(out).pop().expect("there is a checkpoint")
}

#[test]
fn checkpoint_tells_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "--steps 260").expect_code(0);
    let facts = finish(dem("info", &[&last_path(&out)])).expect_code(0).stdout;
    for fact in ["step         260", "stage        2", "hertz-mindlin"] {
        assert!(facts.contains(fact), "no `{fact}` in:\n{facts}");
    }
}
