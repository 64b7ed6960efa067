//! The kernels of a step one by one, on shipped packings and one thread.
//!
//! `cargo bench -p dem-sim --bench kernels [-- FILTER]`
//!
//! | group | what | per |
//! |---|---|---|
//! | `candidates` | the search of one broadphase, nothing else | particle |
//! | `rebuild` | a whole rebuild of the contact list: search, rows in order of ids, histories carried over | particle |
//! | `law` | all contacts of the settled bed by one law: geometry, law, history | contact |
//! | `rotation` | orientations turned by increments | particle |
//! | `gather` | sums of the contact forces of every particle | particle |
#![expect(clippy::expect_used, reason = "a benchmark stops if it cannot run")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dem_broadphase::{Broadphase, CellList, KdTree};
use dem_contact::kernel::Acceptance;
use dem_core::contact_list::CandidateRows;
use dem_core::lanes::{LaneTask, Lanes, Vector, Width};
use dem_core::rotation::{rodrigues_from_rotation_vector, rotate_in_lanes};
use dem_core::{DQuat, DVec3};
use dem_sim::builder;
use dem_sim::fields::Motion;
use dem_sim::forces::Loads;
use dem_sim::simulation::Simulation;
use dem_testkit::worlds::Scatter;

/// A shipped packing.
struct Packing {
    name: &'static str,
    file: &'static str,
    /// Lengths of the cell \[m\].
    period: [f64; 3],
    /// Value of `z` in the domain.
    z: &'static str,
    /// Skin \[m\], 0.12 of the smallest radius, the first that a run takes.
    skin: f64,
    /// Time step \[s\].
    time_step: f64,
}

/// 10,000 equal spheres. Without a floor: nothing moves here.
const SETTLED: Packing = Packing {
    name: "settled",
    file: "settled_10k.csv.gz",
    period: [0.048, 0.048, 0.15],
    z: "error",
    skin: 1.2e-4,
    time_step: 4.28e-6,
};
/// 20,000 spheres with radii of 1:18.
const POLYDISPERSE: Packing = Packing {
    name: "polydisperse",
    file: "polydisperse_20k.csv.gz",
    period: [0.025_144_305_3; 3],
    z: "periodic",
    skin: 3e-5,
    time_step: 1e-6,
};

/// Steps that build up histories before laws are timed.
const WARM_UP: usize = 20;

/// Friction and damping of all laws; the stiffness of springs is the secant of Hertz at the mean overlap of the settled bed \[N/m\].
const CONTACT: &str = "friction = 0.5\nrestitution = 0.5";
const STIFFNESS: &str = "normal_stiffness = 200";

fn simulation(packing: &Packing, law: &str) -> Simulation {
    let path = format!("{}/../../data/{}", env!("CARGO_MANIFEST_DIR"), packing.file);
    let stiffness = if law == "hertz-mindlin" { "" } else { STIFFNESS };
    let Packing { period: [x, y, z], z: face, skin, time_step, .. } = packing;
    let scene = format!(
        r#"
[time]
step = {time_step:?}
[domain]
min = [0, 0, {low:?}]
max = [{x:?}, {y:?}, {z:?}]
x = "periodic"
y = "periodic"
z = "{face}"
[contact_search]
skin = {skin:?}
[fields]
gravity = [0, 0, 0]
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "{law}"
{CONTACT}
{stiffness}
[[particles]]
name = "bed"
material = "m"
fill = {{ type = "file", path = "{path}", max_overlap = 0.1 }}
[[stages]]
name = "run"
until = {{ steps = 1000000 }}
"#,
        low = if *face == "periodic" { 0.0 } else { -0.01 },
    );
    let loaded = builder::parse_scene("kernels", &scene, &[]).expect("the scene is sound");
    let mut simulation = builder::build(&loaded).expect("the scene can be built");
    simulation.initialise().expect("the cell is wide enough");
    for _ in 0..WARM_UP {
        simulation.advance().expect("the packing holds");
    }
    simulation
}

fn candidates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("candidates");
    for packing in [&SETTLED, &POLYDISPERSE] {
        let Simulation { world, .. } = simulation(packing, "hertz-mindlin");
        let broadphases: [Box<dyn Broadphase>; 3] =
            [Box::new(CellList::default()), Box::new(CellList::hierarchical()), Box::new(KdTree::default())];
        group.throughput(Throughput::Elements(world.particles.len() as u64));
        for mut broadphase in broadphases {
            let mut rows = CandidateRows::default();
            group.bench_function(BenchmarkId::new(broadphase.key(), packing.name), |timer| {
                timer.iter(|| broadphase.candidates(&world.particles, &world.cell, packing.skin, black_box(&mut rows)));
            });
        }
    }
}

fn rebuild(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rebuild");
    for packing in [&SETTLED, &POLYDISPERSE] {
        let Simulation { mut world, mut pipeline, .. } = simulation(packing, "hertz-mindlin");
        group.throughput(Throughput::Elements(world.particles.len() as u64));
        group.bench_function(packing.name, |timer| {
            timer.iter(|| pipeline.forces.rebuild(&mut world).expect("the cell is wide enough"));
        });
    }
}

fn law(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("law");
    for law in ["hertz-mindlin", "linear", "kuhn"] {
        let Simulation { mut world, mut pipeline, .. } = simulation(&SETTLED, law);
        let (step, end) = (world.time_step, world.time + world.time_step);
        group.throughput(Throughput::Elements(world.contact_count().pairs as u64));
        group.bench_function(law, |timer| {
            timer.iter(|| {
                // nothing has moved, and histories on trial begin anew every time: every evaluation is the same
                pipeline.forces.bound_displacement(0.0);
                let evaluated = pipeline.forces.evaluate_contacts(&mut world, step, end, Acceptance::Trial);
                evaluated.expect("the cell is wide enough");
            });
        });
    }
}

/// Turns orientations by increments.
struct Rotation<'a> {
    orientation: &'a mut [DQuat],
    turn: &'a [DVec3],
}

impl LaneTask for Rotation<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        for at in (0..self.turn.len() / R::LANES * R::LANES).step_by(R::LANES) {
            let [x, y, z] = R::columns(|lane| self.turn[at + lane].as_ref());
            let q = R::columns(|lane| self.orientation[at + lane].as_ref());
            let turned = rotate_in_lanes(q, Vector::new(x, y, z));
            R::rows(&turned, |lane, q| self.orientation[at + lane] = DQuat::from_array(q));
        }
    }
}

fn rotation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rotation");
    for count in [1_000_usize, 10_000, 100_000] {
        let mut scatter = Scatter(1);
        let turn: Vec<DVec3> =
            (0..count).map(|_| rodrigues_from_rotation_vector(1e-3 * scatter.next_vector())).collect();
        let mut orientation = vec![DQuat::IDENTITY; count];
        group.throughput(Throughput::Elements(count as u64));
        for width in Width::available() {
            group.bench_function(BenchmarkId::new(width.name(), count), |timer| {
                timer.iter(|| width.run(Rotation { orientation: black_box(&mut orientation), turn: &turn }));
            });
        }
    }
}

fn gather(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gather");
    for packing in [&SETTLED, &POLYDISPERSE] {
        let Simulation { world, .. } = simulation(packing, "hertz-mindlin");
        let p = &world.particles;
        let loads = Loads::new(&world, world.time);
        let mut sums = vec![(DVec3::ZERO, DVec3::ZERO); p.len()];
        group.throughput(Throughput::Elements(p.len() as u64));
        group.bench_function(packing.name, |timer| {
            timer.iter(|| {
                for (slot, sum) in black_box(&mut sums).iter_mut().enumerate() {
                    let load = loads.on(slot, p.mass[slot], || Motion::of(p, slot));
                    *sum = (load.force, load.torque);
                }
            });
        });
    }
}

/// Everything on this thread alone: the figures are those of one core.
fn all(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    pool.expect("no threads have been started");
    for group in [candidates, rebuild, law, rotation, gather] {
        group(criterion);
    }
}

criterion_group! {
    name = kernels;
    // short: the figures of a shared machine do not become better by more samples
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = all
}
criterion_main!(kernels);
