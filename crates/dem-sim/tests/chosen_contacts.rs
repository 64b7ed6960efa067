//! Contacts that are followed: the numbers of the frames, at every row, over a restart.
#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use dem_io::series::Series;
use dem_io::snapshot::{Frame, SnapshotReader};
use dem_sim::builder;
use dem_sim::measure;
use dem_sim::run::{Origin, Run, RunBounds};

/// Two spheres that fall on a floor, one on the other, and a third one far away.
fn scene(integrator: &str) -> String {
    format!(
        r#"
[time]
step = "10 us"
end = "40 ms"
integrator = {integrator}
[materials.m]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[walls]]
name = "floor"
material = "m"
shape = {{ type = "plane", normal = [0, 0, 1] }}
[[particles]]
name = "pile"
material = "m"
fill = {{ type = "file", path = "pile.csv" }}
[output]
series = "1 ms"
snapshots = "1 ms"
checkpoints = "10 ms"
contacts = [[1, 0], [0, "floor"], [2, "floor"], [0, 7]]
"#
    )
}

const TABLE: &str = "x,y,z,r,vx\n0,0,5.1e-3,5e-3,0.2\n1e-3,0,15.2e-3,5e-3,0\n0.2,0,0.3,5e-3,0\n";

fn run_to(folder: &Path, directory: &Path, time: f64, restart: bool) {
    let loaded = builder::load_scene(&folder.join("scene.toml"), &[]).unwrap();
    let mut run = if restart {
        Run::restart(&loaded, directory, None).unwrap()
    } else {
        Run::begin(&loaded, directory, &Origin::Scene, false).unwrap()
    };
    let bounds = RunBounds { step: None, time: Some(time) };
    run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
}

/// A column of the table of contacts of a frame, for the contact of two bodies.
fn in_frame(frame: &Frame, name: &str, first: u64, second: u64, partner: u8) -> Option<Vec<f64>> {
    let table = frame.tables.iter().find(|table| table.name == "contacts").unwrap();
    let column = |name: &str| table.columns.iter().find(|c| c.spec.name == name).unwrap();
    let integers = |name: &str| -> Vec<u64> { column(name).data.clone().try_into().unwrap() };
    let partners: Vec<u8> = column("partner").data.clone().try_into().unwrap();
    let (firsts, seconds) = (integers("first"), integers("second"));
    let row = (0..table.rows).find(|&k| (firsts[k], seconds[k], partners[k]) == (first, second, partner))?;
    let width = column(name).spec.width;
    let values: Vec<f64> = column(name).data.clone().try_into().unwrap();
    Some(values[row * width..][..width].to_vec())
}

#[test]
fn rows_of_chosen_contacts_are_those_of_the_frames() {
    for integrator in ["\"velocity-verlet\"", "{ name = \"newmark\", mode = \"pec\" }"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("scene.toml"), scene(integrator)).unwrap();
        std::fs::write(folder.path().join("pile.csv"), TABLE).unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        run_to(folder.path(), &whole, 0.04, false);
        run_to(folder.path(), &parts, 0.0205, false);
        run_to(folder.path(), &parts, 0.04, true);
        let text = |directory: &Path, name: &str| std::fs::read_to_string(directory.join(name)).unwrap();
        assert_eq!(text(&whole, "contacts.csv"), text(&parts, "contacts.csv"), "{integrator}");

        let table = Series::read(whole.join("contacts.csv")).unwrap();
        let column = |name: &str| table.column(name).unwrap().to_vec();
        let (steps, firsts, seconds, partners) = (column("step"), column("first"), column("second"), column("partner"));
        let (overlaps, forces) = (column("overlap"), column("normal_force"));
        let tangential = ["x", "y", "z"].map(|axis| column(&format!("tangential_force_{axis}")));
        let slips = ["x", "y", "z"].map(|axis| column(&format!("slip_{axis}")));
        // three contacts of spheres that are there, in the order of the scene
        assert_eq!(steps.len(), 3 * 41);
        let reader = SnapshotReader::open(&whole.join("snapshots.vtkhdf")).unwrap();
        let series = Series::read(whole.join("series.csv")).unwrap();
        let (mut touching, mut apart) = (0, 0);
        for k in 0..41 {
            let frame = reader.read(k).unwrap();
            let mut deepest = 0.0f64;
            for (at, bodies) in (3 * k..).zip([(0, 1, 0), (0, 0, 1), (2, 0, 1)]) {
                assert_eq!((steps[at], firsts[at], seconds[at]), (frame.step as f64, bodies.0 as f64, bodies.1 as f64));
                assert_eq!(partners[at], f64::from(bodies.2));
                let found = |name: &str| in_frame(&frame, name, bodies.0, bodies.1, bodies.2);
                match found("overlap") {
                    Some(overlap) => {
                        touching += 1;
                        deepest = deepest.max(overlap[0] / 5e-3);
                        assert_eq!((overlaps[at], forces[at]), (overlap[0], found("normal_force").unwrap()[0]));
                        for (axis, force) in found("tangential_force").unwrap().into_iter().enumerate() {
                            assert_eq!(tangential[axis][at], force);
                        }
                        for (axis, slip) in found("slip").unwrap().into_iter().enumerate() {
                            assert_eq!(slips[axis][at], slip);
                        }
                    }
                    None => {
                        apart += 1;
                        assert!(overlaps[at] <= 0.0 && forces[at] == 0.0, "{}", overlaps[at]);
                    }
                }
            }
            // whatever the integrator predicted
            assert_eq!(series.column("overlap_ratio").unwrap()[k], deepest, "{integrator}, row {k}");
        }
        assert!(touching > 10 && apart > 41, "{touching} {apart}");
    }
}

#[test]
fn contacts_of_bodies_name_the_bodies_of_both_sides() {
    let text = scene("\"velocity-verlet\"")
        .replace("[[particles]]", "[clumps.dimer]\nspheres = [{ position = [0, 0, 0], radius = 0.004 }, { position = [0.006, 0, 0], radius = 0.004 }]\n[[particles]]")
        .replace("fill = { type = \"file\", path = \"pile.csv\" }", "clump = \"dimer\"\nregion = { type = \"box\", min = [0, 0, 0], max = [0.06, 0.02, 0.02] }\nfill = { type = \"lattice\", count = 2 }\n[[particles]]\nname = \"ball\"\nmaterial = \"m\"\nsizes = { type = \"single\", radius = 0.004 }\nregion = { type = \"box\", min = [0, 0.03, 0], max = [0.01, 0.04, 0.01] }\nfill = { type = \"lattice\", count = 1 }")
        .replace("contacts = [[1, 0], [0, \"floor\"], [2, \"floor\"], [0, 7]]", "contacts = [[1, 2], [3, \"floor\"], [0, 4], [4, \"floor\"]]");
    let mut simulation = builder::build(&builder::parse_scene("scene", &text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    let world = &simulation.world;
    let columns = measure::chosen_contact_columns(world);
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let none = f64::from(u32::MAX);
    let expected = [[0.0, 1.0], [1.0, none], [0.0, none], [none, none]];
    let rows = measure::chosen_contact_rows(world, &simulation.chosen_contacts);
    assert_eq!((rows.len(), names[names.len() - 2..].to_vec()), (4, vec!["first_body", "second_body"]));
    for (row, bodies) in rows.iter().zip(expected) {
        assert_eq!(row.len(), columns.len());
        assert_eq!(row[row.len() - 2..], bodies, "{row:?}");
    }
    let spheres = builder::build(&builder::parse_scene_in(Path::new("."), "scene", &scene("\"newmark\"").replace("fill = { type = \"file\", path = \"pile.csv\" }", "sizes = { type = \"single\", radius = 0.004 }\nregion = { type = \"box\", min = [0, 0, 0], max = [0.03, 0.01, 0.01] }\nfill = { type = \"lattice\", count = 3 }"), &[]).unwrap()).unwrap();
    assert_eq!(measure::chosen_contact_columns(&spheres.world).len(), columns.len() - 2);
}
