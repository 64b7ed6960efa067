//! Run directories of scenes with meshes: whole in themselves, and refused when a mesh is another.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use dem_io::snapshot::{ColumnData, Frame, SnapshotReader};

use crate::command::{contents, dem, finish, last_checkpoint, run, scenes, series};

/// A sphere that rolls off a wedge.
const SCENE: &str = r#"
[materials.glass]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[walls]]
name = "wedge"
material = "glass"
shape = { type = "mesh", file = "parts/wedge.stl", unit = "1 mm" }
motion = { angular_velocity = [0, 0, "1 rad/s"] }
[[particles]]
name = "ball"
material = "glass"
sizes = { type = "single", radius = "4 mm" }
region = { type = "box", min = ["-5 mm", "-4 mm", "12 mm"], max = ["5 mm", "5 mm", "21 mm"] }
fill = { type = "random", count = 1 }
[time]
end = "60 ms"
[output]
checkpoints = "10 ms"
snapshots = "20 ms"
[output.picture]
zoom = 0.1
"#;

/// Scene and mesh in a folder of their own.
fn scene(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    std::fs::copy(scenes().join("good/wedge.stl"), folder.join("parts/wedge.stl")).unwrap();
    let path = folder.join("scene.toml");
    std::fs::write(&path, SCENE).unwrap();
    path
}

#[test]
fn a_run_directory_holds_its_meshes_and_can_be_moved() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let scene = scene(&home);
    let (straight, half) = (folder.path().join("straight"), folder.path().join("half"));
    run(&scene, &straight, "").expect_code(0);
    run(&scene, &half, "--until 30ms").expect_code(0);
    let text = std::fs::read_to_string(half.join("scene.resolved.toml")).unwrap();
    let copy = text.split("file = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("the scene names a mesh");
    assert!(copy.starts_with("meshes/wedge-") && copy.ends_with(".stl"), "{copy}");
    assert_eq!(std::fs::read(half.join(copy)).unwrap(), std::fs::read(home.join("parts/wedge.stl")).unwrap());
    // without the files it was made from, somewhere else, by the scene that it holds
    let moved = folder.path().join("elsewhere/run");
    std::fs::create_dir_all(moved.parent().unwrap()).unwrap();
    std::fs::rename(&half, &moved).unwrap();
    std::fs::remove_dir_all(&home).unwrap();
    run(&moved.join("scene.resolved.toml"), &moved, "--restart latest").expect_code(0);
    assert!(last_checkpoint(&moved) == last_checkpoint(&straight), "the ends differ");
    assert_eq!(std::fs::read_to_string(moved.join("scene.resolved.toml")).unwrap(), text);
    let drawn = finish(dem("render --size 200x150 --out", &[&folder.path().join("drawn.png"), &moved])).expect_code(0);
    assert!(!drawn.stderr.contains("left out"), "{}", drawn.stderr);
    finish(dem("info", &[&moved])).expect_code(0);
    finish(dem("methods", &[&moved])).expect_code(0);
}

#[test]
fn a_checkpoint_refuses_a_scene_whose_mesh_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path());
    let out = folder.path().join("out");
    run(&scene, &out, "--until 20ms").expect_code(0);
    let mesh = folder.path().join("parts/wedge.stl");
    let text = std::fs::read_to_string(&mesh).unwrap();
    // the same shape under another name is the same mesh only if the bytes are
    std::fs::write(&mesh, text.replace("vertex -20 0 12", "vertex -20 0 12.5")).unwrap();
    run(&scene, &out, "--restart latest").expect_code(2).expect_message(&["written by another scene"]);
    std::fs::write(&mesh, &text).unwrap();
    std::fs::rename(&mesh, folder.path().join("parts/other.stl")).unwrap();
    run(&scene, &out, "--restart latest").expect_code(2).expect_message(&["wedge.stl: cannot be read"]);
}

#[test]
fn force_removes_copies_of_meshes_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path());
    let out = folder.path().join("out");
    run(&scene, &out, "--until 10ms").expect_code(0);
    for name in ["mine.stl", "mine-0123456789abcdef.txt", "mine-0123456789abcde.stl"] {
        std::fs::write(out.join("meshes").join(name), "mine").unwrap();
    }
    let old: Vec<PathBuf> = contents(&out.join("meshes")).into_keys().collect();
    assert_eq!(old.len(), 4);
    let mesh = folder.path().join("parts/wedge.stl");
    let text = std::fs::read_to_string(&mesh).unwrap();
    std::fs::write(&mesh, text.replace("12", "12.5")).unwrap();
    run(&scene, &out, "--until 10ms --force").expect_code(0);
    let new: Vec<PathBuf> = contents(&out.join("meshes")).into_keys().collect();
    assert_eq!(new.len(), 4);
    assert_eq!(old.iter().filter(|path| new.contains(path)).count(), 3, "{old:?} {new:?}");
}

#[test]
fn meshes_of_all_formats_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path());
    let sentence = "8 facets: 5 faces, 9 edges, 6 vertices";
    for name in ["wedge.stl", "wedge.obj", "wedge.ply", "wedge_binary.ply", "wedge_big_endian.ply"] {
        std::fs::copy(scenes().join("good").join(name), folder.path().join("parts").join(name)).unwrap();
        std::fs::write(&scene, SCENE.replace("wedge.stl", name)).unwrap();
        let found = finish(dem("check", &[&scene])).expect_code(0);
        assert!(found.stdout.contains(sentence), "{name}: {}", found.stdout);
        // a run directory has a copy, and goes on by it
        let out = folder.path().join(name).with_extension("").with_extension("run");
        run(&scene, &out, "--until 2ms --force").expect_code(0);
        run(&out.join("scene.resolved.toml"), &out, "--until 4ms --restart latest").expect_code(0);
        let ending = name.rsplit('.').next().unwrap();
        let copies: Vec<PathBuf> = contents(&out.join("meshes")).into_keys().collect();
        assert!(copies.len() == 1 && copies[0].extension().unwrap() == ending, "{copies:?}");
    }
    let bad = folder.path().join("parts/bad.obj");
    std::fs::write(&bad, "v 0 0 0\nv 1 0 0\nf 1 2 3\n").unwrap();
    std::fs::write(&scene, SCENE.replace("wedge.stl", "bad.obj")).unwrap();
    let expected = ["walls.wedge.shape.file", "bad.obj:3: vertex 3, expected one of the 2 of the file"];
    finish(dem("check", &[&scene])).expect_code(2).expect_message(&expected);
    std::fs::rename(&bad, folder.path().join("parts/bad.step")).unwrap();
    std::fs::write(&scene, SCENE.replace("wedge.stl", "bad.step")).unwrap();
    finish(dem("check", &[&scene])).expect_code(2).expect_message(&["bad.step", "expected .stl, .obj or .ply"]);
}

const FACETS: &str =
    "--set output.wall_facets=[{wall=\"wedge\",archard={coefficient=1e-4,hardness=2e9},finnie={coefficient=1e-11}}]";

fn frames(path: &Path) -> Vec<Frame> {
    let reader = SnapshotReader::open(path).unwrap();
    (0..reader.frames().len()).map(|k| reader.read(k).unwrap()).collect()
}

#[test]
fn interruption_and_threads_change_no_bit_of_what_is_known_of_facets() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path());
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("in parts"));
    run(&scene, &whole, &format!("{FACETS} --threads 1")).expect_code(0);
    run(&scene, &parts, &format!("{FACETS} --threads 2 --until 30ms")).expect_code(0);
    run(&scene, &parts, &format!("{FACETS} --threads 3 --restart latest")).expect_code(0);
    assert!(last_checkpoint(&whole) == last_checkpoint(&parts), "final checkpoints differ");
    let [whole_frames, parts_frames] = [&whole, &parts].map(|out| frames(&out.join("snapshots.vtkhdf")));
    let mut worn = 0.0;
    for frame in &whole_frames {
        let other = parts_frames.iter().find(|other| other.step == frame.step).expect("the same frames");
        assert!(frame == other, "step {}", frame.step);
        let table = frame.tables.iter().find(|table| table.name == "facets").unwrap();
        assert_eq!(table.rows, 8);
        let depth = table.columns.iter().find(|column| column.spec.name == "wear_depth").unwrap();
        let ColumnData::F64(depths) = &depth.data else { panic!("numbers") };
        let sum = depths.iter().sum::<f64>();
        assert!(sum >= worn, "wear grows");
        worn = sum;
    }
    assert!(worn > 0.0);
    finish(dem("diff", &[&whole, &whole])).expect_code(0);

    // nothing of the run depends on it
    let plain = folder.path().join("plain");
    run(&scene, &plain, "").expect_code(0);
    assert!(series(&plain) == series(&whole), "another run");
    let difference = finish(dem("diff", &[&plain, &whole]));
    assert!(difference.code != Some(0) && difference.stdout.contains("facets"), "{}", difference.stdout);
    let refused = run(&scene, &plain, &format!("{FACETS} --until 70ms --set time.end=0.07 --restart latest"));
    refused.expect_code(2).expect_message(&["snapshots.vtkhdf", "facets/pressure"]);

    // what is drawn has it on its triangles
    finish(dem("export", &[&whole])).expect_code(0);
    let drawn = frames(&whole.join("walls.vtkhdf"));
    assert_eq!(drawn.len(), whole_frames.len());
    for (drawn, frame) in drawn.iter().zip(&whole_frames) {
        let table = frame.tables.iter().find(|table| table.name == "facets").unwrap();
        assert_eq!(drawn.positions.len(), 3 * 8);
        for name in ["pressure", "shear", "wear_depth", "load"] {
            let of = |columns: &[dem_io::snapshot::Column]| {
                columns.iter().find(|column| column.spec.name == name).expect(name).data.clone()
            };
            assert_eq!(of(&drawn.cell_data), of(&table.columns), "{name}");
        }
    }
}
