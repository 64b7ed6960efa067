//! Rigid bodies on ranks: rows and checkpoints are those of one process while bodies change their owners, cross periodic faces, are poured, reflected
//! and taken out, and slide on each other across the borders.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dem_core::particles::NO_BODY;
use dem_ranks::{Transport, threads};
use dem_sim::integrators::INTEGRATORS;
use dem_sim::run::{Origin, Run, RunBounds, Team, follow};
use dem_sim::simulation::Simulation;
use dem_testkit::schemes::all_schemes;

use crate::rank_runs::{SIZES, TABLE, Traffic, build, compare, parse, resume_on_other_numbers, run};
use crate::split_runs::{self, MATERIALS, contacts, scene_under};
use crate::sums_without_order::{MATERIAL, WALLS};

const CLUMPS: &str = r#"
[clumps.dimer]
spheres = [
  { position = [0, 0, 0], radius = "0.7 mm" },
  { position = ["0.9 mm", 0, 0], radius = "0.6 mm" },
]
[clumps.tetrapod]
spheres = [
  { position = [0, 0, 0], radius = "0.6 mm" },
  { position = ["0.9 mm", 0, 0], radius = "0.5 mm" },
  { position = [0, "0.8 mm", 0], radius = "0.5 mm" },
  { position = [0, 0, "1 mm"], radius = "0.5 mm" },
]
"#;

/// A bed and a rain of spheres and of bodies, some of which a stage takes out.
const OF_MACHINE: &str = r#"
[[particles]]
name = "dimers"
material = "a"
clump = "dimer"
region = { type = "box", min = ["-5.5 mm", "-5 mm", "-0.8 mm"], max = ["7.8 mm", "5 mm", "6 mm"] }
fill = { type = "random", count = 55 }
velocity = ["0.8 m/s", "0.6 m/s", 0]
angular_velocity = ["80 rad/s", "50 rad/s", 0]
[[particles]]
name = "tetrapods"
material = "b"
clump = "tetrapod"
region = { type = "box", min = ["-5.5 mm", "-5 mm", "-0.8 mm"], max = ["7.8 mm", "5 mm", "6 mm"] }
fill = { type = "random", count = 25 }
velocity = ["-0.8 m/s", "-0.3 m/s", 0]
[[particles]]
name = "spheres"
material = "a"
sizes = { type = "uniform", min = "0.6 mm", max = "0.8 mm" }
region = { type = "box", min = ["-5.5 mm", "-5 mm", "-0.9 mm"], max = ["7.8 mm", "5 mm", "6 mm"] }
fill = { type = "random", count = 20 }
velocity = ["-0.2 m/s", "0.5 m/s", 0]
[[particles]]
name = "rain of tetrapods"
material = "b"
clump = "tetrapod"
region = { type = "box", min = ["-5.5 mm", "-5 mm", "8 mm"], max = ["7 mm", "5 mm", "16 mm"] }
fill = { type = "pour", rate = "12000 1/s" }
velocity = [0, 0, "-2 m/s"]
[[particles]]
name = "rain of spheres"
material = "b"
sizes = { type = "single", radius = "0.8 mm" }
region = { type = "box", min = ["-5.5 mm", "-5 mm", "8 mm"], max = ["7 mm", "5 mm", "16 mm"] }
fill = { type = "pour", rate = "6000 1/s" }
velocity = [0, 0, "-2 m/s"]
[[stages]]
name = "shake"
until = { steps = 120 }
[[stages]]
name = "slip"
actions = [
  { type = "remove_particles", region = { type = "box", min = ["-2 mm", "-2 mm", "1 mm"], max = ["2 mm", "2 mm", "20 mm"] } },
  { type = "set_contact", parameters = { friction = 0.1 } },
  { type = "set_contact", materials = ["a", "b"], parameters = { restitution = 0.8 } },
  { type = "move_wall", wall = "floor" },
  { type = "add_wall", wall = "side" },
]
until = { steps = 100000 }
"#;

/// A floor that shakes and from which grains fall out, a wall that comes in, faces that are periodic and that reflect, drag, and bodies.
fn machine() -> String {
    let (around, _) = split_runs::MACHINE.split_once("[[particles]]").unwrap();
    let around = around.replace("seed = 11", "seed = 21").replace("gravity = [0, 0, -5000]", "gravity = [0, 0, -2500]");
    format!("{around}{OF_MACHINE}")
}

/// A periodic cell that is compressed and sheared at given rates, then under a servo.
const CELL: &str = r#"
seed = 22
[domain]
min = [0, 0, 0]
max = ["10 mm", "10 mm", "10 mm"]
x = "periodic"
y = "periodic"
z = "periodic"
[cell]
positive = "compression"
[fields]
gravity = [0, 0, 0]
local_damping = 0.1
[[particles]]
name = "dimers"
material = "a"
clump = "dimer"
region = { type = "box", min = [0, 0, 0], max = ["10 mm", "10 mm", "10 mm"] }
fill = { type = "random", count = 80 }
velocity = ["0.9 m/s", "-0.5 m/s", "0.4 m/s"]
[[particles]]
name = "tetrapods"
material = "a"
clump = "tetrapod"
region = { type = "box", min = [0, 0, 0], max = ["10 mm", "10 mm", "10 mm"] }
fill = { type = "random", count = 50 }
velocity = ["-0.9 m/s", "0.5 m/s", 0]
angular_velocity = ["90 rad/s", 0, "-60 rad/s"]
[[particles]]
name = "spheres"
material = "a"
sizes = { type = "uniform", min = "0.6 mm", max = "0.7 mm" }
region = { type = "box", min = [0, 0, 0], max = ["10 mm", "10 mm", "10 mm"] }
fill = { type = "random", count = 55 }
velocity = [0, "0.4 m/s", "-0.9 m/s"]
[[stages]]
name = "compress"
deform = { xx = { rate = "120 1/s" }, yy = { rate = "120 1/s" }, zz = { rate = "120 1/s" }, xy = { rate = "100 1/s" } }
until = { steps = 150 }
[[stages]]
name = "servo"
actions = [{ type = "set_contact", parameters = { friction = 0.1 } }]
deform = { xx = { stress = "20 kPa" }, zz = { rate = "50 1/s" }, max_rate = "60 1/s" }
until = { steps = 100000 }
"#;

/// The law that cases take which are not about laws.
const CONTACT: &str = "[contact]\nlaw = \"hertz-mindlin\"\nfriction = 0.3\nrestitution = 0.5\n";

fn text(scene: &str, contact: &str, time: &str) -> String {
    format!("{scene}{CLUMPS}{MATERIALS}{contact}[time]\n{time}\n")
}

/// Compares as [`compare`] does, and makes sure that bodies changed their owners.
fn compare_bodies(name: &str, scene: &str, sizes: &[usize], steps: u32) -> Traffic {
    let traffic = compare(name, scene, sizes, steps, 100);
    assert!(traffic.bodies_handed_over >= 10 * sizes.len() as u64, "{name}: {traffic:?} tests little");
    traffic
}

/// Every integrator that moves bodies with all its choices.
fn schemes() -> Vec<String> {
    let moves = |key: &str| INTEGRATORS.iter().any(|entry| entry.key == key && entry.moves_bodies);
    all_schemes().iter().filter(|scheme| moves(scheme.integrator)).map(|scheme| scheme.toml()).collect()
}

/// Every law, each with one of the integrators, in a scene.
fn laws(name: &str, scene: &str) {
    let schemes = schemes();
    for (k, (law, contact)) in contacts().into_iter().enumerate() {
        let (scene, scheme) = (scene_under(scene, &contact), &schemes[k % schemes.len()]);
        // so that contacts slide
        let contact = contact.replace("friction = 0.4\n", "friction = 0.05\n");
        let time = format!("step = \"5 us\"\nintegrator = {scheme}");
        let sizes = &SIZES[k % SIZES.len()..][..1];
        compare_bodies(&format!("{name}, {law}, {scheme}"), &text(&scene, &contact, &time), sizes, 300);
    }
}

#[test]
fn laws_between_bodies_in_a_machine_on_ranks() {
    laws("machine of bodies", &machine());
}

#[test]
fn laws_between_bodies_in_a_cell_on_ranks() {
    laws("cell of bodies", CELL);
}

#[test]
fn bodies_under_every_integrator_on_ranks() {
    for (at, scheme) in schemes().into_iter().enumerate() {
        for (k, (name, scene)) in [("machine", machine()), ("cell", CELL.to_owned())].iter().enumerate() {
            let time = format!("step = \"5 us\"\nintegrator = {scheme}");
            let sizes = [at + 2 * k, at + 2 * k + 1].map(|size| SIZES[size % SIZES.len()]);
            compare_bodies(&format!("{name} of bodies, {scheme}"), &text(scene, CONTACT, &time), &sizes, 300);
        }
    }
}

/// The step follows contacts, whose effective masses are those of bodies of two ranks, and the present motion.
#[test]
fn bodies_with_a_step_that_adapts_on_ranks() {
    let time = "step = \"adaptive\"";
    compare_bodies("adaptive machine", &text(&machine(), CONTACT, time), &[2, 3, 5], 400);
    compare_bodies("adaptive cell", &text(CELL, CONTACT, time), &[3], 400);
}

/// Other effective masses, and orientations that are carried in other numbers, which are those of the user's columns.
#[test]
fn bodies_with_other_masses_and_rotations_on_ranks() {
    for (mass, rotation) in [("sphere", "rodrigues"), ("body", "matrix")] {
        let contact = format!("{CONTACT}effective_mass = \"{mass}\"\n");
        let time = format!("step = \"5 us\"\nrotation = \"{rotation}\"");
        for (name, scene) in [("machine", &*machine()), ("cell", CELL)] {
            let scene = text(scene, &contact, &time) + "[output]\ntotal_rotation = true\n";
            compare_bodies(&format!("{name}, mass of the {mass}, {rotation}"), &scene, &[2, 5], 300);
        }
    }
}

/// A few bodies fall among spheres: most ranks have none, and at first there are none at all.
#[test]
fn a_few_bodies_among_spheres_on_ranks() {
    let rain = r#"
[[particles]]
name = "rain"
material = "grain"
clump = "tetrapod"
region = { type = "box", min = ["-4 mm", "-4 mm", "17 mm"], max = ["4 mm", "4 mm", "22 mm"] }
fill = { type = "pour", rate = "4000 1/s" }
velocity = [0, 0, "-2 m/s"]
"#;
    let scene = format!("{TABLE}{rain}{CLUMPS}{MATERIAL}");
    let mut simulation = build(&parse(&scene));
    assert!(simulation.world.particles.bodies.is_empty(), "they come later");
    run(&mut simulation, 800, 800).unwrap();
    let bodies = simulation.world.particles.bodies.len();
    assert!((2..12).contains(&bodies), "{bodies} bodies");
    let traffic = compare("a few bodies", &scene, &[2, 5, 8], 800, 100);
    assert!(traffic.bodies_handed_over >= 3, "{traffic:?}");
}

/// Bodies alone, pressed by a lid whose servo asks for the stiffness of what is connected with it.
#[test]
fn a_pressed_bed_of_bodies_on_ranks() {
    let spheres = "sizes = { type = \"uniform\", min = \"0.95 mm\", max = \"1 mm\" }";
    let scene = WALLS.replace(spheres, "clump = \"dimer\"");
    assert_ne!(scene, WALLS);
    compare_bodies("pressed bed of bodies", &format!("{scene}{CLUMPS}{MATERIAL}"), &[2, 3, 5], 1500);
}

/// Files of a run of the machine on some ranks by their names, but for its log; of the summary what it has of bodies.
fn files(size: usize) -> BTreeMap<PathBuf, Vec<u8>> {
    let output = "[output]\nseries = \"0.2 ms\"\nsnapshots = \"0.5 ms\"\ncheckpoints = \"0.5 ms\"\n";
    let loaded = parse(&(text(&machine(), CONTACT, "step = \"5 us\"") + output));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut ranks = threads::ranks(size, false).into_iter().map(|rank| Arc::new(rank) as Arc<dyn Transport>);
    let team = ranks.next().filter(|_| size > 1).map(Team::new);
    std::thread::scope(|scope| {
        ranks.for_each(|rank| drop(scope.spawn(|| follow(&loaded, &{ rank }).unwrap())));
        let mut run = Run::begin_on(&loaded, &out, &Origin::Scene, false, team).unwrap();
        let bounds = RunBounds { step: Some(300), time: None };
        let ended = run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
        run.finish(ended).unwrap();
    });
    let mut files = BTreeMap::new();
    let mut folders = vec![out.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&out).unwrap().to_path_buf();
            if path.is_dir() {
                folders.push(path);
            } else if name == Path::new("summary.json") {
                let summary = std::fs::read_to_string(path).unwrap();
                let (_, bodies) = summary.split_once("\"bodies\"").unwrap();
                files.insert(name, bodies.split_once('}').unwrap().0.into());
            } else if name != Path::new("run.log") {
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn ranks_write_the_files_of_a_run_of_bodies() {
    let alone = files(1);
    for size in [2, 3] {
        let together = files(size);
        assert_eq!(alone.keys().collect::<Vec<_>>(), together.keys().collect::<Vec<_>>());
        for (name, bytes) in &alone {
            assert!(together[name] == *bytes, "{size} ranks: {} differs", name.display());
        }
    }
    println!("{:?}", alone.keys().collect::<Vec<_>>());
    assert!(alone.len() >= 6, "{:?}", alone.keys());
}

/// A scene does what it says, or nothing is compared.
#[test]
fn the_machine_pours_reflects_and_loses_bodies() {
    let mut simulation = build(&parse(&text(&machine(), CONTACT, "step = \"5 us\"")));
    let begun = simulation.world.inserted;
    let of = |simulation: &Simulation| simulation.world.particles.bodies.all.clone();
    let before = of(&simulation);
    run(&mut simulation, 300, 100).unwrap();
    let world = &simulation.world;
    let bodies = of(&simulation);
    let count = |is: &dyn Fn(u32) -> bool| bodies.iter().filter(|body| is(body.id)).count();
    let poured = count(&|id| id as usize >= before.len());
    assert!(poured >= 5 && world.inserted - begun > poured as u64, "{poured} of {}", world.inserted - begun);
    assert!(world.removed > 0 && world.removed_by_stages > 0, "{} {}", world.removed, world.removed_by_stages);
    assert!(before.iter().any(|old| bodies.iter().all(|body| body.id != old.id)), "no body has left");
    assert!(bodies.iter().any(|body| body.image[1] != 0), "none crosses the periodic face");
    // across a face: a member and its centre in different images
    let split = bodies.iter().any(|body| body.members().any(|slot| world.particles.image[slot] != body.image));
    assert!(split, "no body lies across the face");
    assert!(world.particles.body.contains(&NO_BODY));
    println!("{} bodies, {poured} poured, {} removed", bodies.len(), world.removed);
}

/// A run goes on with another number of ranks, again and again, and ends in the bytes of one.
#[test]
fn a_run_of_bodies_that_is_resumed_on_other_numbers_of_ranks() {
    resume_on_other_numbers(&parse(&text(&machine(), CONTACT, "step = \"5 us\"")));
}
