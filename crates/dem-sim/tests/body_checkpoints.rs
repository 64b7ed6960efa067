//! Rigid bodies in checkpoints: a run that is cut in two goes on with the bits of one that was not, and files that cannot be are refused.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

use dem_core::bodies::body::Body;
use dem_core::{DQuat, DVec3};
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::{self, describe, differing_sections, state_tables};
use dem_sim::simulation::Simulation;
use dem_testkit::bodies::{body, dimer, jack, set_templates};
use dem_testkit::worlds::{Scatter, sphere};
use rayon::{ThreadPool, ThreadPoolBuilder};

const RADIUS: f64 = 1e-3;
const STEPS: u32 = 2400;
const CUT: u32 = 1500;

/// A trough that is periodic along x, with drag and damping, so that fields take energy from bodies.
const TROUGH: &str = r#"
[time]
step = "5 us"
[domain]
min = [0, "-10 mm", "-1 mm"]
max = ["30 mm", "10 mm", "40 mm"]
x = "periodic"
[materials.a]
density = 2500
young_modulus = 1e8
poisson_ratio = 0.25
[materials.b]
density = 2500
young_modulus = 1e8
poisson_ratio = 0.3
[limits]
overlap = 0.5
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[fields]
gravity = ["1 m/s^2", 0, "-1500 m/s^2"]
drag_coefficient = "1e-5 N s/m"
local_damping = 0.05
[[walls]]
name = "floor"
material = "a"
shape = { type = "plane", normal = [0, 0, 1] }
[[walls]]
name = "left"
material = "a"
shape = { type = "plane", point = [0, "-9 mm", 0], normal = [0, 1, 0] }
[[walls]]
name = "right"
material = "a"
shape = { type = "plane", point = [0, "9 mm", 0], normal = [0, -1, 0] }
"#;

fn loaded() -> LoadedScene {
    builder::parse_scene("trough", TROUGH, &[]).unwrap()
}

/// Dimers, jacks and spheres above the floor, at rest with respect to forces.
fn trough() -> Simulation {
    let mut simulation = builder::build_empty(&loaded()).unwrap();
    let world = &mut simulation.world;
    set_templates(world, vec![dimer(RADIUS, 1.3 * RADIUS), jack(0.4 * RADIUS)]);
    let mut scatter = Scatter(5);
    for k in 0..60 {
        let lattice = DVec3::new(f64::from(k % 6), f64::from(k / 6 % 3) - 1.0, f64::from(k / 18));
        let at = lattice * (5.0 * RADIUS) + DVec3::new(0.1, 0.0, 2.5) * RADIUS;
        let velocity = scatter.next_vector() * 0.3;
        if k % 4 == 3 {
            let mut sphere = sphere(at, RADIUS);
            sphere.velocity = velocity;
            world.insert(sphere);
            continue;
        }
        let mut new = body(at, DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
        (new.velocity, new.angular_velocity) = (velocity, scatter.next_vector() * 100.0);
        new.template = u32::from(k % 4 == 1);
        new.scale = 0.9 + 0.2 * scatter.next_unit();
        new.frozen = if k == 0 { 8 } else { 0 };
        world.insert_body(new);
    }
    simulation.initialise().unwrap();
    simulation
}

fn advance(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
}

fn saved(simulation: &Simulation) -> CheckpointReader {
    CheckpointReader::from_bytes(checkpoint::save(simulation, "trough").unwrap()).unwrap()
}

fn restored(reader: &CheckpointReader) -> Simulation {
    let mut simulation = builder::build_empty(&loaded()).unwrap();
    checkpoint::restore(&mut simulation, reader, "trough").unwrap();
    simulation
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

#[test]
fn a_run_that_is_cut_goes_on_with_the_same_bits_on_any_number_of_threads() {
    let straight = pool(1).install(|| {
        let mut simulation = trough();
        advance(&mut simulation, STEPS);
        let touching = simulation.world.contact_count();
        assert!(touching.pairs >= 15 && touching.walls >= 10, "{touching:?}");
        let bodies = &simulation.world.particles.bodies;
        assert!(bodies.all.iter().any(|body| body.image[0] != 0), "some cross the periodic face");
        assert!(bodies.all.iter().all(|body| body.field_dissipation > 0.0));
        saved(&simulation)
    });
    for threads in [1, 2, 3, 8] {
        let half = pool(threads).install(|| {
            let mut simulation = trough();
            advance(&mut simulation, CUT);
            saved(&simulation)
        });
        // what is read is what was saved, and goes on with another number of threads
        let whole = pool(9 - threads).install(|| {
            let mut simulation = restored(&half);
            assert_eq!(differing_sections(&half, &saved(&simulation)).unwrap(), Vec::<String>::new());
            advance(&mut simulation, STEPS - CUT);
            saved(&simulation)
        });
        assert_eq!(differing_sections(&straight, &whole).unwrap(), Vec::<String>::new(), "{threads} threads");
    }
}

#[test]
fn what_a_checkpoint_has_of_bodies_is_told_and_compared() {
    let mut simulation = trough();
    let reader = saved(&simulation);
    assert!(describe(&reader).unwrap().contains(&("bodies", "45".to_owned())));
    let table = |reader: &CheckpointReader| {
        state_tables(reader).unwrap().into_iter().find(|table| table.table.name == "bodies").unwrap()
    };
    assert_eq!(table(&reader).table.rows, 45);
    simulation.world.particles.bodies.all[7].angular_momentum.x *= 1.0 + 1e-15;
    assert_ne!(differing_sections(&reader, &saved(&simulation)).unwrap(), Vec::<String>::new());
    assert_ne!(table(&reader).table, table(&saved(&simulation)).table);
}

#[test]
fn a_checkpoint_of_spheres_has_no_sections_of_bodies() {
    let mut simulation = builder::build_empty(&loaded()).unwrap();
    set_templates(&mut simulation.world, vec![dimer(RADIUS, RADIUS)]);
    simulation.world.insert(sphere(DVec3::splat(3.0 * RADIUS), RADIUS));
    simulation.initialise().unwrap();
    let reader = saved(&simulation);
    assert!(!reader.section_names().any(|name| name.starts_with("bod")));
    // the templates of the scene are there for what comes later
    let mut again = builder::build_empty(&loaded()).unwrap();
    set_templates(&mut again.world, vec![dimer(RADIUS, RADIUS)]);
    checkpoint::restore(&mut again, &reader, "trough").unwrap();
    assert_eq!(again.world.particles.bodies.templates.len(), 1);
}

/// Why a state with one change is refused when it is read; it could not be saved either.
fn refusal(change: impl Fn(&mut Simulation)) -> String {
    let mut simulation = trough();
    change(&mut simulation);
    checkpoint::check(&simulation).unwrap_err().to_string()
}

#[test]
fn impossible_bodies_are_refused() {
    let with_body = |change: fn(&mut Body)| refusal(|simulation| change(&mut simulation.world.particles.bodies.all[3]));
    for change in [
        (|body| body.mass = 0.0) as fn(&mut Body),
        |body| body.moments.x = -body.moments.x,
        |body| body.orientation = [0.5, 0.5, 0.5, 0.6],
        |body| body.position.y = f64::NAN,
        |body| body.angular_momentum.y = f64::INFINITY,
        |body| body.scale = 0.0,
    ] {
        let message = with_body(change);
        assert!(message.contains("body") && message.contains("impossible values"), "{message}");
    }
    let message = with_body(|body| body.frozen = 7);
    assert!(message.contains("the members of body"), "{message}");
    let message = refusal(|simulation| {
        let mut templates = simulation.world.particles.bodies.templates.to_vec();
        templates[1].name = templates[0].name.clone();
        set_templates(&mut simulation.world, templates);
    });
    assert!(message.contains("two templates dimer"), "{message}");
}

#[test]
fn bodies_come_along_into_a_new_branch() {
    let mut first = trough();
    advance(&mut first, CUT);
    let reader = saved(&first);
    // the scene of the branch has the materials in another order, and another template of the same name
    let text = TROUGH.replace("materials.a]", "materials.z]").replace("materials.b]", "materials.a]");
    let text = text.replace("materials.z]", "materials.b]");
    let loaded = builder::parse_scene("branch", &text, &[]).unwrap();
    let mut simulation = builder::build_empty(&loaded).unwrap();
    set_templates(&mut simulation.world, vec![dimer(RADIUS, RADIUS)]);
    let branched = checkpoint::branch(&mut simulation, &loaded, &reader).unwrap();
    assert!(branched.kept > 30 && branched.dropped == 0, "{branched:?}");
    let (old, new) = (&first.world.particles.bodies, &simulation.world.particles.bodies);
    let names: Vec<&str> = new.templates.iter().map(|template| template.name.as_str()).collect();
    assert_eq!(names, ["dimer", "dimer 2", "spheres apart"]);
    for (before, after) in old.by_id().into_iter().zip(new.by_id()) {
        assert_eq!(before.angular_momentum, after.angular_momentum);
        assert_eq!(before.template + 1, after.template);
        assert_eq!(after.field_dissipation, 0.0);
    }
    assert_eq!(simulation.world.inserted, 60);
    assert_eq!(simulation.world.energy().balance(), 0.0);
    advance(&mut simulation, 10);
    // and the branch goes on from its own checkpoint
    let reader = CheckpointReader::from_bytes(checkpoint::save(&simulation, "branch").unwrap()).unwrap();
    let mut again = builder::build_empty(&loaded).unwrap();
    set_templates(&mut again.world, vec![dimer(RADIUS, RADIUS)]);
    checkpoint::restore(&mut again, &reader, "branch").unwrap();
    assert_eq!(again.world.particles.bodies.templates.len(), 3);
}
