//! Load and wear of the facets of meshes against closed forms, and against the loads of walls.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fmt::Write;
use std::path::Path;

use dem_core::DVec3;
use dem_io::checkpoint::CheckpointReader;
use dem_io::snapshot::{ColumnData, Frame};
use dem_sim::builder::{build, build_empty, parse_scene_in};
use dem_sim::checkpoint;
use dem_sim::run::{frame, interactive_facets, interactive_frame, interactive_scene, wall_surfaces};
use dem_sim::simulation::Simulation;
use dem_view::interactive::of_facets;
use tempfile::TempDir;

/// Archard's k/H [1/Pa] and Finnie's c [m³/J].
const SLIDING: f64 = 1e-4 / 2e9;
const CUTTING: f64 = 3e-11;

/// A rectangle from -60 mm to 60 mm in x and y at a height [mm], in `pieces`² squares of two facets each, as a text of OBJ.
fn plate(folder: &Path, pieces: u32) {
    let mut text = "# a plate\no plate\n".to_owned();
    for k in 0..(pieces + 1).pow(2) {
        let at = |k: u32| -60.0 + 120.0 * f64::from(k) / f64::from(pieces);
        writeln!(text, "v {} {} 0", at(k % (pieces + 1)), at(k / (pieces + 1))).unwrap();
    }
    for (x, y) in (0..pieces).flat_map(|y| (0..pieces).map(move |x| (x, y))) {
        let at = |x: u32, y: u32| y * (pieces + 1) + x + 1;
        let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
        writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
    }
    std::fs::write(folder.join("plate.obj"), text).unwrap();
}

const FACETS: &str = r#"
[[output.wall_facets]]
wall = "plate"
archard = { coefficient = 1e-4, hardness = "2 GPa" }
finnie = { coefficient = "3e-11 m^3/J" }
"#;

/// A sphere of 2 mm that a table puts in place, on a plate; `more` are lines of tables.
fn scene(more: &str) -> String {
    format!(
        r#"
[materials.a]
density = 2500
young_modulus = 1e8
poisson_ratio = 0.25
[[walls]]
name = "plate"
material = "a"
shape = {{ type = "mesh", file = "plate.obj", unit = "1 mm" }}
MOTION
[[particles]]
name = "given"
material = "a"
fill = {{ type = "file", path = "spheres.csv", max_overlap = 0.1 }}
GROUP
[[stages]]
name = "run"
until = {{ steps = 100000000 }}
{FACETS}
{more}
"#
    )
}

const RADIUS: f64 = 2e-3;
const MASS: f64 = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;

fn place(folder: &Path, position: DVec3, velocity: DVec3, spin: DVec3) {
    let [x, v, w] = [position, velocity, spin].map(|x| format!("{:e},{:e},{:e}", x.x, x.y, x.z));
    let table = format!("x,y,z,r,vx,vy,vz,wx,wy,wz\n{x},{RADIUS:e},{v},{w}\n");
    std::fs::write(folder.join("spheres.csv"), table).unwrap();
}

fn start(folder: &Path, text: &str) -> Simulation {
    let text = text.replace("MOTION", "").replace("GROUP", "");
    let mut simulation = build(&parse_scene_in(folder, "facets", &text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

fn advance(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
}

/// A column of the facets of a frame.
fn column(frame: &Frame, name: &str) -> Vec<f64> {
    let table = frame.tables.iter().find(|table| table.name == "facets").unwrap();
    match &table.columns.iter().find(|column| column.spec.name == name).unwrap().data {
        ColumnData::F64(values) => values.clone(),
        ColumnData::U64(values) => values.iter().map(|&value| value as f64).collect(),
        ColumnData::U32(values) => values.iter().map(|&value| f64::from(value)).collect(),
        _ => Vec::new(),
    }
}

/// Sum of a column over the facets at present.
fn total(simulation: &Simulation, name: &str) -> f64 {
    column(&frame(&simulation.world, false), name).iter().sum()
}

fn expect(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{what}: {found:e} {expected:e}");
}

/// Overlap of the sphere under its weight on a plate of its own material, after Hertz.
fn overlap_at_rest(gravity: f64) -> f64 {
    let stiffness: f64 = 1e8 / (2.0 * (1.0 - 0.25 * 0.25));
    (0.75 * MASS * gravity / (stiffness * RADIUS.sqrt())).powf(2.0 / 3.0)
}

const HERTZ: &str = "[contact]\nlaw = \"hertz-mindlin\"\nrestitution = 0.5\n";

/// Dragged with a known speed under its weight: V = k F s/H.
#[test]
fn a_sphere_that_slides_wears_what_archard_says() {
    let folder = tempfile::tempdir().unwrap();
    plate(folder.path(), 30);
    let gravity = 10.0;
    let height = RADIUS - overlap_at_rest(gravity);
    for (friction, tolerance) in [(0.0, 1e-8), (0.3, 5e-5)] {
        // without rotation it slides; friction slows it down by μ g
        let group = "[groups.block]\nfrozen = [\"rotation\"]\n";
        let text = scene(&format!(
            "{HERTZ}friction = {friction}\n{group}[fields]\ngravity = [0, 0, -{gravity}]\n[time]\nstep = \"1 us\"\n"
        ));
        let text = text.replace("GROUP", "group = \"block\"");
        place(folder.path(), DVec3::new(-50e-3, 3e-3, height), DVec3::new(0.5, 0.1, 0.0), DVec3::ZERO);
        let mut simulation = start(folder.path(), &text);
        advance(&mut simulation, 20_000);
        let p = &simulation.world.particles;
        let path = (p.position[0] - DVec3::new(-50e-3, 3e-3, height)).length();
        let speed = DVec3::new(0.5, 0.1, 0.0).length();
        let (time, slowing) = (0.02, friction * gravity);
        expect(path, speed * time - 0.5 * slowing * time * time, 1e-4, "path");
        let expected = SLIDING * MASS * gravity * path;
        let found = total(&simulation, "archard_volume");
        println!("friction {friction}: {found:e} m³ of {expected:e} m³, {:e}", found / expected - 1.0);
        expect(found, expected, tolerance, "volume");
        // over many facets, each of which has its depth
        let frame = frame(&simulation.world, false);
        let [volumes, areas, depths] = ["archard_volume", "area", "wear_depth"].map(|name| column(&frame, name));
        assert!(volumes.iter().filter(|volume| **volume > 0.0).count() > 4);
        for ((volume, area), depth) in volumes.iter().zip(&areas).zip(&depths) {
            expect(*depth, volume / area, 1e-15, "depth");
        }
        expect(areas.iter().sum(), 0.12 * 0.12, 1e-12, "area");
        // the shear that slows it down, and the weight
        expect(total(&simulation, "pressure") * areas[0], MASS * gravity, 1e-4, "pressure");
        expect(total(&simulation, "shear") * areas[0], MASS * slowing, 1e-3, "shear");
    }
}

/// A sphere that sticks wears nothing by sliding, nor does one that rolls.
#[test]
fn what_rolls_or_sticks_does_not_slide() {
    let folder = tempfile::tempdir().unwrap();
    plate(folder.path(), 7);
    let height = RADIUS - overlap_at_rest(10.0);
    let velocity = DVec3::new(0.2, 0.05, 0.0);
    let spin = DVec3::Z.cross(velocity) / height;
    place(folder.path(), DVec3::new(-20e-3, 0.0, height), velocity, spin);
    let text = scene(&format!(
        "{HERTZ}friction = 0.5\ntangential_damping_ratio = 0.3\n[fields]\ngravity = [0, 0, -10]\n[time]\nstep = \"1 us\"\n"
    ));
    let mut simulation = start(folder.path(), &text);
    advance(&mut simulation, 5_000);
    let slid = SLIDING * MASS * 10.0 * velocity.length() * 0.005;
    assert!(total(&simulation, "archard_volume") < 1e-6 * slid, "{:e}", total(&simulation, "archard_volume"));
    assert!(total(&simulation, "normal_force") > 0.9 * MASS * 10.0);
}

/// One impact at several angles, with and without a spin: V = c m v² f(α), on both sides of tan α = 1/3.
#[test]
fn an_impact_wears_what_finnie_says_at_all_angles() {
    let folder = tempfile::tempdir().unwrap();
    plate(folder.path(), 7);
    let speed = 2.0;
    for spin in [0.0, 150.0] {
        for degrees in [3.0, 10.0, 16.8, 18.4, 18.5, 30.0, 45.0, 70.0, 90.0f64] {
            let angle = degrees.to_radians();
            let velocity = DVec3::new(speed * libm::cos(angle), 0.0, -speed * libm::sin(angle));
            // the point of contact moves with the sphere and its spin about y
            let along = velocity.x - spin * RADIUS;
            let (actual, attack) = (velocity.z.hypot(along), libm::atan2(-velocity.z, along.abs()));
            let f = if libm::tan(attack) <= 1.0 / 3.0 {
                libm::sin(2.0 * attack) - 3.0 * libm::sin(attack).powi(2)
            } else {
                libm::cos(attack).powi(2) / 3.0
            };
            let expected = CUTTING * MASS * actual * actual * f;
            place(folder.path(), DVec3::new(-5e-3, 3e-3, RADIUS + 13.7e-6), velocity, DVec3::Y * spin);
            let text =
                scene(&format!("{HERTZ}friction = 0.3\n[fields]\ngravity = [0, 0, 0]\n[time]\nstep = \"1 us\"\n"));
            let mut simulation = start(folder.path(), &text);
            advance(&mut simulation, 1500);
            let p = &simulation.world.particles;
            assert!(p.velocity[0].z > 0.0, "it has rebounded");
            let found = total(&simulation, "finnie_volume");
            // the contact point turns at a radius that is smaller by part of the first overlap
            let tolerance = if spin == 0.0 { 1e-9 } else { 3e-3 };
            let difference = (found - expected).abs();
            assert!(difference <= tolerance * expected + 1e-27, "{degrees} {spin}: {found:e} {expected:e}");
            assert_eq!(total(&simulation, "impacts"), 1.0);
        }
    }
}

/// The same plane in 2 and in 200 facets: the same totals, and impacts where spheres pass from facet to facet are counted once.
#[test]
fn totals_do_not_depend_on_how_a_plane_is_divided() {
    let folder = tempfile::tempdir().unwrap();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for pieces in [1, 10] {
        plate(folder.path(), pieces);
        place(folder.path(), DVec3::new(-55e-3, -13e-3, 8e-3), DVec3::new(1.3, 0.4, -0.5), DVec3::ZERO);
        let text =
            scene(&format!("{HERTZ}friction = 0.2\n[fields]\ngravity = [0, 0, -200]\n[time]\nstep = \"2 us\"\n"));
        let mut simulation = start(folder.path(), &text);
        advance(&mut simulation, 15_000);
        let names = ["mean_normal_force", "normal_force", "archard_volume", "finnie_volume", "impacts", "area"];
        found.push(names.iter().map(|name| total(&simulation, name)).collect());
        let facets = column(&frame(&simulation.world, false), "facet").len();
        assert_eq!(facets, 2 * (pieces * pieces) as usize);
    }
    println!("{found:?}");
    assert!(found[0].iter().all(|number| *number > 0.0) && found[0][4] > 2.0, "{found:?}");
    for (a, b) in found[0].iter().zip(&found[1]) {
        expect(*a, *b, 1e-12, "total");
    }
}

/// A sphere that is held above a plate which turns under it: the plate slides by ω r.
#[test]
fn a_moving_mesh_is_worn_by_what_rests() {
    let folder = tempfile::tempdir().unwrap();
    plate(folder.path(), 7);
    let (place_of, overlap) = (DVec3::new(20e-3, 5e-3, 0.0), 2e-6);
    place(folder.path(), place_of + DVec3::Z * (RADIUS - overlap), DVec3::ZERO, DVec3::ZERO);
    let spin = 30.0;
    let group = "[groups.held]\nfrozen = [\"translation\", \"rotation\"]\n";
    let text = scene(&format!("{HERTZ}friction = 0.2\n{group}[time]\nstep = \"1 us\"\n"))
        .replace("MOTION", &format!("motion = {{ angular_velocity = [0, 0, {spin}], origin = [0, 0, 0] }}"))
        .replace("GROUP", "group = \"held\"");
    let mut simulation = start(folder.path(), &text);
    // the spring of the contact is tight after some micrometres
    advance(&mut simulation, 2_000);
    let before = total(&simulation, "archard_volume");
    advance(&mut simulation, 10_000);
    let force = -simulation.world.walls[0].force.z;
    let expected = SLIDING * force * spin * place_of.length() * 0.01;
    let found = total(&simulation, "archard_volume") - before;
    println!("{found:e} {expected:e}, {:e}", found / expected - 1.0);
    expect(found, expected, 1e-6, "volume");
    // in the frame the mean turns with the plate; at the instant friction drags it back
    let frame = frame(&simulation.world, false);
    let tangential = column(&frame, "tangential_force");
    let sum = tangential.chunks_exact(3).map(DVec3::from_slice).sum::<DVec3>();
    let backwards = -DVec3::Z.cross(place_of).normalize();
    expect(sum.dot(backwards), 0.2 * force, 1e-9, "friction");
    assert_eq!(total(&simulation, "impacts"), 0.0, "it touched from the start");
}

/// Spheres stirred by a mesh.
fn stirred(folder: &TempDir) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["stirrer.stl", "square_hopper.stl"] {
        std::fs::copy(root.join(name), folder.path().join(name)).unwrap();
    }
    let text = std::fs::read_to_string(root.join("stirred_hopper.toml")).unwrap();
    let text = text.replace("count = 2000 }", "count = 400 }\nvelocity = [0, 0, \"-1.5 m/s\"]");
    let wear = "archard = { coefficient = 1e-4, hardness = \"2 GPa\" }\nfinnie = { coefficient = \"3e-11 m^3/J\" }\n";
    format!(
        "{text}\n[[output.wall_facets]]\nwall = \"stirrer\"\n{wear}\n[[output.wall_facets]]\nwall = \"hopper\"\n{wear}"
    )
    .replace(
        "name = \"fill\"\nuntil = { at_rest = true, time = \"0.3 s\" }",
        "name = \"fill\"\nuntil = { time = \"0.02 s\" }",
    )
}

#[test]
fn loads_of_facets_add_up_to_those_of_their_walls() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = start(folder.path(), &stirred(&folder));
    let mut largest = 0.0f64;
    let (mut impulse, mut time) = ([0.0; 2], 0.0);
    while simulation.world.time < 0.08 {
        let length = simulation.world.time_step;
        simulation.advance().unwrap();
        time += length;
        let step = simulation.world.step;
        if !step.is_multiple_of(200) {
            continue;
        }
        let frame = frame(&simulation.world, false);
        let (walls, loads) = (column(&frame, "wall"), column(&frame, "load"));
        for (number, wall) in simulation.world.walls.iter().enumerate().filter(|(_, wall)| wall.name != "gate") {
            let own = walls.iter().zip(loads.chunks_exact(3)).filter(|(wall, _)| **wall == number as f64);
            let sum: DVec3 = own.map(|(_, load)| DVec3::from_slice(load)).sum();
            let scale = wall.force.length();
            assert!((sum - wall.force).length() <= 1e-12 * scale, "{}: {sum} {}", wall.name, wall.force);
            largest = largest.max(scale);
            impulse[usize::from(wall.name == "hopper")] += scale;
        }
    }
    assert!(impulse.iter().all(|sum| *sum > 0.0) && largest > 0.01, "{impulse:?} {largest}");
    expect(simulation.world.facets.window(), time, 1e-12, "window");
    for name in ["archard_volume", "finnie_volume", "impacts", "pressure", "shear"] {
        assert!(total(&simulation, name) > 0.0, "{name}");
    }
    // on the triangles that are drawn, in their order, and nothing on the gate
    let frame = frame(&simulation.world, false);
    let drawn = wall_surfaces(&frame, &simulation.world.walls, &simulation.world.cell);
    let ColumnData::U32(of_corners) = &drawn.point_data[0].data else { panic!("numbers of walls") };
    let pressure = drawn.cell_data.iter().find(|column| column.spec.name == "pressure").unwrap();
    let ColumnData::F64(pressures) = &pressure.data else { panic!("numbers") };
    assert_eq!(pressures.len(), drawn.positions.len() / 3);
    let areas = drawn.positions.chunks_exact(3).map(|x| 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).length());
    let area = drawn.cell_data.iter().find(|column| column.spec.name == "area").unwrap();
    let ColumnData::F64(given) = &area.data else { panic!("numbers") };
    for (((triangle, pressure), area), given) in pressures.iter().enumerate().zip(areas).zip(given) {
        let is_gate = simulation.world.walls[of_corners[3 * triangle] as usize].name == "gate";
        assert_eq!(pressure.is_nan(), is_gate);
        assert!(is_gate || (area - given).abs() < 1e-9 * area);
    }
}

/// A bed at rest presses on its floor with its weight.
#[test]
fn a_static_bed_presses_with_its_weight() {
    let folder = tempfile::tempdir().unwrap();
    plate(folder.path(), 9);
    let mut more = "friction = 0.0\n[fields]\ngravity = [0, 0, -9.81]\n".to_owned();
    for (name, normal) in [("west", [1, 0, 0]), ("east", [-1, 0, 0]), ("south", [0, 1, 0]), ("north", [0, -1, 0])] {
        let point = normal.map(|x| -0.012 * f64::from(x));
        let shape = format!("{{ type = \"plane\", point = {point:?}, normal = {normal:?} }}");
        write!(more, "[[walls]]\nname = \"{name}\"\nmaterial = \"a\"\nshape = {shape}\n").unwrap();
    }
    let fill = "sizes = { type = \"uniform\", min = \"1.6 mm\", max = \"2 mm\" }\nregion = { type = \"box\", min = [\"-12 mm\", \"-12 mm\", \"0.5 mm\"], max = [\"12 mm\", \"12 mm\", \"15 mm\"] }\nfill = { type = \"lattice\", gap = 0.05, jitter = 1, count = 50 }";
    let text = scene(&format!("{}{more}", HERTZ.replace("0.5", "0.1")));
    let text = text.replace("fill = { type = \"file\", path = \"spheres.csv\", max_overlap = 0.1 }", fill);
    let mut simulation = start(folder.path(), &text);
    while simulation.world.time < 0.2 {
        simulation.advance().unwrap();
    }
    let momentum = |simulation: &Simulation| {
        let p = &simulation.world.particles;
        p.mass.iter().zip(&p.velocity).map(|(m, v)| m * v.z).sum::<f64>()
    };
    let weight = simulation.world.particles.mass.iter().sum::<f64>() * 9.81;
    let frame_of = |simulation: &Simulation| frame(&simulation.world, false);
    let sum = |frame: &Frame, name: &str| {
        let (values, areas) = (column(frame, name), column(frame, "area"));
        values.iter().zip(&areas).map(|(value, area)| value * area).sum::<f64>()
    };
    let (begin, window) = (sum(&frame_of(&simulation), "pressure"), simulation.world.facets.window());
    // since the start, in which they fell: impulse of the floor is that of the weight and the change of momentum
    // forces are those at the ends of steps: half a step of the weight is too much
    expect(begin * window, weight * window + momentum(&simulation), 1e-4, "impulse");
    // without friction it rocks for long; over a fifth of a second that is no more than a hundredth
    while simulation.world.time < 0.4 {
        simulation.advance().unwrap();
    }
    let (end, longer) = (sum(&frame_of(&simulation), "pressure"), simulation.world.facets.window());
    expect((end * longer - begin * window) / (longer - window), weight, 1e-2, "weight");
    assert!(column(&frame_of(&simulation), "normal_force").iter().filter(|force| **force > 0.0).count() > 5);
}

#[test]
fn a_restart_keeps_every_bit_of_the_records_and_an_older_checkpoint_begins_them_anew() {
    let folder = tempfile::tempdir().unwrap();
    let text = stirred(&folder);
    let scene = parse_scene_in(folder.path(), "facets", &text, &[]).unwrap();
    let fingerprint = checkpoint::scene_fingerprint(scene.document.resolved());
    let bytes = |simulation: &Simulation| checkpoint::save(simulation, &fingerprint).unwrap();
    let mut straight = start(folder.path(), &text);
    advance(&mut straight, 3000);
    let saved = bytes(&straight);
    let resume = |saved: &[u8], text: &str| {
        let scene = parse_scene_in(folder.path(), "facets", text, &[]).unwrap();
        let mut simulation = build_empty(&scene).unwrap();
        let reader = CheckpointReader::from_bytes(saved.to_vec()).unwrap();
        checkpoint::restore(&mut simulation, &reader, &fingerprint).unwrap();
        simulation
    };
    let mut resumed = resume(&saved, &text);
    assert!(bytes(&resumed) == saved);
    advance(&mut straight, 500);
    advance(&mut resumed, 500);
    assert!(total(&straight, "archard_volume") > 0.0);
    assert!(bytes(&resumed) == bytes(&straight), "other bits");
    assert!(frame(&resumed.world, false).tables == frame(&straight.world, false).tables);

    // a run without them has the same state but for their section
    let (plain, _) = text.split_once("[[output.wall_facets]]").unwrap();
    let mut without = start(folder.path(), plain);
    advance(&mut without, 3500);
    let [with, without] = [bytes(&straight), bytes(&without)].map(|bytes| CheckpointReader::from_bytes(bytes).unwrap());
    assert_eq!(checkpoint::differing_sections(&with, &without).unwrap(), ["wall facets"]);
    let mut later = resume(&bytes(&resume(&saved, plain)), &text);
    assert_eq!((later.world.facets.window(), total(&later, "archard_volume")), (0.0, 0.0));
    advance(&mut later, 10);
    assert!(later.world.facets.window() > 0.0);
}

#[test]
fn threads_change_no_bit_of_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let text = stirred(&folder);
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = start(folder.path(), &text);
            advance(&mut simulation, 2500);
            frame(&simulation.world, false).tables
        })
    };
    let tables = of(1);
    assert!(tables.iter().any(|table| table.name == "facets" && table.rows > 20));
    assert!([2, 5].into_iter().all(|threads| of(threads) == tables));
}

/// An interactive picture has as many values as its meshes have triangles, and the range of each.
#[test]
fn facets_of_an_interactive_picture_are_those_of_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = start(folder.path(), &stirred(&folder));
    advance(&mut simulation, 2500);
    let frame = frame(&simulation.world, false);
    let facets = interactive_facets(&frame);
    let shown: Vec<&str> = facets.fields.iter().map(|field| field.name.as_str()).collect();
    assert!(["pressure", "shear", "wear_depth"].iter().all(|name| shown.contains(name)), "{shown:?}");
    let walls = &simulation.world.walls;
    let arrays = interactive_frame(&frame, walls, None, DVec3::Z, &[]).unwrap();
    let scene = interactive_scene("", DVec3::Z, walls, None, [&arrays], Vec::new(), "height", facets.clone());
    let triangles: usize = facets.walls.iter().map(|&wall| scene.walls[wall as usize].triangles).sum();
    assert!(triangles > 0);
    for name in shown {
        let of = of_facets(name);
        let found = arrays.columns.iter().find(|column| column.name == of).unwrap();
        assert_eq!(found.block.len(), triangles, "{name}");
        let values = column(&frame, name);
        let [low, high] = arrays.ranges[&of];
        assert!(
            values.iter().all(|&value| low <= value && value <= high)
                && values.contains(&low)
                && values.contains(&high)
        );
    }
}

#[test]
fn faulty_scenes_are_refused_with_their_keys() {
    let folder = tempfile::tempdir().unwrap();
    plate(folder.path(), 1);
    place(folder.path(), DVec3::Z * 0.1, DVec3::ZERO, DVec3::ZERO);
    let sound = scene(&format!(
        "{HERTZ}friction = 0.3\n[[walls]]\nname = \"floor\"\nmaterial = \"a\"\nshape = {{ type = \"plane\", normal = [0, 0, 1] }}\n"
    ))
    .replace("MOTION", "")
    .replace("GROUP", "");
    for (old, new, parts) in [
        (
            "wall = \"plate\"",
            "wall = \"floor\"",
            ["output.wall_facets.0.wall = \"floor\"", "expected a wall that is a mesh: plate; others have wall_probes"],
        ),
        (
            "wall = \"plate\"",
            "wall = \"plat\"",
            ["output.wall_facets.0.wall = \"plat\"", "expected the name of a wall that is a mesh: plate"],
        ),
        ("\"2 GPa\"", "0", ["output.wall_facets.0.archard.hardness", "expected value > 0"]),
        ("\"2 GPa\"", "\"2 m\"", ["output.wall_facets.0.archard.hardness", "Pa"]),
        ("coefficient = 1e-4", "coefficient = -1", ["output.wall_facets.0.archard.coefficient", "expected value > 0"]),
        ("\"3e-11 m^3/J\"", "\"3 J\"", ["output.wall_facets.0.finnie.coefficient", "m^3/J"]),
        (
            "[[output.wall_facets]]",
            "[[output.wall_facets]]\nwall = \"plate\"\n[[output.wall_facets]]",
            ["output.wall_facets.1.wall", "once"],
        ),
    ] {
        let text = sound.replace(old, new);
        assert_ne!(text, sound);
        let built = parse_scene_in(folder.path(), "facets", &text, &[]).and_then(|scene| build(&scene).map(|_| ()));
        let message = built.unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}
