//! Liquid that films and bridges share: none is lost or made, whatever forms and breaks.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::particles::{NO_BODY, sphere_volume};
use dem_core::{DVec3, liquid};
use dem_io::checkpoint::CheckpointReader;
use dem_sim::simulation::Simulation;
use dem_sim::world::World;
use dem_sim::{builder, checkpoint};
use rayon::ThreadPoolBuilder;

const MATERIAL: &str = r#"
[materials.grain]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[limits]
overlap = 0.5
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
near_field = "liquid-bridge"
surface_tension = 0.07
contact_angle = "20 deg"
bridge_volume = "0.02 mm^3"
bridge_liquid = "films"
"#;

/// Wet and dry grains and wet pairs of grains on a shaken floor that liquid adheres to, in a box with an open top, through a periodic face.
const MIXER: &str = r#"
seed = 5
[time]
step = "8 us"
[domain]
min = ["-6 mm", "-5 mm", "-2 mm"]
max = ["6 mm", "5 mm", "12 mm"]
x = "reflect"
y = "periodic"
z_max = "open"
[fields]
gravity = [0, 0, -9.81]
[clumps.pair]
spheres = [{ position = [0, 0, 0], radius = "1 mm" }, { position = ["1 mm", 0, 0], radius = "1 mm" }]
[[walls]]
name = "floor"
material = "grain"
near_field = true
shape = { type = "plane", normal = [0, 0, 1] }
motion = { amplitude = [0, 0, "0.3 mm"], frequency = "60 Hz" }
[[particles]]
name = "wet"
material = "grain"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = ["-6 mm", "-5 mm", 0], max = ["6 mm", "5 mm", "4.2 mm"] }
liquid_content = 0.02
fill = { type = "lattice", gap = 0.005, jitter = 1 }
angular_velocity = ["50 rad/s", 0, 0]
[[particles]]
name = "dry"
material = "grain"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["-6 mm", "-5 mm", "4.2 mm"], max = ["6 mm", "5 mm", "6.3 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = [0, 0, "-0.3 m/s"]
[[particles]]
name = "pairs"
material = "grain"
clump = "pair"
region = { type = "box", min = ["-5 mm", "-4 mm", "7 mm"], max = ["5 mm", "4 mm", "11 mm"] }
liquid_film = "20 um"
fill = { type = "pour", rate = "400 1/s", count = 8 }
velocity = [0, 0, "-0.5 m/s"]
[[stages]]
name = "mix"
until = { steps = 9000 }
[[stages]]
name = "take some out"
actions = [
  { type = "remove_particles", region = { type = "box", min = ["-2 mm", "-5 mm", 0], max = ["2 mm", "5 mm", "12 mm"] } },
  { type = "set_contact", parameters = { bridge_volume = "0.005 mm^3" } },
]
until = { steps = 100000 }
"#;

fn build(scene: &str) -> Simulation {
    builder::build(&builder::parse_scene("wet", &format!("{scene}{MATERIAL}"), &[]).unwrap()).unwrap()
}

fn bridge_volumes(world: &World) -> Vec<f64> {
    let mut volumes = Vec::new();
    world.visit_contacts(&mut |c| volumes.push(c.work.liquid));
    volumes.retain(|volume| *volume > 0.0);
    volumes
}

#[test]
fn mixing_neither_makes_nor_loses_liquid() {
    let mut simulation = build(MIXER);
    simulation.initialise().unwrap();
    let (mut formed, mut broken, mut worst, mut before) = (0, 0, 0.0f64, 0);
    for _ in 0..12_000 {
        simulation.advance().unwrap();
        let world = &simulation.world;
        let films = liquid::films(&world.particles).unwrap();
        assert!(films.iter().all(|film| *film >= 0.0), "a film is overdrawn");
        let (now, books) = (bridge_volumes(world).len(), world.liquid_books);
        formed += now.saturating_sub(before);
        broken += before.saturating_sub(now);
        before = now;
        let held = world.liquid();
        worst = worst.max(((held.films + held.bridges + books.removed) / books.brought - 1.0).abs());
    }
    let world = &simulation.world;
    let dry: Vec<usize> = (0..world.particles.len())
        .filter(|&slot| world.particles.body[slot] == NO_BODY && world.particles.radius[slot] == 1e-3)
        .collect();
    let films = liquid::films(&world.particles).unwrap();
    let wetted = dry.iter().filter(|&&slot| films[slot] > 0.0).count();
    println!("{formed} formed, {broken} broken, {before} left, off by {worst:.1e}, {wetted} of {} wetted", dry.len());
    assert!(formed > 100 && broken > 50 && before > 20);
    assert!(wetted > dry.len() / 2, "broken bridges wet dry grains");
    assert!(world.liquid_books.removed > 0.0 && world.removed_by_stages > 5, "some should leave");
    // each of some thousand events rounds films to 1e-16
    assert!(worst < 1e-13, "{worst:e}");
}

fn ends_with(threads: usize) -> Vec<u8> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let loaded = builder::parse_scene("wet", &format!("{MIXER}{MATERIAL}"), &[]).unwrap();
        let fingerprint = checkpoint::scene_fingerprint(loaded.document.resolved());
        let mut simulation = builder::build(&loaded).unwrap();
        simulation.initialise().unwrap();
        for step in 0..2000 {
            simulation.advance().unwrap();
            if step == 1100 && threads == 2 {
                let half = checkpoint::save(&simulation, &fingerprint).unwrap();
                simulation = builder::build_empty(&loaded).unwrap();
                let reader = CheckpointReader::from_bytes(half).unwrap();
                checkpoint::restore(&mut simulation, &reader, &fingerprint).unwrap();
            }
        }
        assert!(bridge_volumes(&simulation.world).len() > 20);
        checkpoint::save(&simulation, &fingerprint).unwrap()
    })
}

#[test]
fn liquid_has_the_same_bits_for_any_number_of_threads_and_across_a_restart() {
    let one = ends_with(1);
    for threads in [2, 3, 8] {
        assert!(ends_with(threads) == one, "{threads} threads");
    }
}

/// Spheres around one that touch it at the same time.
const STAR: &str = r#"
[time]
step = "1 us"
[fields]
gravity = [0, 0, 0]
[[particles]]
name = "star"
material = "grain"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["-9 mm", "-9 mm", "-9 mm"], max = ["9 mm", "9 mm", "9 mm"] }
liquid_content = 0.01
fill = { type = "lattice", count = 13, lattice = "simple_cubic", spacing = "4 mm" }
[[stages]]
name = "touch"
until = { time = "1 s" }
"#;

/// A star of spheres that touch the first one by some overlap \[m\].
fn star(contact: &str, overlap: f64) -> Simulation {
    let mut simulation = build(&STAR.replace("[time]\nstep", &format!("{contact}[time]\nstep")));
    let p = &mut simulation.world.particles;
    let pairs =
        [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]];
    p.position[0] = DVec3::ZERO;
    for (k, axis) in pairs.into_iter().enumerate() {
        let way = DVec3::from_array(axis).normalize() * (2e-3 - overlap);
        (p.position[2 * k + 1], p.position[2 * k + 2]) = (way, -way);
    }
    simulation.world.time_step = 1e-6;
    simulation
}

fn with_share(share: f64, largest: &str) -> String {
    let contact = MATERIAL.replace("0.02 mm^3", largest);
    format!("{contact}film_share = {share}\n")
}

#[test]
fn twelve_bridges_at_once_share_what_there_is() {
    // neighbours of one sphere are 2 mm apart from each other, less than they touch
    for (share, largest) in [(1.0, "1 mm^3"), (0.5, "1 mm^3"), (0.05, "1 mm^3"), (1.0, "0.001 mm^3")] {
        let loaded = builder::parse_scene("star", &format!("{STAR}{}", with_share(share, largest)), &[]).unwrap();
        let mut simulation = builder::build(&loaded).unwrap();
        let overlapping = star("", 1e-8).world.particles.position;
        simulation.world.particles.position.copy_from_slice(&overlapping);
        simulation.initialise().unwrap();
        let whole = simulation.world.liquid();
        assert_eq!(whole.bridges, 0.0);
        simulation.advance().unwrap();
        let world = &simulation.world;
        let of_centre = bridge_volumes(world);
        assert_eq!(of_centre.len(), 12 + 24, "those of the star touch each other, too");
        let films = liquid::films(&world.particles).unwrap();
        assert!(films.iter().all(|film| *film >= 0.0));
        let film = 0.01 * sphere_volume(1e-3);
        let centre = world.particles.id.iter().position(|id| *id == 0).unwrap();
        let most: f64 = largest.trim_end_matches(" mm^3").parse::<f64>().unwrap() * 1e-9;
        // each outer sphere has five bridges
        let of_one = |forming: f64| (share * film).min(film / forming);
        let expected = (of_one(12.0) + of_one(5.0)).min(most);
        let mut found = Vec::new();
        world.visit_contacts(&mut |c| {
            if [c.first, c.second].contains(&centre) {
                found.push(c.work.liquid);
            }
        });
        for volume in &found {
            assert!((volume / expected - 1.0).abs() < 1e-14, "{share} {largest}: {volume:e}, expected {expected:e}");
        }
        let now = world.liquid();
        assert!(((now.films + now.bridges) / whole.films - 1.0).abs() < 1e-14);
        assert!(share < 0.9 || largest != "1 mm^3" || films[centre] <= 1e-15 * film, "{:e}", films[centre]);
    }
}

const TWO: &str = r#"
[time]
step = "2 us"
[fields]
gravity = [0, 0, 0]
[[particles]]
name = "wet"
material = "grain"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["2 mm", "2 mm", "2 mm"] }
liquid_content = 0.01
fill = { type = "lattice", count = 1 }
velocity = ["1 m/s", 0, 0]
[[particles]]
name = "dry"
material = "grain"
sizes = { type = "single", radius = "2 mm" }
region = { type = "box", min = ["2.001 mm", 0, 0], max = ["6.002 mm", "4 mm", "4 mm"] }
fill = { type = "lattice", count = 1 }
[[stages]]
name = "meet"
until = { time = "1 s" }
"#;

#[test]
fn a_bridge_takes_the_share_of_shi_and_mccarthy_and_leaves_half_to_each() {
    let mut simulation = build(
        &TWO.replace("[\"2.001 mm\", 0, 0]", "[\"2.001 mm\", \"-1 mm\", \"-1 mm\"]")
            .replace("\"4 mm\", \"4 mm\"]", "\"3 mm\", \"3 mm\"]"),
    );
    simulation.initialise().unwrap();
    let whole = simulation.world.liquid().films;
    let share = 0.5 * (1.0 - (1.0f64 - (2.0f64 / 3.0).powi(2)).sqrt());
    let (mut most, mut start) = (0.0f64, None);
    let mut worst = 0.0f64;
    for _ in 0..4000 {
        simulation.advance().unwrap();
        let world = &simulation.world;
        most = most.max(world.liquid().bridges);
        let balance = world.energy().balance();
        worst = worst.max((balance - *start.get_or_insert(balance)).abs());
    }
    assert!((most / (share * whole) - 1.0).abs() < 1e-14, "{most:e} of {whole:e}");
    let world = &simulation.world;
    assert_eq!(world.liquid().bridges, 0.0, "it should have broken");
    let films = liquid::films(&world.particles).unwrap();
    let of = |id: u64| films[world.particles.id.iter().position(|known| *known == id).unwrap()];
    assert!((of(1) / (0.5 * share * whole) - 1.0).abs() < 1e-14);
    assert!((of(0) + of(1)) / whole - 1.0 < 1e-15);
    let cost = world.energy().further[dem_core::history::FurtherWork::Adhesion.place()];
    println!("adhesion work {cost:e} J, ledger off by {worst:e} J");
    assert!(cost > 0.0 && worst < 0.05 * cost, "{worst:e} of {cost:e}");
}
