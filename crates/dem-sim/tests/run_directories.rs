//! Run directories of scenes that name tables of particles: whole in themselves, and refused when a table is another.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use dem_core::lanes::Width;
use dem_io::checkpoint_folder;
use dem_io::document::Override;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::run::{Origin, Run, RunBounds};

const SCENE: &str = r#"
[domain]
min = ["-50 mm", "-50 mm", "-10 mm"]
max = ["50 mm", "50 mm", "60 mm"]
[materials.glass]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "poured later"
material = "glass"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["-20 mm", "-20 mm", "30 mm"], max = ["-10 mm", "-10 mm", "40 mm"] }
fill = { type = "pour", rate = 100, count = 2 }
[[particles]]
name = "pair"
material = "glass"
fill = { type = "file", path = "data/pair.csv" }
[time]
end = "20 ms"
[output]
checkpoints = "10 ms"
"#;
const TABLE: &str = "x,y,z,r,vx\n0,0,3e-3,2e-3,0.1\n9e-3,0,3e-3,2e-3,-0.2\n";

/// Scene and table in a folder of their own.
fn write_scene(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder.join("data")).unwrap();
    std::fs::write(folder.join("data/pair.csv"), TABLE).unwrap();
    let path = folder.join("scene.toml");
    std::fs::write(&path, SCENE).unwrap();
    path
}

fn load(scene: &Path) -> LoadedScene {
    builder::load_scene(scene, &[]).unwrap()
}

fn complete(mut run: Run, until: Option<f64>) {
    let bounds = RunBounds { step: None, time: until };
    let ended = run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
    run.finish(ended).unwrap();
}

fn begin(scene: &Path, directory: &Path, until: Option<f64>) {
    complete(Run::begin(&load(scene), directory, &Origin::Scene, true).unwrap(), until);
}

fn last_checkpoint(directory: &Path) -> Vec<u8> {
    std::fs::read(checkpoint_folder::latest(&directory.join("checkpoints")).unwrap().unwrap().1).unwrap()
}

fn tables(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory.join("tables")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn run_directory_can_be_moved_and_run_without_the_table_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let scene = write_scene(&home);
    let (straight, half) = (folder.path().join("straight"), folder.path().join("half"));
    begin(&scene, &straight, None);
    begin(&scene, &half, Some(0.01));
    let text = std::fs::read_to_string(half.join("scene.resolved.toml")).unwrap();
    let copies = tables(&half);
    assert!(copies.len() == 1 && copies[0].starts_with("pair-") && copies[0].ends_with(".csv"), "{copies:?}");
    assert!(text.contains(&format!("path = \"tables/{}\"", copies[0])), "{text}");
    assert_eq!(std::fs::read_to_string(half.join("tables").join(&copies[0])).unwrap(), TABLE);

    let moved = folder.path().join("elsewhere/run");
    std::fs::create_dir_all(moved.parent().unwrap()).unwrap();
    std::fs::rename(&half, &moved).unwrap();
    std::fs::remove_dir_all(&home).unwrap();
    let resolved = moved.join("scene.resolved.toml");
    // from the start, in another place and in its own
    let again = folder.path().join("again");
    begin(&resolved, &again, None);
    assert!(last_checkpoint(&again) == last_checkpoint(&straight), "the ends differ");
    // and from where it was
    complete(Run::restart(&load(&resolved), &moved, None).unwrap(), None);
    assert!(last_checkpoint(&moved) == last_checkpoint(&straight), "the ends differ");
    begin(&resolved, &moved, None);
    assert!(last_checkpoint(&moved) == last_checkpoint(&straight), "the ends differ");
    for directory in [&again, &moved] {
        assert_eq!(tables(directory), copies);
        assert_eq!(std::fs::read_to_string(directory.join("scene.resolved.toml")).unwrap(), text);
    }
}

#[test]
fn checkpoint_refuses_a_table_that_was_changed_and_takes_one_that_was_moved() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write_scene(folder.path());
    let out = folder.path().join("out");
    begin(&scene, &out, Some(0.01));
    let table = folder.path().join("data/pair.csv");
    std::fs::write(&table, TABLE.replace("-0.2", "-0.3")).unwrap();
    let message = Run::restart(&load(&scene), &out, None).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("written by another scene"), "{message}");

    std::fs::remove_file(&table).unwrap();
    let message = builder::load_scene(&scene, &[]).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("pair.csv: cannot be read"), "{message}");

    std::fs::create_dir(folder.path().join("moved")).unwrap();
    std::fs::write(folder.path().join("moved/pair.csv"), TABLE).unwrap();
    std::fs::write(&scene, SCENE.replace("data/pair.csv", "moved/pair.csv")).unwrap();
    complete(Run::restart(&load(&scene), &out, None).unwrap(), None);
}

#[test]
fn a_new_run_removes_the_table_of_the_former_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write_scene(folder.path());
    let out = folder.path().join("out");
    begin(&scene, &out, Some(0.001));
    let former = tables(&out);
    std::fs::write(out.join("tables/mine.csv"), TABLE).unwrap();
    std::fs::write(folder.path().join("data/pair.csv"), TABLE.replace("-0.2", "-0.3")).unwrap();
    begin(&scene, &out, Some(0.001));
    let present = tables(&out);
    assert!(present.len() == 2 && present.contains(&"mine.csv".to_owned()), "{present:?}");
    assert!(!present.contains(&former[0]), "{former:?} {present:?}");
}

#[test]
fn table_that_is_changed_before_the_run_begins_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = load(&write_scene(folder.path()));
    std::fs::write(folder.path().join("data/pair.csv"), TABLE.replace("-0.2", "-0.3")).unwrap();
    let out = folder.path().join("out");
    let message = Run::begin(&loaded, &out, &Origin::Scene, false).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("pair.csv: it was changed after the scene was read"), "{message}");
}

#[test]
fn table_of_a_scene_in_memory_may_come_later() {
    let folder = tempfile::tempdir().unwrap();
    let parsed = || builder::parse_scene_in(folder.path(), "scene", SCENE, &[]).unwrap();
    let loaded = parsed();
    assert!(loaded.files.is_empty());
    builder::build_empty(&loaded).unwrap();
    let message = builder::build(&loaded).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("pair.csv: cannot be read"), "{message}");
    write_scene(folder.path());
    builder::build(&loaded).unwrap();
    assert_eq!(parsed().files.len(), 1);
}

/// The end of a run a step after a checkpoint does not cost the one before that: the two that are left lie an interval apart.
#[test]
fn last_two_checkpoints_lie_an_interval_apart() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write_scene(&folder.path().join("home"));
    let overrides = ["time.step=10 us", "time.end=1 s", "output.checkpoints=1 ms"];
    let overrides = overrides.map(|text| Override::parse(text).unwrap());
    let loaded = builder::load_scene(&scene, &overrides).unwrap();
    let directory = folder.path().join("run");
    let steps = |directory: &Path| -> Vec<u64> {
        let all = checkpoint_folder::list(&directory.join("checkpoints")).unwrap();
        all.into_iter().map(|(step, _)| step).collect()
    };
    let place = |step: u64| directory.join("checkpoints").join(checkpoint_folder::file_name(step));
    // by calls that end a step after an instant, at one, half-way, and beside one; 301 and 400 are a step nearer than instants may be
    for (until, expected) in [
        (301, [200, 301]),
        (400, [301, 400]),
        (450, [301, 450]),
        (501, [301, 501]),
        (650, [501, 650]),
        (800, [700, 800]),
    ] {
        let mut run = if directory.exists() {
            Run::restart(&loaded, &directory, None).unwrap()
        } else {
            Run::begin(&loaded, &directory, &Origin::Scene, false).unwrap()
        };
        let bounds = RunBounds { step: Some(until), time: None };
        run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(steps(&directory), expected, "until step {until}");
        if until == 501 {
            std::fs::copy(place(501), folder.path().join("kept")).unwrap();
        }
    }
    // killed between its last checkpoint and the removal of an earlier one: what has no step to take makes up for it
    std::fs::copy(folder.path().join("kept"), place(501)).unwrap();
    assert_eq!(steps(&directory), [501, 700, 800]);
    let mut run = Run::restart(&loaded, &directory, None).unwrap();
    let bounds = RunBounds { step: Some(800), time: None };
    let ended = run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
    run.finish(ended).unwrap();
    assert_eq!(steps(&directory), [700, 800]);
}

#[test]
fn the_summary_names_the_instructions_of_the_contacts_and_what_they_cost() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write_scene(folder.path());
    for width in Width::available() {
        let out = folder.path().join(width.key());
        let mut run = Run::begin(&load(&scene), &out, &Origin::Scene, false).unwrap();
        run.simulation.pipeline.forces.width = width;
        let bounds = RunBounds { step: Some(50), time: None };
        let ended = run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
        run.finish(ended).unwrap();
        let text = std::fs::read_to_string(out.join("summary.json")).unwrap();
        let machine = &serde_json::from_str::<serde_json::Value>(&text).unwrap()["machine"];
        assert_eq!(machine["lanes"], width.name());
        let speed = width.relative_speed().map(|speed| speed.to_vec());
        assert_eq!(serde_json::from_value::<Option<Vec<f64>>>(machine["lanes_speed"].clone()).unwrap(), speed);
    }
}
