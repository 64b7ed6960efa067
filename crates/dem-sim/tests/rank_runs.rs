//! Runs on ranks in threads beside the same run alone, for tests.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::sync::Arc;

use dem_contact::Mode;
use dem_core::contact_list::PartnerKind;
use dem_io::checkpoint::CheckpointReader;
use dem_ranks::{Transport, threads};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::differing_sections;
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::{checkpoint, measure};

use crate::split_runs::MACHINE;

/// Numbers of ranks that a case of the matrix has one of.
pub const SIZES: [usize; 5] = [2, 3, 5, 8, 4];

/// Spheres that slide off a table through an open face: the step follows all of them, a stage takes some out, another one waits for rest.
pub const TABLE: &str = r#"
seed = 2
[time]
step = "adaptive"
[domain]
min = ["-12 mm", "-12 mm", "-2 mm"]
max = ["9 mm", "12 mm", "30 mm"]
[fields]
gravity = [0, 0, -9.81]
[at_rest]
kinetic_energy = 100
unbalanced_force = 100
duration = "1 ms"
[[walls]]
name = "floor"
material = "grain"
shape = { type = "disc", centre = [0, 0, 0], radius = "8 mm" }
[[particles]]
name = "grains"
material = "grain"
sizes = { type = "uniform", min = "0.95 mm", max = "1 mm" }
region = { type = "cylinder", base = [0, 0, 0], radius = "8 mm", height = "14 mm" }
fill = { type = "lattice", gap = 0.01, jitter = 1 }
velocity = ["0.7 m/s", 0, "-0.2 m/s"]
[[stages]]
name = "fall"
until = { steps = 150 }
[[stages]]
name = "come to rest"
actions = [{ type = "remove_particles", region = { type = "box", min = ["-2 mm", "-2 mm", 0], max = ["2 mm", "2 mm", "20 mm"] } }]
until = { at_rest = true }
[[stages]]
name = "smoother"
actions = [{ type = "set_contact", parameters = { friction = 0.1 } }]
until = { steps = 100000 }
"#;

/// The machine with a bed of more layers.
pub fn crowded_machine() -> String {
    let crowded = MACHINE
        .replace("max = [\"6.6 mm\", \"5 mm\", \"3.5 mm\"]", "max = [\"6.6 mm\", \"5 mm\", \"6 mm\"]")
        .replace("min = [\"-7 mm\", \"-5 mm\", \"6 mm\"]", "min = [\"-7 mm\", \"-5 mm\", \"8 mm\"]");
    assert_ne!(crowded, MACHINE);
    crowded
}

/// A scene whose grains, on a lattice at first, have films of liquid that they share.
pub fn wet(scene: &str) -> String {
    scene.replace("fill = { type = \"lattice\"", "liquid_content = 0.02\nfill = { type = \"lattice\"")
        + r#"[[pairs]]
materials = ["grain", "grain"]
near_field = "liquid-bridge"
surface_tension = 0.02
contact_angle = 0
bridge_volume = "0.005 mm^3"
bridge_liquid = "films"
"#
}

/// What a run comes to: rows on the way and the checkpoint at its end.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    rows: Vec<Vec<u64>>,
    /// Its bytes.
    pub checkpoint: Vec<u8>,
}

/// What happened between the ranks meanwhile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    /// Particles that changed their rank.
    pub handed_over: u64,
    /// Rigid bodies that did.
    pub bodies_handed_over: u64,
    rebalancings: u64,
    /// Contacts between ranks that slid, summed over ranks and steps.
    pub sliding: usize,
}

impl Traffic {
    fn add(&mut self, other: Self) {
        self.handed_over += other.handed_over;
        self.bodies_handed_over += other.bodies_handed_over;
        self.rebalancings = self.rebalancings.max(other.rebalancings);
        self.sliding += other.sliding;
    }
}

/// A scene.
pub fn parse(scene: &str) -> LoadedScene {
    builder::parse_scene("scene", scene, &[]).unwrap()
}

/// The state that a run of it begins from.
pub fn build(loaded: &LoadedScene) -> Simulation {
    let mut simulation = builder::build(loaded).unwrap();
    simulation.initialise().unwrap();
    simulation
}

fn sliding_across(simulation: &Simulation) -> usize {
    let world = &simulation.world;
    let (list, owned) = (&world.list, world.particles.owned());
    let pairs = list.segments.iter().filter(|segment| segment.partner == PartnerKind::Particle);
    let is_across = |c: &usize| (list.first[*c] as usize >= owned) != (list.second[*c] as usize >= owned);
    let across = pairs.flat_map(|s| s.start as usize..s.end as usize).filter(is_across);
    across.filter(|&candidate| world.forces.mode(candidate) == Some(Mode::Slide)).count()
}

/// Takes steps and looks at everything every `look` of them; the outcome is empty but at rank 0.
pub fn run(simulation: &mut Simulation, steps: u32, look: u32) -> Result<(Outcome, Traffic), SimulationError> {
    let (mut rows, mut traffic) = (Vec::new(), Traffic::default());
    let row = |all: &mut Simulation| measure::series_row(all).into_iter().map(f64::to_bits).collect::<Vec<u64>>();
    for step in 1..=steps {
        simulation.advance()?;
        traffic.sliding += sliding_across(simulation);
        if step % look == 0 {
            rows.extend(simulation.with_all(row)?);
        }
    }
    let checkpoint = simulation.with_all(|all| checkpoint::save(all, "scene").unwrap())?.unwrap_or_default();
    let counts = simulation.pipeline.forces.rank_counts().unwrap_or_default();
    (traffic.handed_over, traffic.rebalancings) = (counts.handed_over, counts.rebalancings);
    traffic.bodies_handed_over = counts.bodies_handed_over;
    Ok((Outcome { rows, checkpoint }, traffic))
}

/// What each of several ranks comes to that share a simulation.
pub fn on_ranks<T: Send>(
    size: usize,
    loaded: &LoadedScene,
    begin: impl Fn() -> Simulation + Sync,
    act: impl Fn(&mut Simulation) -> T + Sync,
) -> Vec<T> {
    let of_rank = |rank: threads::ThreadRank| {
        let number = rank.rank();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + number % 2).build().unwrap();
        pool.install(|| {
            let mut simulation = if number == 0 {
                let mut simulation = begin();
                simulation.lead_ranks("scene", Arc::new(rank)).unwrap();
                simulation
            } else {
                Simulation::follow_ranks(loaded, "scene", Arc::new(rank)).unwrap()
            };
            simulation.pipeline.forces.shuffle_owners();
            act(&mut simulation)
        })
    };
    let of_rank = &of_rank;
    std::thread::scope(|scope| {
        let ranks = threads::ranks(size, false).into_iter();
        let threads: Vec<_> = ranks.map(|rank| scope.spawn(move || of_rank(rank))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// What differs first.
fn differences(alone: &Outcome, together: &Outcome, columns: &[String]) -> String {
    for (at, (expected, found)) in alone.rows.iter().zip(&together.rows).enumerate() {
        for (column, (expected, found)) in expected.iter().zip(found).enumerate() {
            if expected != found {
                let [expected, found] = [expected, found].map(|bits| f64::from_bits(*bits));
                return format!("row {at}, {}: {found:e}, alone {expected:e}", columns[column]);
            }
        }
    }
    let readers = [alone, together].map(|outcome| CheckpointReader::from_bytes(outcome.checkpoint.clone()).unwrap());
    format!("checkpoints differ in {:?}", differing_sections(&readers[0], &readers[1]).unwrap())
}

/// Compares a run alone with that on some ranks; tells what happened between these.
pub fn compare(name: &str, scene: &str, sizes: &[usize], steps: u32, look: u32) -> Traffic {
    compare_loaded(name, &parse(scene), sizes, steps, look).1
}

/// The same; returns the run alone, too.
pub fn compare_loaded(
    name: &str,
    loaded: &LoadedScene,
    sizes: &[usize],
    steps: u32,
    look: u32,
) -> (Simulation, Traffic) {
    let mut simulation = build(loaded);
    let mut all = Traffic::default();
    let columns: Vec<String> = measure::series_columns(&simulation.world).iter().map(|c| c.name.to_string()).collect();
    let (alone, _) = run(&mut simulation, steps, look).unwrap();
    for &size in sizes {
        let outcomes = on_ranks(size, loaded, || build(loaded), |simulation| run(simulation, steps, look));
        let mut traffic = Traffic::default();
        for (rank, outcome) in outcomes.into_iter().enumerate() {
            let (together, own) = outcome.unwrap_or_else(|error| unreachable!("{name}, {size} ranks: {error}"));
            traffic.add(own);
            if rank == 0 {
                assert!(together == alone, "{name}, {size} ranks: {}", differences(&alone, &together, &columns));
            } else {
                assert_eq!(together, Outcome::default());
            }
        }
        println!("{name}, {size} ranks: {traffic:?}");
        assert!(
            size == 1 || traffic.handed_over >= 10 && traffic.rebalancings >= 1 && traffic.sliding >= 100,
            "{name}, {size} ranks: {traffic:?} tests little"
        );
        all.add(traffic);
    }
    (simulation, all)
}

/// A run goes on with another number of ranks, again and again, and ends in the bytes of one.
pub fn resume_on_other_numbers(loaded: &LoadedScene) {
    let (alone, _) = run(&mut build(loaded), 600, 600).unwrap();
    let mut state: Option<Vec<u8>> = None;
    for size in [3, 2, 5, 1] {
        let begin = || match &state {
            None => build(loaded),
            Some(bytes) => {
                let mut simulation = builder::build_empty(loaded).unwrap();
                let reader = CheckpointReader::from_bytes(bytes.clone()).unwrap();
                checkpoint::restore(&mut simulation, &reader, "scene").unwrap();
                simulation
            }
        };
        let outcomes = on_ranks(size, loaded, begin, |simulation| run(simulation, 150, 150).unwrap().0.checkpoint);
        state = Some(outcomes[0].clone());
    }
    assert!(state.unwrap() == alone.checkpoint);
}
