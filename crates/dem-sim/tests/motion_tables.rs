//! Walls that move along a table: where they are, what their motion does, and that runs go on from their middle.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use dem_io::checkpoint_folder;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::run::{Origin, Run, RunBounds};

const SCENE: &str = r#"
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[materials.m]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[walls]]
name = "plate"
material = "m"
shape = { type = "rectangle", centre = [0, 0, 0], edge_u = [0.2, 0, 0], edge_v = [0, 0.2, 0] }
motion = { table = "moves/plate.csv", axis = [0, 0, 1] }
[[particles]]
name = "p"
material = "m"
sizes = { type = "single", radius = "5 mm" }
region = { type = "box", min = [-0.02, -0.02, 0.005], max = [0.02, 0.02, 0.03] }
fill = { type = "lattice", count = 4 }
[time]
end = "60 ms"
[output]
checkpoints = "10 ms"
[[stages]]
name = "first"
until = { time = "25 ms" }
[[stages]]
name = "second"
actions = [{ type = "move_wall", wall = "plate", motion = { table = "moves/shake.csv", table_ends = "repeat" } }]
until = { time = "35 ms" }
"#;
const PLATE: &str = "time,z,angle\n0,1,0\n5e-3,1,0.1\n10e-3,1.002,0.1\n20e-3,1.001,-0.2\n";
const SHAKE: &str = "# a period\ntime,x\n0,0\n2e-3,1e-4\n4e-3,0\n6e-3,-1e-4\n8e-3,0\n";

fn write_scene(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder.join("moves")).unwrap();
    std::fs::write(folder.join("moves/plate.csv"), PLATE).unwrap();
    std::fs::write(folder.join("moves/shake.csv"), SHAKE).unwrap();
    let path = folder.join("scene.toml");
    std::fs::write(&path, SCENE).unwrap();
    path
}

fn load(scene: &Path) -> LoadedScene {
    builder::load_scene(scene, &[]).unwrap()
}

fn complete(mut run: Run, until: Option<f64>) -> Run {
    let bounds = RunBounds { step: None, time: until };
    let ended = run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
    run.finish(ended).unwrap();
    run
}

fn last_checkpoint(directory: &Path) -> Vec<u8> {
    std::fs::read(checkpoint_folder::latest(&directory.join("checkpoints")).unwrap().unwrap().1).unwrap()
}

#[test]
fn a_wall_meets_the_rows_of_its_table_and_stays_at_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = builder::build(&load(&write_scene(folder.path()))).unwrap();
    simulation.initialise().unwrap();
    let step = simulation.world.time_step;
    assert!(step <= 0.1 * 5e-3, "a tenth of the shortest time between rows: {step}");
    let bound = simulation.time_step.bounds.iter().find(|bound| bound.criterion == "rows of a table of a motion");
    assert_eq!(bound.unwrap().time_step, 0.1 * 5e-3);
    let mut before = simulation.world.walls[0].clone();
    while simulation.world.time < 24e-3 {
        simulation.advance().unwrap();
        let (wall, time) = (&simulation.world.walls[0], simulation.world.time);
        let slope = (wall.pose.position - before.pose.position) / step;
        let mean = 0.5 * (wall.velocity + before.velocity);
        assert!((slope - mean).length() < 200.0 * step, "at {time} s: {slope} {mean}");
        if time > 20e-3 {
            assert!((wall.pose.position.z - 0.001).abs() < 1e-15 && wall.velocity.length() == 0.0, "{wall:?}");
        }
        before = wall.clone();
    }
    let turned = 2.0 * before.pose.orientation.z.asin();
    assert!((turned + 0.2).abs() < 1e-12, "{turned}");
}

#[test]
fn a_run_goes_on_from_the_middle_of_a_table_wherever_its_directory_lies() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let scene = write_scene(&home);
    let (straight, half, moved) =
        (folder.path().join("straight"), folder.path().join("half"), folder.path().join("moved"));
    complete(Run::begin(&load(&scene), &straight, &Origin::Scene, false).unwrap(), None);
    for (until, directory) in [(7e-3, "early"), (41e-3, "late")] {
        complete(Run::begin(&load(&scene), &half, &Origin::Scene, true).unwrap(), Some(until));
        let resolved = std::fs::read_to_string(half.join("scene.resolved.toml")).unwrap();
        assert!(resolved.contains("table = \"motions/plate-") && resolved.contains("table = \"motions/shake-"));
        let moved = moved.with_file_name(directory);
        std::fs::rename(&half, &moved).unwrap();
        complete(Run::restart(&load(&moved.join("scene.resolved.toml")), &moved, None).unwrap(), None);
        assert!(last_checkpoint(&moved) == last_checkpoint(&straight), "{directory}: the ends differ");
    }
    std::fs::write(home.join("moves/shake.csv"), SHAKE.replace("-1e-4", "-2e-4")).unwrap();
    let late = moved.with_file_name("late");
    let refused = Run::restart(&load(&scene), &late, None).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("written by another scene"), "{refused}");
}

#[test]
fn tables_that_are_no_motion_are_refused_with_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_scene(folder.path());
    let refused = |table: &str, motion: &str| {
        std::fs::write(folder.path().join("moves/plate.csv"), table).unwrap();
        std::fs::write(&path, SCENE.replace("{ table = \"moves/plate.csv\", axis = [0, 0, 1] }", motion)).unwrap();
        let error = match builder::load_scene(&path, &[]) {
            Ok(loaded) => builder::build(&loaded).err(),
            Err(error) => Some(error),
        };
        error.map(|error| error.to_string()).unwrap_or_default()
    };
    let plain = "{ table = \"moves/plate.csv\" }";
    for (table, motion, expected) in [
        (
            "time,z\n0,0\n0,1\n",
            plain,
            "walls.plate.motion.table = \"moves/plate.csv\", row 2: the time is 0 s, expected later",
        ),
        ("time,z\n0,0\n", plain, "1 rows, expected 2"),
        ("time,z\n-1,0\n0,1\n", plain, "row 1: the time is -1 s, expected at least 0"),
        ("time,w\n0,0\n", plain, "unknown name `w`; known are time, x, y, z, angle"),
        (PLATE, plain, "walls.plate.motion.table = \"moves/plate.csv\", expected an axis as well"),
        (
            "time,z\n0,0\n1,1\n",
            "{ table = \"moves/plate.csv\", axis = [0, 0, 1] }",
            "walls.plate.motion.axis = [0, 0, 1], expected none",
        ),
        (
            PLATE,
            "{ table = \"moves/plate.csv\", axis = [0, 0, 1], velocity = [1, 0, 0] }",
            "walls.plate.motion.velocity = [1, 0, 0], expected none together with table",
        ),
        (PLATE, "{ axis = [0, 0, 1] }", "walls.plate.motion.axis = [0, 0, 1], expected only together with table"),
        (PLATE, "{ table = \"moves/none.csv\" }", "cannot be read"),
    ] {
        let message = refused(table, motion);
        assert!(message.contains(expected), "{message}");
    }
}
