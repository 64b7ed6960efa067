//! Particles in files of other codes: what `dem export --format` writes and `dem import` reads.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use dem_io::exchange::{ReadRequest, read};
use dem_io::snapshot::SnapshotReader;
use dem_io::table::read_particle_table;

use crate::command::{dem, finish, run, scenes};

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/exchange")
}

/// `dem` in a folder.
fn dem_in(folder: &Path, words: &str) -> std::process::Command {
    let mut command = dem(words, &[]);
    command.current_dir(folder);
    command
}

#[test]
fn exported_particles_are_those_of_the_snapshots_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (at, out) = (folder.path(), folder.path().join("out"));
    run(&scenes().join("restart/tray.toml"), &out, "--until 60ms --set output.snapshots=0.02").expect_code(0);
    let snapshots = SnapshotReader::open(&out.join("snapshots.vtkhdf")).unwrap();
    let count = snapshots.frames().len();
    let last = snapshots.read(count - 1).unwrap();
    for (words, file) in [("--format xyz", "particles.xyz"), ("--format lammps-dump", "particles.dump")] {
        finish(dem_in(at, &format!("export out {words}"))).expect_code(0);
        let state = read(out.join(file), ReadRequest::default()).unwrap();
        assert_eq!((state.frame, state.step, state.time), (count - 1, Some(last.step), Some(last.time)));
        let positions: Vec<_> = state.particles.iter().map(|particle| particle.position).collect();
        assert_eq!(positions, last.positions, "{file}");
        // nothing is replaced in silence
        finish(dem_in(at, &format!("export out {words}"))).expect_code(2).expect_message(&[file, "--force"]);
        finish(dem_in(at, &format!("export out {words} --force"))).expect_code(0);
    }
    finish(dem_in(at, "export out --format csv --frame -1 --out last.csv")).expect_code(0);
    let rows = read_particle_table(at.join("last.csv")).unwrap();
    assert!(rows.iter().zip(&last.positions).all(|(row, x)| row.position == *x) && rows.len() == last.positions.len());
    assert!(rows.iter().all(|row| row.material.is_some()));
    // a file for each frame, and the times of them
    finish(dem_in(at, "export out --format vtp --frames 0..1 --out series")).expect_code(0);
    let collection = std::fs::read_to_string(at.join("series/particles.pvd")).unwrap();
    assert_eq!(collection.matches("<DataSet").count(), 2);
    // some of them
    let group = "export out --format csv --frame -1 --group ids:0..2 --columns radius,force --out some.csv";
    finish(dem_in(at, group)).expect_code(0);
    let some = std::fs::read_to_string(at.join("some.csv")).unwrap();
    assert!(some.starts_with("id,x,y,z,r,") || some.starts_with("id,x,y,z,radius,"), "{some}");
    assert!(some.lines().next().unwrap().ends_with("force_x,force_y,force_z"));
    assert!((2..=4).contains(&some.lines().count()), "{some}");
    for (words, message) in [
        ("--format vtk", "possible values"),
        ("--format xyz --out a.csv", ".xyz or .extxyz"),
        ("--format csv --frames 0..99 --out a", "--frames 0..99"),
        ("--format csv --out a.csv", "expected a directory"),
        ("--format csv --frame -1 --group ruby --out a.csv", "--group ruby"),
        ("--format csv --frame -1 --columns radus --out a.csv", "did you mean `radius`"),
        ("--format csv --frame -1 --region box:0,0,0 --out a.csv", "--region"),
        ("--format xyz --contacts --out a.xyz", "--format vtp"),
    ] {
        finish(dem_in(at, &format!("export out {words}"))).expect_code(2).expect_message(&[message]);
    }
}

#[test]
fn every_file_of_another_code_becomes_a_scene_that_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut count = 0;
    for entry in std::fs::read_dir(files()).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() || path.extension().is_some_and(|suffix| suffix == "md") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().replace('.', "_");
        let mut command = dem_in(at, &format!("import --out {name}"));
        command.arg(&path);
        let told = finish(command).expect_code(0).stdout;
        let scene = std::fs::read_to_string(at.join(format!("{name}.toml"))).unwrap();
        let assumed: Vec<&str> = told.lines().filter(|line| line.starts_with("assumed: ")).collect();
        assert!(assumed.len() > 2, "{told}");
        assert!(assumed.iter().all(|line| scene.contains(&format!("# {line}"))), "{told}\n{scene}");
        finish(dem_in(at, &format!("check {name}.toml"))).expect_code(0);
        let state = read(&path, ReadRequest::default()).unwrap();
        assert_eq!(read_particle_table(at.join(format!("{name}.csv"))).unwrap().len(), state.particles.len());
        count += 1;
        // what is there stays
        let mut again = dem_in(at, &format!("import --out {name}"));
        again.arg(&path);
        finish(again).expect_code(2).expect_message(&["is there"]);
    }
    assert!(count >= 10, "{count}");
    let scene = std::fs::read_to_string(at.join("lammps_dump.toml")).unwrap();
    for line in ["x = \"periodic\"", "z = \"open\"", "density = 7800  # kg/m^3, from the file"] {
        assert!(scene.contains(line), "{scene}");
    }
}

#[test]
fn units_of_a_file_are_those_that_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let import = |words: &str| {
        let mut command = dem_in(at, &format!("import {words}"));
        command.arg(files().join("mercury.data"));
        finish(command)
    };
    let mut in_millimetres = dem_in(at, "import --out small --density 7800kg/m^3 --length-unit 1mm --time-unit 1ms");
    in_millimetres.arg(files().join("mercury.data"));
    finish(in_millimetres).expect_code(0);
    let rows = read_particle_table(at.join("small.csv")).unwrap();
    assert!((rows[0].radius / 5e-6 - 1.0).abs() < 1e-15 && (rows[0].velocity.z + 0.981).abs() < 1e-15);
    assert!((rows[1].angular_velocity.z + 3000.0).abs() < 1e-9);
    let scene = std::fs::read_to_string(at.join("small.toml")).unwrap();
    assert!(scene.contains("density = 7800  # kg/m^3, as given"), "{scene}");
    import("--out a --length-unit 3").expect_code(2).expect_message(&["--length-unit", "unit"]);
    import("--out a --length-unit 1furlong").expect_code(2).expect_message(&["furlong"]);
    import("--out a --format vtk").expect_code(2).expect_message(&["--format vtk", "lammps-data"]);
    import("--out a --frame 7").expect_code(2).expect_message(&["has no frame 7, expected -2 to 1"]);
    import("--out a --format yade").expect_code(2).expect_message(&["mercury.data:1"]);
    assert!(!at.join("a.csv").exists() && !at.join("a.toml").exists());
}

#[test]
fn table_in_millimetres_is_read_in_its_unit() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("t.txt"), "# x y z diameter id\n1 2 3 2 0\n5 2 3 2 1\n").unwrap();
    let scene = |unit: &str| {
        let text = format!(
            "[time]\nend = \"1 ms\"\n[materials.glass]\ndensity = 2500\nyoung_modulus = \"10 MPa\"\npoisson_ratio = 0.25\n[contact]\nlaw = \"hertz-mindlin\"\n\
             friction = 0.5\nrestitution = 0.5\n[[particles]]\nname = \"p\"\nmaterial = \"glass\"\nfill = {{ type = \"file\", path = \"t.txt\", unit = {unit} }}\n"
        );
        std::fs::write(at.join("s.toml"), text).unwrap();
        finish(dem_in(at, "run s.toml --out out --force --steps 1 --set fields.gravity=[0,0,0]"))
    };
    scene("\"1 mm\"").expect_code(0);
    let frame = SnapshotReader::open(&at.join("out/snapshots.vtkhdf")).unwrap().read(0).unwrap();
    assert_eq!(frame.positions[1], dem_core::DVec3::new(5e-3, 2e-3, 3e-3));
    scene("\"1 furlong\"").expect_code(2).expect_message(&["unit", "furlong"]);
    scene("\"1 kg\"").expect_code(2).expect_message(&["unit"]);
    scene("0").expect_code(2).expect_message(&["unit", "> 0"]);
}
