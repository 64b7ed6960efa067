//! What somebody types first: `dem new`, `dem examples`, and `--quiet`.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command::{Outcome, contents, dem, finish, run};

/// Templates, with what makes them short enough for a test and how they end then.
const TEMPLATES: [(&str, &[&str], &str); 6] = [
    ("container", &["particles.rain.fill.count=120"], "at rest"),
    ("hopper", &["particles.filling.fill.count=300", "stages.empty.until.time=\"0.15 s\""], "all stages done"),
    ("drum", &["particles.filling.fill.packing_fraction=0.05", "stages.turn.until.time=\"0.2 s\""], "all stages done"),
    ("triaxial", &["stages.shear.until.strain.zz=\"0.4 %\""], "all stages done"),
    ("heap", &["particles.grains.fill.count=100"], "at rest"),
    ("mixer", &["stages.mix.until.time=\"0.15 s\""], "all stages done"),
];

/// A command in a folder.
fn within(folder: &Path, words: &str) -> Outcome {
    let mut command: Command = dem(words, &[]);
    command.current_dir(folder);
    finish(command)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_template_is_checked_without_a_warning_and_runs_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    for (name, changes, end) in TEMPLATES {
        let said = within(folder.path(), &format!("new {name} --template {name}")).expect_code(0);
        assert!(said.stdout.contains(&format!("dem run {name}.toml")) && said.stderr.is_empty(), "{said:?}");
        let checked = within(folder.path(), &format!("check {name}.toml --json")).expect_code(0);
        assert!(!checked.stderr.contains("WARN"), "{name}: {}", checked.stderr);
        let checked: Value = serde_json::from_str(&checked.stdout).unwrap();
        assert_eq!(checked["warnings"], serde_json::json!([]), "{name}");
        let mut command = dem("run", &[&format!("{name}.toml")]);
        command.current_dir(folder.path()).args(changes.iter().flat_map(|change| ["--set", change]));
        let said = finish(command).expect_code(0);
        assert!(!said.stderr.contains("WARN"), "{name}: {}", said.stderr);
        let summary = json(&folder.path().join(format!("runs/{name}/summary.json")));
        assert!(summary["stop_reason"].as_str().unwrap().contains(end), "{name}: {}", summary["stop_reason"]);
    }
}

#[test]
fn a_new_scene_stands_where_it_is_named_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    within(folder.path(), "new first").expect_code(0);
    let text = std::fs::read_to_string(at("first.toml")).unwrap();
    assert!(text.contains("poured into a cylindrical container"), "{text}");
    within(folder.path(), "new first --template drum")
        .expect_code(2)
        .expect_message(&["first.toml", "not overwritten"]);
    within(folder.path(), "new first.toml").expect_code(2).expect_message(&["first.toml", "not overwritten"]);
    assert_eq!(std::fs::read_to_string(at("first.toml")).unwrap(), text);
    // a folder and a file that it is to hold
    std::fs::create_dir_all(at("below/stirred")).unwrap();
    within(folder.path(), "new below/stirred --template mixer").expect_code(0);
    within(folder.path(), "check below/stirred.toml").expect_code(0);
    std::fs::remove_file(at("below/stirred.toml")).unwrap();
    let before = contents(folder.path());
    let refused = within(folder.path(), "new below/stirred --template mixer").expect_code(2);
    refused.expect_message(&["below/stirred/stirrer.stl", "not overwritten"]);
    assert!(contents(folder.path()) == before, "nothing is written of what cannot be written as a whole");
}

#[test]
fn names_and_templates_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["..", ".toml", "a\"b", "a\u{1b}[31m", "a\nb", "nowhere/scene", "-x"] {
        let mut command = dem("new --", &[&name]);
        command.current_dir(folder.path());
        finish(command).expect_code(2).expect_message(&["NAME = ", "expected letters"][..1]);
    }
    let said = within(folder.path(), "new scene --template siloo").expect_code(2);
    let said = said.expect_message(&["siloo", "expected one of"]);
    for (name, ..) in TEMPLATES {
        assert!(said.stderr.lines().any(|line| line.starts_with(name)), "{}", said.stderr);
    }
    assert!(contents(folder.path()).is_empty());
    let list = within(folder.path(), "new --list").expect_code(0).stdout;
    assert!(TEMPLATES.iter().all(|(name, ..)| list.lines().any(|line| line.starts_with(name))), "{list}");
}

#[test]
fn examples_are_listed_printed_and_copied() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let list = within(folder.path(), "examples").expect_code(0).stdout;
    assert!(list.lines().any(|line| line.starts_with("hopper ") && line.contains("Discharge of a hopper")), "{list}");
    let printed = within(folder.path(), "examples hopper.toml").expect_code(0).stdout;
    assert_eq!(printed, std::fs::read_to_string(root.join("hopper.toml")).unwrap());
    within(folder.path(), "examples spinning_sphere --copy").expect_code(0);
    within(folder.path(), "run spinning_sphere.toml --steps 3").expect_code(0);
    within(folder.path(), "examples stirred_hopper --copy some/where").expect_code(0);
    within(folder.path(), "run some/where/stirred_hopper.toml --steps 3 --out runs/stirred").expect_code(0);
    within(folder.path(), "examples spinning_sphere --copy").expect_code(2).expect_message(&["not overwritten"]);
    within(folder.path(), "examples hoper").expect_code(2).expect_message(&["\"hoper\"", "did you mean `hopper`"]);
    within(folder.path(), "examples --copy all").expect_code(0);
    let copied = contents(&folder.path().join("all"));
    for (path, bytes) in contents(&root) {
        let place = folder.path().join("all").join(path.strip_prefix(&root).unwrap());
        assert!(copied.get(&place) == Some(&bytes), "{}", place.display());
    }
    assert_eq!(copied.len(), contents(&root).len());
}

#[test]
fn quiet_commands_say_nothing_while_all_goes_well() {
    let folder = tempfile::tempdir().unwrap();
    let silent = |words: &str| {
        let said = within(folder.path(), words).expect_code(0);
        assert!(said.stdout.is_empty() && said.stderr.is_empty(), "{words}: {said:?}");
    };
    silent("-q new scene");
    silent("run scene.toml --steps 20 --quiet");
    silent("run scene.toml --steps 40 --restart latest -q");
    silent("run scene.toml --steps 40 --restart latest -q");
    silent("run scene.toml --until 0.1ms --seeds 1,2 -q");
    silent("render runs/scene -q");
    silent("plot runs/scene -q");
    silent("-q report runs/scene");
    silent("-q examples hopper --copy");
    // answers, and data that are asked for
    assert!(within(folder.path(), "-q new --list").expect_code(0).stdout.contains("mixer"));
    assert!(within(folder.path(), "-q laws").expect_code(0).stdout.contains("hertz-mindlin"));
    assert!(within(folder.path(), "-q info runs/scene").expect_code(0).stdout.contains("scene"));
    let said = within(folder.path(), "run scene.toml --steps 20 --out runs/data -q --json").expect_code(0);
    assert_eq!(serde_json::from_str::<Value>(&said.stdout).unwrap()["steps"], 20);
    assert!(said.stderr.is_empty(), "{said:?}");
    // what is wrong is said
    within(folder.path(), "-q run scene.toml").expect_code(2).expect_message(&["error: ", "runs/scene"]);
    within(folder.path(), "run scene.toml -q -v").expect_code(2).expect_message(&["--quiet", "--verbose"]);
    let odd = "run scene.toml -q --steps 2 --out runs/odd --set materials.glass.density=2.5";
    let said = within(folder.path(), odd).expect_code(0);
    assert!(said.stdout.is_empty() && said.stderr.contains("WARN materials.glass.density = 2.500 kg/m^3"), "{said:?}");
}

#[test]
fn a_mesh_in_another_unit_is_warned_of_before_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    within(folder.path(), "new scene --template mixer").expect_code(0);
    let scene = folder.path().join("scene.toml");
    let text = std::fs::read_to_string(&scene).unwrap();
    std::fs::write(&scene, text.replace("unit = \"1 mm\"", "unit = \"1 m\"")).unwrap();
    let said = run(&scene, &folder.path().join("run"), "--steps 1 -q").expect_code(0);
    let said =
        said.expect_message(&["WARN the mesh of wall \"stirrer\" is 32.000 m large", "times what particles fill"]);
    said.expect_message(&["With unit = \"1 mm\" the mesh is 0.032 m large"]);
}
