//! Laws that keep no works: nothing moves in another way, and what nobody knows is not given as a number.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_contact::contact_forces::SweepPolicy;
use dem_core::DVec3;
use dem_sim::builder;
use dem_sim::measure;
use dem_sim::measure::StressMeasure;
use dem_sim::simulation::Simulation;
use rayon::ThreadPoolBuilder;

/// 600 spheres that collide over a floor, periodic in x and y.
const SPHERES: &str = r#"
seed = 7
[time]
step = "5 us"
[domain]
min = [0, 0, "-1 mm"]
max = ["20 mm", "20 mm", "30 mm"]
x = "periodic"
y = "periodic"
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[limits]
overlap = 0.5
[fields]
gravity = [0, 0, -9.81]
[contact]
law = "LAW"
friction = 0.4
PARAMETERS
[[walls]]
name = "floor"
material = "a"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "all"
material = "a"
sizes = { type = "uniform", min = "0.8 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "12 mm"] }
fill = { type = "random", count = 600 }
velocity = ["1 m/s", "0.5 m/s", "-1 m/s"]
[[stages]]
name = "one"
until = { steps = 400 }
"#;

const WITHOUT: &str = "work_bookkeeping = false";
const LAWS: [(&str, &str); 3] = [
    ("hertz-mindlin", "unloading = \"none\"\nrestitution = 0.6\ntangential_damping_ratio = 0.1"),
    ("linear", "normal_stiffness = 2e4\nstiffness_ratio = 0.5\ndamping_ratio = 0.1"),
    ("linear", "normal_stiffness = 2e4\nstiffness_ratio = 0.5\ndamping_ratio = 0.1\ntangential_damping_ratio = 0.05"),
];

fn scene((law, parameters): (&str, &str), more: &str) -> String {
    SPHERES.replace("LAW", law).replace("PARAMETERS", &format!("{parameters}\n{more}"))
}

fn built(text: &str) -> Simulation {
    builder::build(&builder::parse_scene("works", text, &[]).unwrap()).unwrap()
}

fn advanced(text: &str, streams: bool) -> Simulation {
    let mut simulation = built(text);
    if streams {
        simulation.pipeline.forces.sweep_policy = SweepPolicy::ALWAYS;
        simulation.pipeline.forces.invalidate();
    }
    simulation.initialise().unwrap();
    for _ in 0..400 {
        simulation.advance().unwrap();
    }
    simulation
}

/// Bits of what particles and contacts have, by ids.
fn state(simulation: &Simulation) -> Vec<u64> {
    let world = &simulation.world;
    let p = &world.particles;
    let bits = |columns: &[DVec3]| columns.iter().flat_map(|v| v.to_array()).map(f64::to_bits).collect::<Vec<_>>();
    let of_particles = p.slots_by_id().into_iter().flat_map(|slot| {
        let slot = slot as usize;
        bits(&[p.position[slot], p.velocity[slot], p.angular_velocity[slot], p.force[slot], p.torque[slot]])
    });
    let mut all: Vec<u64> = of_particles.collect();
    let mut contacts = Vec::new();
    world.visit_contacts(&mut |c| {
        let force = world.forces.get(c.candidate).unwrap().force_on_first();
        contacts.push((c.key, bits(&[force, c.normal, c.elastic_slip])));
    });
    contacts.sort_unstable();
    all.extend(contacts.into_iter().flat_map(|(_, bits)| bits));
    all
}

#[test]
fn no_bit_of_the_motion_depends_on_works() {
    for law in LAWS {
        let expected = advanced(&scene(law, ""), false);
        assert!(expected.world.contact_count().pairs > 50, "{law:?}");
        for (threads, streams) in [(1, false), (3, false), (1, true), (3, true)] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| advanced(&scene(law, WITHOUT), streams));
            assert!(!found.world.keeps_work() && expected.world.keeps_work());
            assert!(state(&found) == state(&expected), "{law:?}, {threads} threads, streaming: {streams}");
        }
    }
}

#[test]
fn what_is_not_kept_is_no_number_and_the_rest_is_known() {
    let [with, without] = ["", WITHOUT].map(|more| advanced(&scene(LAWS[0], more), false));
    let (known, unknown) = (with.world.known_energy(), without.world.known_energy());
    assert_eq!(known.elastic_normal.to_bits(), unknown.elastic_normal.to_bits());
    assert_eq!(known.kinetic().to_bits(), unknown.kinetic().to_bits());
    assert_eq!(known.walls.to_bits(), unknown.walls.to_bits());
    assert!(known.friction > 0.0 && known.viscous > 0.0 && known.elastic_tangential > 0.0);
    let none = [unknown.friction, unknown.viscous, unknown.elastic_tangential, unknown.released, unknown.balance()];
    assert!(none.into_iter().all(f64::is_nan), "{unknown:?}");
    // four energies and the balance; all else is the same
    let rows = [measure::series_row(&with), measure::series_row(&without)];
    let differ = || rows[0].iter().zip(&rows[1]).filter(|(a, b)| a.to_bits() != b.to_bits());
    assert!(differ().all(|(a, b)| a.is_finite() && b.is_nan()));
    let names = measure::series_columns(&with.world).into_iter().map(|column| column.name);
    let values = rows[0].iter().zip(&rows[1]);
    let differing = names.zip(values).filter(|(_, (a, b))| a.to_bits() != b.to_bits()).map(|(name, _)| name);
    assert_eq!(differing.collect::<Vec<_>>(), measure::COLUMNS_OF_WORKS);
}

/// The dashpot force of a law that does not keep it is what the force is beyond the spring's.
#[test]
fn stress_of_dashpots_is_known_all_the_same() {
    for law in LAWS {
        let [with, without] = ["", WITHOUT].map(|more| StressMeasure::of(&advanced(&scene(law, more), false).world));
        let scale = with.contacts.col(2).z.abs();
        let damping: f64 = (0..3).map(|k| with.viscous.col(k)[k].abs()).sum();
        assert!(damping > 1e-3 * scale, "{with:?}");
        for k in 0..3 {
            assert!((with.viscous - without.viscous).col(k).length() < 1e-11 * scale, "{law:?} {with:?} {without:?}");
            assert!((with.contacts - without.contacts).col(k).length() < 1e-11 * scale, "{law:?}");
        }
    }
}

/// A stage may begin to keep works, or stop: forces go on, and the ledger is in balance from then on.
#[test]
fn stages_begin_and_stop_to_keep_works() {
    let stages = r#"
[[stages]]
name = "two"
actions = [{ type = "set_contact", parameters = { work_bookkeeping = OTHER } }]
until = { steps = 200 }
"#;
    for (first, other) in [("false", "true"), ("true", "false")] {
        let text = scene(LAWS[0], &format!("work_bookkeeping = {first}")).replace("steps = 400", "steps = 200")
            + &stages.replace("OTHER", other);
        let mut simulation = built(&text);
        simulation.initialise().unwrap();
        for _ in 0..201 {
            simulation.advance().unwrap();
        }
        assert_eq!(simulation.world.keeps_work(), other == "true");
        let (start, accumulated) = (simulation.world.energy(), simulation.world.accumulated);
        assert!(accumulated.exchanged.is_finite() && start.balance().is_finite());
        for _ in 0..198 {
            simulation.advance().unwrap();
        }
        assert!(state(&simulation) == state(&advanced_without_last(&scene(LAWS[0], ""))), "{first} to {other}");
        if other == "true" {
            let end = simulation.world.known_energy();
            let change = (end.balance() - start.balance()).abs();
            assert!(change < 0.02 * end.dissipated_at_contacts(), "{change} {end:?}");
        }
    }
}

/// Such a stage would never end; one that begins to keep works may.
#[test]
fn no_stage_waits_for_what_nobody_knows() {
    let stage = r#"
[[stages]]
name = "two"
actions = [ACTION]
until = { measure = { quantity = "friction_work", above = 1e-6 } }
"#;
    let error = |first: &str, action: &str| {
        let text = scene(LAWS[0], &format!("work_bookkeeping = {first}")) + &stage.replace("ACTION", action);
        let built = builder::parse_scene("stages", &text, &[]).and_then(|scene| builder::build(&scene));
        built.err().map(|error| error.to_string())
    };
    let set = |value: &str| format!("{{ type = \"set_contact\", parameters = {{ work_bookkeeping = {value} }} }}");
    assert_eq!(error("true", ""), None);
    assert_eq!(error("false", &set("true")), None);
    for (first, action) in [("false", String::new()), ("true", set("false"))] {
        let message = error(first, &action).unwrap();
        assert!(message.contains("quantity") && message.contains("work_bookkeeping = true"), "{message}");
    }
}

fn advanced_without_last(text: &str) -> Simulation {
    let mut simulation = built(text);
    simulation.initialise().unwrap();
    for _ in 0..399 {
        simulation.advance().unwrap();
    }
    simulation
}

#[test]
fn laws_whose_history_needs_works_refuse() {
    let refusals = [
        (
            "hertz-mindlin",
            "unloading = \"none\"\nrestitution = 0.6\nrolling = \"elastic-plastic\"\nrolling_friction = 0.1",
            "with rolling",
        ),
        ("hertz-mindlin", "unloading = \"none\"\nrestitution = 0.6\ndynamic_friction = 0.3", "with dynamic_friction"),
        ("hertz-mindlin", "restitution = 0.6", "with unloading = \"carried\""),
        ("hertz-mindlin", "unloading = \"hyperelastic\"\nrestitution = 0.6", "with unloading = \"hyperelastic\""),
        ("kuhn", "normal_stiffness = 2e4\nstiffness_ratio = 0.5\nrestitution = 0.6", "work_bookkeeping"),
    ];
    for (law, parameters, expected) in refusals {
        let loaded = builder::parse_scene("works", &scene((law, parameters), WITHOUT), &[]);
        let error = loaded.and_then(|loaded| builder::build(&loaded).map(|_| ())).unwrap_err().to_string();
        assert!(error.contains("work_bookkeeping") && error.contains(expected), "{error}");
    }
}
