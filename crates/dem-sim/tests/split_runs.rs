//! Every law with every integrator under everything that a scene may ask for: a run that is cut in two by a checkpoint, and goes on with
//! another number of threads, ends with the bytes of one that was not.
#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use dem_io::checkpoint::CheckpointReader;
use dem_io::comparison::compare;
use dem_io::document::SceneError;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::checkpoint::{differing_sections, state_tables};
use dem_sim::simulation::Simulation;
use dem_testkit::schemes::all_schemes;
use dem_testkit::worlds;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Steps of a run, and where it is cut: in the second stage.
const STEPS: u32 = 200;
const CUT: u32 = 127;

pub const MATERIALS: &str = r#"
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[materials.b]
density = 4000
young_modulus = 2e7
poisson_ratio = 0.3
[limits]
overlap = 0.5
"#;

/// A moving wall that stops, one that comes in, a source that pours, removal at an open face, a periodic direction, drag, and another
/// friction in the second stage.
pub const MACHINE: &str = r#"
seed = 11
[domain]
min = ["-8 mm", "-5 mm", "-2 mm"]
max = ["8 mm", "5 mm", "20 mm"]
x = "reflect"
y = "periodic"
z_min = "open"
[fields]
gravity = [0, 0, -5000]
drag_coefficient = "1e-5 N s/m"
[[walls]]
name = "floor"
material = "b"
shape = { type = "rectangle", centre = ["-2 mm", 0, "-1 mm"], edge_u = ["12 mm", 0, 0], edge_v = [0, "10 mm", 0] }
motion = { amplitude = ["0.2 mm", 0, "0.1 mm"], frequency = "200 Hz", phase = "30 deg" }
[[walls]]
name = "side"
material = "a"
active = false
shape = { type = "plane", point = ["-7.4 mm", 0, 0], normal = [1, 0, 0] }
[[particles]]
name = "bed"
material = "a"
sizes = { type = "uniform", min = "1.1 mm", max = "1.2 mm" }
region = { type = "box", min = ["-6 mm", "-5 mm", "-0.9 mm"], max = ["6.6 mm", "5 mm", "3.5 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = ["0.2 m/s", "0.3 m/s", 0]
angular_velocity = ["50 rad/s", 0, 0]
[[particles]]
name = "rain"
material = "b"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["-7 mm", "-5 mm", "6 mm"], max = ["7 mm", "5 mm", "14 mm"] }
fill = { type = "pour", rate = "4000 1/s" }
velocity = [0, 0, "-1 m/s"]
[[stages]]
name = "shake"
until = { steps = 100 }
[[stages]]
name = "slip"
actions = [
  { type = "set_contact", parameters = { friction = 0.1 } },
  { type = "set_contact", materials = ["a", "b"], parameters = { restitution = 0.8 } },
  { type = "move_wall", wall = "floor" },
  { type = "add_wall", wall = "side" },
]
until = { steps = 100000 }
"#;

/// A cell that is compressed and sheared at given rates, then under a servo.
pub const CELL: &str = r#"
seed = 12
[domain]
min = [0, 0, 0]
max = ["6.2 mm", "6.2 mm", "6.2 mm"]
x = "periodic"
y = "periodic"
z = "periodic"
[cell]
positive = "compression"
[fields]
gravity = [0, 0, 0]
local_damping = 0.1
[[particles]]
name = "grains"
material = "a"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["6.2 mm", "6.2 mm", "6.2 mm"] }
fill = { type = "lattice", gap = 0.01, jitter = 1 }
[[stages]]
name = "compress"
deform = { xx = { rate = "60 1/s" }, yy = { rate = "60 1/s" }, zz = { rate = "60 1/s" }, xy = { rate = "60 1/s" } }
until = { steps = 100 }
[[stages]]
name = "servo"
actions = [{ type = "set_contact", parameters = { friction = 0.1 } }]
deform = { xx = { stress = "20 kPa" }, zz = { rate = "50 1/s" }, max_rate = "60 1/s" }
until = { steps = 100000 }
"#;

/// A guided sphere that is driven through free ones, then faster.
const GUIDE: &str = r#"
seed = 13
[[walls]]
name = "floor"
material = "b"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "bead"
material = "b"
sizes = { type = "single", radius = "2 mm" }
region = { type = "box", min = ["-2 mm", "-2 mm", 0], max = ["2 mm", "2 mm", "4 mm"] }
fill = { type = "lattice", count = 1 }
[[particles]]
name = "bed"
material = "a"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = ["1.8 mm", "-4 mm", 0], max = ["6.4 mm", "4 mm", "4.1 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = ["-0.2 m/s", 0, "-0.2 m/s"]
[[guides]]
name = "wire"
particles = "bead"
path = { type = "line", point = [0, 0, "2 mm"], direction = [1, 0, 0] }
motion = { type = "prescribed", velocity = "1 m/s" }
[[stages]]
name = "push"
until = { steps = 100 }
[[stages]]
name = "faster"
actions = [
  { type = "drive_guide", guide = "wire", velocity = "1.5 m/s" },
  { type = "set_contact", parameters = { friction = 0.1 } },
]
until = { steps = 100000 }
"#;

/// Integrators that a scene refuses, with a part of the message.
const REFUSED: [(&str, &str, &str); 2] = [
    ("cell", "gear", "expected time.integrator to be velocity-verlet"),
    ("cell", "generalized-trapezoidal", "expected time.integrator to be velocity-verlet"),
];

/// Tables `[contact]` of every law, and of one with everything that may be laid over a law.
pub fn contacts() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for law in worlds::all_laws() {
        let mut given = worlds::common_parameters(law, 0.4, 0.5);
        // 3 kN/m for the usual 1 MN/m
        worlds::scale_springs(&mut given, 3e-3);
        let lines: String = given.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        all.push((law.to_owned(), format!("[contact]\nlaw = \"{law}\"\n{lines}")));
    }
    let full = r#"[contact]
law = "combination"
normal = "hertz"
tangential = "mindlin-no-slip"
friction = 0.4
restitution = 0.5
rolling = "elastic-plastic"
rolling_friction = 0.1
twisting = "marshall"
near_field = "mie"
mie_attraction = 1e-9
mie_attraction_exponent = 2
mie_repulsion = 1e-16
mie_repulsion_exponent = 5
mie_cutoff = "0.5 mm"
"#;
    all.push(("everything over a law".to_owned(), full.to_owned()));
    let wet = r#"[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
near_field = "liquid-bridge"
surface_tension = 0.07
contact_angle = "20 deg"
bridge_volume = "0.01 mm^3"
liquid_viscosity = "1 mPa s"
separation_minimum = "1 um"
"#;
    all.push(("liquid bridges".to_owned(), wet.to_owned()));
    all.push(("liquid bridges that share films".to_owned(), format!("{wet}bridge_liquid = \"films\"\n")));
    all
}

/// A scene with what a table `[contact]` needs of it.
pub fn scene_under(scene: &str, contact: &str) -> String {
    // a law without damping has another parameter changed
    let changed = if contact.contains("restitution") { "restitution = 0.8" } else { "friction = 0.3" };
    let film = if contact.contains("films") { "liquid_film = \"40 um\"\nfill =" } else { "fill =" };
    scene.replace("restitution = 0.8", changed).replace("fill =", film)
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn advance(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
}

/// Makes sure that a straight run is what it says, at the cut and at the end, which it is told.
type Check = &'static (dyn Fn(&Simulation, bool) + Sync);

/// Final bytes of a straight run and of one in two parts.
fn ends(loaded: &LoadedScene, pools: &[ThreadPool; 2], check: Check) -> Result<[Vec<u8>; 2], SceneError> {
    let fingerprint = checkpoint::scene_fingerprint(loaded.document.resolved());
    let save = |simulation: &Simulation| checkpoint::save(simulation, &fingerprint).unwrap();
    // saving changes nothing, or the ends would differ
    let (half, straight) = pools[0].install(|| -> Result<_, SceneError> {
        let mut simulation = builder::build(loaded)?;
        simulation.initialise().unwrap();
        advance(&mut simulation, CUT);
        check(&simulation, false);
        let half = save(&simulation);
        advance(&mut simulation, STEPS - CUT);
        check(&simulation, true);
        Ok((half, save(&simulation)))
    })?;
    let parts = pools[1].install(|| -> Result<Vec<u8>, SceneError> {
        let mut simulation = builder::build_empty(loaded)?;
        let reader = CheckpointReader::from_bytes(half.clone()).unwrap();
        checkpoint::restore(&mut simulation, &reader, &fingerprint).unwrap();
        assert!(save(&simulation) == half, "a state that was read is not the one that was saved");
        advance(&mut simulation, STEPS - CUT);
        Ok(save(&simulation))
    })?;
    Ok([straight, parts])
}

/// Where and how much two states differ.
fn differences(first: Vec<u8>, second: Vec<u8>) -> String {
    let readers = [first, second].map(|bytes| CheckpointReader::from_bytes(bytes).unwrap());
    let sections = differing_sections(&readers[0], &readers[1]).unwrap();
    let tables = readers.each_ref().map(|reader| state_tables(reader).unwrap());
    let mut told = format!("sections: {}\n", sections.join(", "));
    for table in compare(&tables[0], &tables[1]).unwrap().iter().filter(|table| !table.is_equal()) {
        told += &format!("{}: {:?} {:?}\n", table.name, table.rows, table.unmatched_rows);
        for column in &table.columns {
            let (a, r) = (&column.absolute, &column.relative);
            told += &format!("  {}: {:e} at {}, relative {:e} at {}\n", column.name, a.value, a.row, r.value, r.row);
        }
    }
    told
}

/// Runs a scene under every law with every integrator.
fn split_everywhere(name: &str, scene: &str, check: Check) {
    let pools = [pool(1), pool(2)];
    let (mut compared, mut refused) = (0, 0);
    for (law, contact) in contacts() {
        let scene = scene_under(scene, &contact);
        for scheme in all_schemes() {
            let text = format!("{scene}{MATERIALS}{contact}[time]\nstep = \"8 us\"\nintegrator = {}\n", scheme.toml());
            let loaded = builder::parse_scene(name, &text, &[]).unwrap();
            println!("{name}, {law}, {scheme}");
            let ends = ends(&loaded, &pools, check);
            let expected =
                REFUSED.iter().find(|(scene, integrator, _)| (*scene, *integrator) == (name, scheme.integrator));
            match (ends, expected) {
                (Ok([straight, parts]), None) => {
                    assert!(
                        straight == parts,
                        "{name}, {law}, {scheme}: the ends differ\n{}",
                        differences(straight, parts)
                    );
                    compared += 1;
                }
                (Err(error), Some((_, _, message))) => {
                    assert!(error.to_string().contains(message), "{name}, {law}, {scheme}: {error}");
                    refused += 1;
                }
                (Ok(_), Some(_)) => panic!("{name}, {law}, {scheme}: it was not refused"),
                (Err(error), None) => panic!("{name}, {law}, {scheme}: {error}"),
            }
        }
    }
    println!("{name}: {compared} combinations of law and integrator end with equal bytes, {refused} are refused");
}

/// Whether particles touch in the second stage; that they do at the cut is what matters.
fn touches(simulation: &Simulation, at_end: bool) -> bool {
    let contacts = simulation.world.contact_count();
    (at_end || contacts.pairs > 0) && simulation.state.stage == 1
}

#[test]
fn a_split_run_with_walls_pouring_removal_and_a_periodic_direction_ends_with_the_same_bytes() {
    split_everywhere("machine", MACHINE, &|simulation, at_end| {
        let world = &simulation.world;
        let contacts = world.contact_count();
        assert!(simulation.state.stage == 1 && (at_end || contacts.pairs + contacts.walls > 0));
        assert!((10..40).contains(&world.particles.len()), "{}", world.particles.len());
        assert!(world.inserted > 20, "nothing was poured: {}", world.inserted);
        assert!(!at_end || world.removed > 0, "nothing fell out");
    });
}

#[test]
fn a_split_run_of_a_deforming_cell_ends_with_the_same_bytes() {
    split_everywhere("cell", CELL, &|simulation, at_end| {
        assert!(touches(simulation, at_end) && simulation.world.deformation.is_some());
        assert!(simulation.world.particles.len() == 27);
    });
}

#[test]
fn a_split_run_with_a_guided_particle_ends_with_the_same_bytes() {
    split_everywhere("guide", GUIDE, &|simulation, at_end| {
        assert!(touches(simulation, at_end) && simulation.world.guides.list()[0].followers.len() == 1);
        assert!(simulation.world.particles.len() > 10);
    });
}
