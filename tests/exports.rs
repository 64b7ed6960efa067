//! What `dem export` draws of a run.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;

use dem_io::snapshot::{Cells, ColumnData, Frame, SnapshotReader};

use crate::command::{contents, dem, finish, run, scenes};

fn frames(path: &Path) -> Vec<Frame> {
    let reader = SnapshotReader::open(path).expect("the file is there");
    (0..reader.frames().len()).map(|k| reader.read(k).unwrap()).collect()
}

fn column<'a>(frame: &'a Frame, name: &str) -> &'a ColumnData {
    &frame.point_data.iter().find(|column| column.spec.name == name).expect(name).data
}

fn numbers(data: &ColumnData) -> &[f64] {
    match data {
        ColumnData::F64(values) => values,
        other => panic!("{other:?} are no numbers"),
    }
}

#[test]
fn contacts_walls_and_the_domain_of_a_shaken_tray() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&scenes().join("restart/tray.toml"), &out, "--until 60ms --set output.snapshots=0.01").expect_code(0);
    let before = contents(&out);
    let outcome = finish(dem("export", &[&out])).expect_code(0);
    let snapshots = frames(&out.join("snapshots.vtkhdf"));
    assert!(snapshots.len() > 2);

    let contacts = frames(&out.join("contacts.vtkhdf"));
    assert_eq!(contacts.len(), snapshots.len());
    let mut lines = 0;
    for (drawn, frame) in contacts.iter().zip(&snapshots) {
        assert_eq!((drawn.step, drawn.time, drawn.cells), (frame.step, frame.time, Cells::Lines));
        let table = frame.tables.iter().find(|table| table.name == "contacts").unwrap();
        assert_eq!(drawn.positions.len(), 2 * table.rows);
        let of = |name: &str| &table.columns.iter().find(|column| column.spec.name == name).unwrap().data;
        let [ColumnData::U8(partners), ColumnData::U64(second)] = [of("partner"), of("second")] else {
            panic!("types")
        };
        let ColumnData::U64(ids) = column(frame, "id") else { panic!("ids") };
        let (normals, overlaps) = (numbers(of("normal")), numbers(of("overlap")));
        let (radii, drawn_overlaps) = (numbers(column(frame, "radius")), numbers(column(drawn, "overlap")));
        for row in 0..table.rows {
            let [begin, end] = [drawn.positions[2 * row], drawn.positions[2 * row + 1]];
            assert_eq!(drawn_overlaps[2 * row..2 * row + 2], [overlaps[row]; 2]);
            let first = frame.positions.iter().position(|x| *x == begin).expect("it begins at a centre");
            let along = (end - begin).normalize().dot(dem_core::DVec3::from_slice(&normals[3 * row..]));
            assert!((along - 1.0).abs() < 1e-12);
            if partners[row] == 0 {
                // as long as the radii without the overlap, and at the other centre but for whole edges of the domain
                let other = ids.iter().position(|id| *id == second[row]).unwrap();
                let length = radii[first] + radii[other] - overlaps[row];
                assert!(((end - begin).length() / length - 1.0).abs() < 1e-9);
                lines += 1;
            }
        }
    }
    assert!(lines > 10, "{lines}");

    let walls = frames(&out.join("walls.vtkhdf"));
    assert!(walls.iter().all(|drawn| drawn.cells == Cells::Triangles && drawn.positions.len() >= 3));
    // the tray moves, and its triangles with it
    assert_ne!(walls[0].positions, walls[walls.len() - 1].positions);
    let again = contents(&out);
    assert!(before.iter().all(|(path, bytes)| again.get(path) == Some(bytes)), "what the run wrote stays");
    assert_eq!(outcome.stdout.lines().count(), again.len() - before.len(), "{}", outcome.stdout);

    // one frame, elsewhere
    let elsewhere = folder.path().join("last");
    finish(dem("export --frame -1 --out", &[&elsewhere, &out])).expect_code(0);
    assert_eq!(frames(&elsewhere.join("contacts.vtkhdf")), contacts[contacts.len() - 1..]);
    finish(dem("export --frame 99", &[&out])).expect_code(2).expect_message(&["--frame 99", "expected"]);
    finish(dem("export --every 0", &[&out])).expect_code(2);
    finish(dem("export", &[&folder.path().join("nowhere")])).expect_code(2).expect_message(&["nowhere"]);
}

#[test]
fn edges_of_a_cell_deform_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/triaxial_small.toml");
    let few = "--set particles.0.fill.count=60 --set domain.max=[0.01,0.01,0.01] --set particles.0.region.max=[0.01,0.01,0.01] --steps 400 \
               --set output.snapshots=1e-5";
    run(&scene, &out, few).expect_code(0);
    finish(dem("export", &[&out])).expect_code(0);
    assert!(!out.join("walls.vtkhdf").exists());
    let cells = frames(&out.join("cell.vtkhdf"));
    assert!(cells.len() > 2 && cells.iter().all(|drawn| drawn.positions.len() == 24 && drawn.cells == Cells::Lines));
    let snapshots = frames(&out.join("snapshots.vtkhdf"));
    for (drawn, frame) in cells.iter().zip(&snapshots) {
        let edge = |name: &str| frame.field_data.iter().find(|(spec, _)| spec.name == name).unwrap().1;
        // four parallel edges along each axis
        for (axis, name) in ["cell_edge_1_x", "cell_edge_2_y", "cell_edge_3_z"].into_iter().enumerate() {
            let lengths = drawn.positions[8 * axis..8 * axis + 8].chunks(2).map(|ends| ends[1] - ends[0]);
            let lengths: Vec<f64> = lengths.map(|along| along[axis]).collect();
            assert!(lengths.iter().all(|length| (length - edge(name)).abs() < 1e-15), "{lengths:?}");
        }
    }
    let size = |k: usize| cells[k].positions.iter().fold(0.0f64, |most, x| most.max(x.max_element()));
    assert!(size(cells.len() - 1) < 0.9999 * size(0), "{} {}", size(0), size(cells.len() - 1));
}

/// Dimers that have not touched anything yet: their surface is that of two spheres less two caps, and is not cut by other bodies.
#[test]
fn the_surface_of_rigid_bodies_has_the_area_of_their_union() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (folder.path().join("dimers.toml"), folder.path().join("out"));
    let text = r#"
[time]
step = "1 us"
end = "10 us"
[materials.glass]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[clumps.dimer]
spheres = [
  { position = [0, 0, 0], radius = "1 mm" },
  { position = ["1.2 mm", 0, 0], radius = "0.7 mm" },
]
[[particles]]
name = "dimers"
material = "glass"
clump = "dimer"
region = { type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "20 mm"] }
fill = { type = "random", count = 20 }
"#;
    std::fs::write(&scene, text).unwrap();
    run(&scene, &out, "").expect_code(0);
    let file = folder.path().join("grains.stl");
    finish(dem("export --surface", &[&file, &out])).expect_code(0);
    assert!(!out.join("bodies.vtkhdf").exists(), "nothing else is written");
    let area = |file: &Path| -> f64 {
        let (_, triangles) = dem_io::stl::read(file).unwrap();
        triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).sum()
    };
    let (r, s, d) = (1e-3_f64, 0.7e-3_f64, 1.2e-3_f64);
    let without_cap = |r: f64, s: f64| std::f64::consts::TAU * r * (r + (d * d + r * r - s * s) / (2.0 * d));
    let exact = 20.0 * (without_cap(r, s) + without_cap(s, r));
    let (coarse, finer) = (area(&file), folder.path().join("finer.stl"));
    finish(dem("export --resolution 12 --frame 0 --surface", &[&finer, &out])).expect_code(0);
    let [coarse, fine] = [coarse, area(&finer)].map(|area| area / exact - 1.0);
    println!("{coarse:.4} {fine:.4}");
    assert!(coarse.abs() < 0.02 && fine.abs() < 0.006, "{coarse} {fine}");
    finish(dem("export --resolution 3", &[&out])).expect_code(2).expect_message(&["--surface"]);
}
