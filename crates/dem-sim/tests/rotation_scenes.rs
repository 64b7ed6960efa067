//! Scenes with every choice of what orientations are carried in, of spheres and of bodies: what checkpoints hold, that runs go on from them bit for bit,
//! and that a Rodrigues vector may stop at half a turn.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::particles::UserColumn;
use dem_core::{DMat3, DQuat, DVec3};
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder::{build, build_empty, parse_scene};
use dem_sim::checkpoint::{differing_sections, restore, save};
use dem_sim::simulation::Simulation;

const SCENE: &str = r#"
[domain]
min = [0, 0, "-1 mm"]
max = ["20 mm", "20 mm", "40 mm"]
x = "periodic"
y = "periodic"
[fields]
gravity = [0, 0, -9.81]
[materials.glass]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
restitution = 0.5
friction = 0.3
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[clumps.dimer]
spheres = [
  { position = ["-0.75 mm", 0, 0], radius = "1 mm" },
  { position = ["0.75 mm", 0, 0], radius = "1 mm" },
]
"#;

const SPHERES: &str = "sizes = { type = \"single\", radius = \"1 mm\" }\n";
const DIMERS: &str = "clump = \"dimer\"\norientation = \"random\"\n";

/// Forty grains above the floor that turn by 0.01 rad in a step, with orientations carried in a way.
fn scene(rotation: &str, grains: &str) -> String {
    format!(
        "seed = 3\n[time]\nstep = \"10 us\"\n{rotation}{SCENE}[[particles]]\nname = \"grains\"\nmaterial = \"glass\"\n{grains}\
         region = {{ type = \"box\", min = [0, 0, 0], max = [\"20 mm\", \"20 mm\", \"7 mm\"] }}\n\
         fill = {{ type = \"random\", count = 40 }}\nvelocity = [0, 0, -0.5]\nangular_velocity = [600, -500, 600]\n"
    )
}

fn advance(simulation: &mut Simulation, steps: u32) {
    (0..steps).for_each(|_| simulation.advance().unwrap());
}

fn saved(simulation: &Simulation) -> CheckpointReader {
    CheckpointReader::from_bytes(save(simulation, "scene").unwrap()).unwrap()
}

/// The rotation that numbers of a checkpoint stand for, from the definitions: `2 tan(θ/2)` along the axis, θ along the axis, the images of the axes.
fn meant(numbers: &[f64], rotation: &str) -> DQuat {
    match rotation {
        "rodrigues" => {
            let half = 0.5 * DVec3::from_slice(numbers);
            DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize()
        }
        "rotation-vector" => DQuat::from_scaled_axis(DVec3::from_slice(numbers)),
        _ => DQuat::from_mat3(&DMat3::from_cols_slice(numbers)),
    }
}

/// Checks that the numbers of a checkpoint are so many to a sphere and stand for its orientation.
fn check_numbers(reader: &CheckpointReader, rotation: &str, width: usize, count: usize, name: &str) {
    let four: Vec<[f64; 4]> = bytemuck::pod_collect_to_vec(reader.bytes("particle.orientation").unwrap());
    assert_eq!(four.len(), count, "{name}");
    let columns: Vec<UserColumn> = reader.structure("user columns").unwrap();
    let carried: Vec<&UserColumn> = columns.iter().filter(|column| column.name == "rotation").collect();
    if rotation == "quaternion" {
        assert!(carried.is_empty() && width == 4, "{name}: the orientations are what is carried");
        return;
    }
    assert_eq!((carried.len(), carried[0].width, carried[0].values.len()), (1, width, width * count), "{name}");
    // newmark has numbers and forces at the predicted state, half an acceleration behind the corrected one
    let tolerance = if name.starts_with("\"newmark\"") { 1e-2 } else { 1e-13 };
    for (numbers, orientation) in carried[0].values.chunks(width).zip(four) {
        let angle = 2.0 * (meant(numbers, rotation) * DQuat::from_array(orientation).conjugate()).xyz().length();
        assert!(angle < tolerance, "{name}: {angle:e}");
    }
}

#[test]
fn checkpoints_hold_the_chosen_numbers_and_runs_go_on_from_them() {
    for integrator in
        ["\"velocity-verlet\"", "\"semi-implicit-euler\"", "\"newmark\"", "{ name = \"newmark\", mode = \"pece\" }"]
    {
        let mut motions = Vec::new();
        for (rotation, width) in [("quaternion", 4), ("rodrigues", 3), ("rotation-vector", 3), ("matrix", 9)] {
            for (grains, members) in [(SPHERES, 1), (DIMERS, 2)] {
                let name = format!("{integrator}, {rotation} of {members}");
                let text = scene(&format!("integrator = {integrator}\nrotation = \"{rotation}\"\n"), grains);
                let loaded = parse_scene("scene", &text, &[]).unwrap();
                let mut simulation = build(&loaded).unwrap();
                simulation.initialise().unwrap();
                advance(&mut simulation, 400);
                let reader = saved(&simulation);
                check_numbers(&reader, rotation, width, 40 * members, &name);
                let before = simulation.world.energy().friction;
                assert!(before > 0.0, "{name}");
                // further, and from the checkpoint
                let mut again = build_empty(&loaded).unwrap();
                restore(&mut again, &reader, "scene").unwrap();
                assert_eq!(differing_sections(&reader, &saved(&again)).unwrap(), Vec::<String>::new(), "{name}");
                advance(&mut simulation, 400);
                advance(&mut again, 400);
                assert!(simulation.world.energy().friction > before, "{name}: grains collide on both sides of the cut");
                let (whole, parts) = (saved(&simulation), saved(&again));
                assert_eq!(differing_sections(&whole, &parts).unwrap(), Vec::<String>::new(), "{name}");
                // spheres move in the same way whatever is carried
                if members == 1 {
                    let columns = ["position", "velocity", "angular_velocity"];
                    motions.push(columns.map(|column| whole.bytes(&format!("particle.{column}")).unwrap().to_vec()));
                }
            }
        }
        assert!(motions.iter().all(|motion| *motion == motions[0]), "{integrator}");
    }
}

/// The first sphere of the only body comes to half a turn after π rad at 1000 rad/s, in steps of 10 µs; spheres at rest never do.
#[test]
fn a_scene_stops_where_a_body_comes_to_half_a_turn_and_names_a_sphere_of_it() {
    let source = |name: &str, keys: &str, height: &str| {
        format!(
            "[[particles]]\nname = \"{name}\"\nmaterial = \"glass\"\n{keys}\
             region = {{ type = \"box\", min = [0, 0, \"{height} mm\"], max = [\"20 mm\", \"20 mm\", \"40 mm\"] }}\n"
        )
    };
    let resting = source("resting", &format!("{SPHERES}fill = {{ type = \"lattice\", count = 3 }}\n"), "5");
    let turning = "clump = \"dimer\"\norientation = \"fixed\"\nangular_velocity = [0, 0, 1000]\nfill = { type = \"lattice\", count = 1 }\n";
    let turning = source("turning", turning, "20");
    let run = |half_turn: &str| {
        let time = format!("[time]\nstep = \"10 us\"\nrotation = \"rodrigues\"\n{half_turn}");
        let loaded = parse_scene("scene", &format!("{time}{SCENE}{resting}{turning}"), &[]).unwrap();
        let mut simulation = build(&loaded).unwrap();
        simulation.initialise().unwrap();
        for step in 1..=1000 {
            if let Err(error) = simulation.advance() {
                return Some((step, error.to_string()));
            }
        }
        None
    };
    let (step, message) = run("half_turn = \"stop\"\n").unwrap();
    // 314 steps turn by 3.14 rad
    assert_eq!(step, 315, "{message}");
    assert!(message.contains("step 315: the rotation of particle 3 came to half a turn"), "{message}");
    assert_eq!(run("half_turn = \"pass\"\n"), None);
    assert_eq!(run(""), None, "passing is the default");
}
