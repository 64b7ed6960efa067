//! Particle-steps per second on a settled bed of 10,000 equal spheres, one thread and all threads.
//!
//! `cargo bench -p dem-sim --bench settled`
//!
//! Five repetitions of each, interleaved; the median is what to quote. The bed is periodic in x and y, on a frictional floor, Hertz–Mindlin
//! with E = 10 MPa and a step of 5 % of the Rayleigh time.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures and stops if it cannot run"
)]

use std::time::Instant;

use dem_sim::builder;
use dem_sim::simulation::Simulation;

const SCENE: &str = r#"
[time]
step = 4.28e-6
[domain]
min = [0, 0, -0.0002]
max = [0.048, 0.048, 0.15]
x = "periodic"
y = "periodic"
z = "error"
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
unloading = "none"
friction = 0.5
restitution = 0.5
[[walls]]
name = "floor"
material = "m"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "bed"
material = "m"
fill = { type = "file", path = "PATH", max_overlap = 0.05 }
[[stages]]
name = "run"
until = { steps = 1000000 }
"#;

/// Steps that let contacts find their tangential load.
const WARM_UP: usize = 200;
/// Steps of one repetition.
const STEPS: usize = 500;
const REPETITIONS: usize = 5;

fn bed() -> Simulation {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/settled_10k.csv.gz");
    let scene = SCENE.replace("PATH", path);
    let loaded = builder::parse_scene("settled", &scene, &[]).expect("the scene is sound");
    let mut simulation = builder::build(&loaded).expect("the scene can be built");
    simulation.initialise().expect("the cell is wide enough");
    simulation
}

fn advance(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.advance().expect("the bed stays at rest");
    }
}

fn main() {
    let pools: Vec<(&str, rayon::ThreadPool)> = [("one thread", 1), ("all threads", 0)]
        .into_iter()
        .map(|(name, threads)| {
            (name, rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"))
        })
        .collect();
    let mut beds: Vec<Simulation> = pools.iter().map(|_| bed()).collect();
    let mut rates = vec![Vec::new(); pools.len()];
    for (simulation, (_, pool)) in beds.iter_mut().zip(&pools) {
        pool.install(|| advance(simulation, WARM_UP));
    }
    for _ in 0..REPETITIONS {
        for ((simulation, (_, pool)), rates) in beds.iter_mut().zip(&pools).zip(&mut rates) {
            let particles = simulation.world.particles.len();
            let start = Instant::now();
            pool.install(|| advance(simulation, STEPS));
            rates.push((particles * STEPS) as f64 / start.elapsed().as_secs_f64());
        }
    }
    for ((name, _), mut rates) in pools.iter().zip(rates) {
        rates.sort_by(f64::total_cmp);
        println!(
            "{name}: median {:.2} million particle-steps/s (least {:.2}, most {:.2})",
            rates[REPETITIONS / 2] / 1e6,
            rates[0] / 1e6,
            rates[REPETITIONS - 1] / 1e6
        );
    }
    let world = &beds[0].world;
    let contacts = world.contact_count();
    println!("{} particles, {} + {} contacts", world.particles.len(), contacts.pairs, contacts.walls);
}
