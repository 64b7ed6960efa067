//! Equal bits on any number of threads while a periodic cell deforms and the contact list is rebuilt. Walls, pouring and removal are in
//! `tests/restart.rs`.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_sim::simulation::Simulation;
use dem_sim::{builder, checkpoint, measure};
use rayon::ThreadPoolBuilder;

/// Numbers of threads: fewer and more than there are processors, and more than there are blocks of spheres.
const THREADS: [usize; 5] = [1, 2, 3, 5, 8];
const STEPS: u32 = 400;

/// 1,728 spheres of two materials that fly about while their cell is compressed and sheared, then held by a servo.
const CELL: &str = r#"
seed = 12
[time]
step = "8 us"
[domain]
min = [0, 0, 0]
max = ["24.2 mm", "24.2 mm", "24.2 mm"]
x = "periodic"
y = "periodic"
z = "periodic"
[cell]
positive = "compression"
[fields]
gravity = [0, 0, 0]
local_damping = 0.1
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
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[particles]]
name = "grains"
material = "a"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["24.2 mm", "24.2 mm", "12.1 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = [0, "0.3 m/s", "0.5 m/s"]
[[particles]]
name = "others"
material = "b"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, "12.1 mm"], max = ["24.2 mm", "24.2 mm", "24.2 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = ["0.4 m/s", 0, "-0.5 m/s"]
[[stages]]
name = "compress"
deform = { xx = { rate = "60 1/s" }, yy = { rate = "40 1/s" }, zz = { rate = "60 1/s" }, xy = { rate = "100 1/s" }, yz = { rate = "-50 1/s" } }
until = { steps = 250 }
[[stages]]
name = "servo"
actions = [{ type = "set_contact", parameters = { friction = 0.1 } }]
deform = { xx = { stress = "20 kPa" }, zz = { rate = "-50 1/s" }, max_rate = "60 1/s" }
until = { steps = 100000 }
"#;

/// What a run on some threads comes to: every bit of its state, and of its rows on the way.
fn end(threads: usize) -> (Vec<u8>, Vec<u64>, Simulation) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let loaded = builder::parse_scene("cell", CELL, &[]).unwrap();
        let mut simulation = builder::build(&loaded).unwrap();
        simulation.initialise().unwrap();
        let mut rows = Vec::new();
        for step in 1..=STEPS {
            simulation.advance().unwrap();
            if step % 100 == 0 {
                rows.extend(measure::series_row(&simulation).into_iter().map(f64::to_bits));
            }
        }
        (checkpoint::save(&simulation, "cell").unwrap(), rows, simulation)
    })
}

#[test]
fn number_of_threads_changes_no_bit_of_a_deforming_cell() {
    let (expected, rows, simulation) = end(THREADS[0]);
    // the run is what it says: several blocks of spheres, rebuilds, contacts of all kinds, both stages
    let world = &simulation.world;
    assert!(world.particles.len() > 3 * dem_sim::forces::BLOCK, "{}", world.particles.len());
    assert!(simulation.pipeline.forces.rebuilds > 10, "{} rebuilds", simulation.pipeline.forces.rebuilds);
    assert!(world.contact_count().pairs > world.particles.len(), "{:?}", world.contact_count());
    assert!(world.deformation.is_some() && simulation.state.stage == 1);
    for threads in &THREADS[1..] {
        let (state, other_rows, _) = end(*threads);
        assert!(state == expected, "another state on {threads} threads");
        assert!(other_rows == rows, "other rows on {threads} threads");
    }
}

/// What a user of the library holds can be kept, read and handed on by any thread; a missing `Sync` would not compile.
#[test]
fn what_a_library_user_holds_belongs_to_any_thread() {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<Simulation>();
    is_shareable::<builder::LoadedScene>();
    is_shareable::<dem_sim::run::Run>();
    is_shareable::<dem_io::snapshot::SnapshotReader>();
    is_shareable::<dem_io::checkpoint::CheckpointReader>();
}
