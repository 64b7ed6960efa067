//! Every scene in `tests/scenes`: the good ones run, the bad ones are refused with their message and leave nothing behind.
//!
//! A bad scene states in its first lines what it must be told: `# expect: TEXT` for each text, `# line: N` for the line that the
//! message must point at. What `dem check` must find beside that is stated as `# other: TEXT`.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use crate::command::{self, Outcome, dem, finish, run, scenes};

fn scenes_in(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(scenes().join(folder)).expect("folder can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths
}

/// What is wrong with the answer to a bad scene.
fn complaints(scene: &Path, answer: &Outcome) -> Vec<String> {
    let text = std::fs::read_to_string(scene).expect("scene can be read");
    let stated = |key: &str| -> Vec<String> {
        let prefix = format!("# {key}: ");
        text.lines()
            .map_while(|line| line.strip_prefix('#').map(|_| line))
            .filter_map(|line| line.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect()
    };
    let mut wrong = Vec::new();
    if answer.code != Some(2) {
        wrong.push(format!("exit code {:?}, expected 2", answer.code));
    }
    let file = scene.display().to_string();
    let mut expected = stated("expect");
    assert!(!expected.is_empty(), "{file} does not state what to expect");
    expected.extend(stated("line").into_iter().map(|line| format!("{file}:{line}:")));
    expected.push(format!("error: {file}"));
    wrong.extend(expected.into_iter().filter(|text| !answer.stderr.contains(text)).map(|text| format!("no `{text}`")));
    if answer.stderr.matches("error: ").count() != 1 || answer.stderr.contains("panicked") {
        wrong.push("more than one message".to_owned());
    }
    if !answer.stdout.is_empty() {
        wrong.push(format!("stdout: {}", answer.stdout));
    }
    wrong
}

#[test]
fn bad_scenes_are_refused_with_their_message_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut wrong = Vec::new();
    let all = scenes_in("bad");
    assert!(all.len() > 80);
    for scene in &all {
        let answer = run(scene, &out, "");
        let mut complaints = complaints(scene, &answer);
        if std::fs::read_dir(folder.path()).unwrap().next().is_some() {
            complaints.push("something was written".to_owned());
            std::fs::remove_dir_all(&out).unwrap();
        }
        let checked = finish(dem("check", &[scene]));
        let text = std::fs::read_to_string(scene).unwrap();
        let others: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# other: ")).collect();
        let says_as_much = match others.len() {
            0 => checked.stderr == answer.stderr,
            _ => checked.stderr.contains(answer.stderr.trim_end()),
        };
        let count = checked.stderr.matches("error: ").count();
        if checked.code != answer.code
            || !says_as_much
            || count != 1 + others.len()
            || others.iter().any(|other| !checked.stderr.contains(other))
        {
            complaints.push(format!("`dem check` says otherwise:\n{}", checked.stderr));
        }
        if !complaints.is_empty() {
            wrong.push(format!("{}: {}\n{}", scene.display(), complaints.join("; "), answer.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn missing_scene_or_a_folder_in_its_place_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (scene, reason) in [(folder.path().join("nowhere.toml"), "no such file"), (scenes(), "")] {
        let name = scene.display().to_string();
        run(&scene, &out, "").expect_code(2).expect_message(&["error: ", &name, reason]);
        finish(dem("check", &[&scene])).expect_code(2).expect_message(&[&name]);
        assert!(!out.exists());
    }
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("latin.toml");
    std::fs::write(&scene, b"seed = 1\ntitle = \"k\xf6rnig\"\n").unwrap();
    finish(dem("check", &[&scene])).expect_code(2).expect_message(&["not UTF-8", "line 2"]);
}

#[test]
fn bad_changes_on_the_command_line_are_named_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = scenes().join("good/slice.toml");
    let cases: &[(&str, &str)] = &[
        ("contact.friction", "there is no `=`"),
        ("contact.friction=", "the value is empty"),
        ("contact.frictoin=0.3", "did you mean `friction`?"),
        ("contact.friction=-0.3", "expected 0 <= value"),
        ("contact.law=hertz", "expected one of linear, hertz-mindlin"),
        ("time.end=2 kg", "2 kg"),
        ("time.end.hours=2", "time.end is no table"),
        ("walls.roof.material=rock", "known names: floor"),
        ("walls.5.material=rock", "there is no element 5"),
        ("materials.rock.density=[1, 2", "not TOML"),
        ("tiem.end=2", "did you mean `time`?"),
        ("particles.disc.sizes.radius=-4 mm", "above 0"),
    ];
    for (change, message) in cases {
        let mut command = command::run_command(&scene, &out, "");
        command.args(["--set", change]);
        let answer = finish(command).expect_code(2).expect_message(&[&format!("--set {change}"), message]);
        let mut check = dem("check", &[&scene]);
        check.args(["--set", change]);
        assert_eq!(finish(check).expect_code(2).stderr, answer.stderr);
        assert!(!out.exists(), "{change}");
    }
}

/// A sphere that lies on a floor, with a step of a ninth of the period.
const LYING: &str = r#"
[time]
step = "11.3 ms"
end = "12 s"
expected_speed = "1 cm/s"
[materials.rubber]
density = 2500
young_modulus = 1e5
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 4e4
stiffness_ratio = 0.5
friction = 0.5
damping_ratio = 0
[[walls]]
name = "floor"
material = "rubber"
shape = { type = "plane", point = [0, 0, 0], normal = [0, 0, 1] }
[[particles]]
name = "one"
material = "rubber"
sizes = { type = "single", radius = 0.1 }
region = { type = "box", min = [0, 0, 0], max = [0.2, 0.2, 0.2] }
fill = { type = "random", count = 1 }
angular_velocity = [0, 0, 0.1]
[output.picture]
zoom = 0.05
"#;

#[test]
fn bounds_of_the_time_step_are_listed_and_a_warning_names_who_exceeds_them() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("lying.toml");
    std::fs::write(&scene, LYING).unwrap();
    let listed = finish(dem("check", &[&scene])).expect_code(0).stdout;
    for (bound, detail) in [
        (
            "4.5765e-3 s  0.2 x critical step of the normal contact oscillation 0.0229 s",
            "rubber on rubber, linear at 0.010 m/s",
        ),
        ("6.4721e-3 s  0.2 x critical step of the normal contact oscillation 0.0324 s", "wall \"floor\", linear"),
        ("0.2 x critical step of the tangential contact oscillation", ""),
        ("0.04 x contact duration", ""),
        ("0.2 x Rayleigh time", "rubber of radius 1.000e-1 m"),
        ("1.0000e-1 s  0.01 x time to move by one radius 10.0000 s", "0.01 r at 0.010 m/s"),
        ("5.0000e-1 s  0.05 x time to turn by 1 rad 10.0000 s", "0.05 rad at 0.100 rad/s"),
    ] {
        let found = listed.lines().any(|line| line.contains(bound) && line.contains(detail));
        assert!(found, "{bound} {detail}:\n{listed}");
    }
    run(&scene, &folder.path().join("out"), "").expect_code(0).expect_message(&[
        "is above the 1.",
        "s that contact duration admits (rubber on rubber, linear at 0.010 m/s)",
        "step 1000: the time step 1.130e-2 s is above 5.605e-3 s",
        "the stiffness of a particle's contacts (particle 0 on wall \"floor\")",
    ]);
}

#[test]
fn bounds_that_no_clock_reaches_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for time in ["nan", "inf", "-1", "5kg"] {
        run(&scenes().join("good/slice.toml"), &out, &format!("--until={time}"))
            .expect_code(2)
            .expect_message(&["--until"]);
        assert!(!out.exists());
    }
}

/// Checks a scene and runs it to its end.
#[track_caller]
fn runs(name: &str) -> Outcome {
    let scene = scenes().join("good").join(name);
    finish(dem("check", &[&scene])).expect_code(0);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // large spheres on a large picture take longer than the run
    let outcome = run(&scene, &out, "--json --set output.picture.zoom=0.05").expect_code(0);
    let files = ["scene.resolved.toml", "snapshots.vtkhdf", "series.csv", "summary.json", "picture.png"];
    for file in files {
        assert!(out.join(file).is_file(), "{name}: no {file}");
    }
    assert_eq!(std::fs::read_to_string(out.join("summary.json")).unwrap().trim(), outcome.stdout.trim());
    assert!(command::series(&out).len() > 5);
    finish(dem("info", &[&out])).expect_code(0);
    outcome
}

#[test]
fn every_good_scene_is_run_by_a_test() {
    let names: Vec<String> =
        scenes_in("good").iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(
        names,
        [
            "deforming_cell.toml",
            "faces.toml",
            "fills.toml",
            "pressing_walls.toml",
            "shapes.toml",
            "slice.toml",
            "stages.toml"
        ]
    );
}

#[test]
fn every_shape_and_motion_of_a_wall_runs() {
    runs("shapes.toml");
}

#[test]
fn every_fill_and_size_distribution_runs() {
    runs("fills.toml");
}

#[test]
fn every_kind_of_face_and_field_runs() {
    runs("faces.toml");
}

#[test]
fn every_action_and_condition_runs() {
    let outcome = runs("stages.toml");
    for stage in ["pour", "pour more", "settle", "close", "open", "rest"] {
        assert!(outcome.stderr.contains(&format!("stage \"{stage}\" begins")), "{}", outcome.stderr);
    }
    // 40 of the first source, some of the second
    let inserted = inserted(&outcome);
    assert!((45..=55).contains(&inserted), "{inserted}");
}

#[test]
fn every_control_of_a_cell_runs() {
    let outcome = runs("deforming_cell.toml");
    for stage in ["compress", "shear", "undrained", "turn", "hold"] {
        assert!(outcome.stderr.contains(&format!("stage \"{stage}\" begins")), "{}", outcome.stderr);
    }
}

#[test]
fn every_kind_of_pressing_wall_runs() {
    let outcome = runs("pressing_walls.toml");
    for stage in ["load", "punch", "plate"] {
        assert!(outcome.stderr.contains(&format!("stage \"{stage}\" begins")), "{}", outcome.stderr);
    }
}

#[test]
fn frozen_groups_run() {
    runs("slice.toml");
}

/// Number of particles inserted according to a summary on the standard output.
#[track_caller]
fn inserted(outcome: &Outcome) -> u64 {
    let number = outcome.stdout.split("\"inserted\": ").nth(1).and_then(|rest| rest.split(',').next());
    number.and_then(|number| number.parse().ok()).expect("the summary counts particles")
}

#[test]
fn starting_a_source_that_pours_does_not_stop_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(scenes().join("good/stages.toml")).unwrap();
    let scene = folder.path().join("again.toml");
    let again = "name = \"pour\"\nactions = [{ type = \"start_pouring\", source = \"first\" }]";
    std::fs::write(&scene, text.replacen("name = \"pour\"", again, 1)).unwrap();
    let out = folder.path().join("out");
    let outcome = run(&scene, &out, "--until 4ms --json --set output.picture.zoom=0.05").expect_code(0);
    // 4000 a second
    assert!((14..=16).contains(&inserted(&outcome)), "{}", outcome.stdout);
}
