//! Ranks in threads: every row and the bytes of the checkpoint are those of one process, whatever the number of ranks, while space is cut anew
//! and particles change their owners all the time, and contacts slide across the borders.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::sync::Arc;

use dem_contact::Mode;
use dem_core::contact_list::PartnerKind;
use dem_io::checkpoint::CheckpointReader;
use dem_ranks::{Transport, threads};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::differing_sections;
use dem_sim::run::{Origin, Run, Team, follow};
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::{checkpoint, measure};
use dem_testkit::schemes::all_schemes;

use crate::split_runs::{self, MACHINE, MATERIALS, contacts, scene_under};
use crate::sums_without_order::{CELL, MATERIAL, WALLS};

/// Numbers of ranks that a case of the matrix has one of.
const SIZES: [usize; 5] = [2, 3, 5, 8, 4];

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

/// What a run comes to: rows on the way and the checkpoint at its end.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    rows: Vec<Vec<u64>>,
    checkpoint: Vec<u8>,
}

/// What happened between the ranks meanwhile.
#[derive(Clone, Copy, Debug, Default)]
struct Traffic {
    handed_over: u64,
    rebalancings: u64,
    /// Contacts between ranks that slid, summed over ranks and steps.
    sliding: usize,
}

impl Traffic {
    fn add(&mut self, other: Self) {
        self.handed_over += other.handed_over;
        self.rebalancings = self.rebalancings.max(other.rebalancings);
        self.sliding += other.sliding;
    }
}

pub fn parse(scene: &str) -> LoadedScene {
    builder::parse_scene("scene", scene, &[]).unwrap()
}

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
fn run(simulation: &mut Simulation, steps: u32, look: u32) -> Result<(Outcome, Traffic), SimulationError> {
    let (mut rows, mut traffic) = (Vec::new(), Traffic::default());
    let row = |all: &mut Simulation| measure::series_row(all).into_iter().map(f64::to_bits).collect::<Vec<u64>>();
    rows.extend(simulation.with_all(row)?);
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
    Ok((Outcome { rows, checkpoint }, traffic))
}

/// What each of several ranks comes to that begin with the same simulation.
fn on_ranks<T: Send>(
    size: usize,
    begin: impl Fn() -> Simulation + Sync,
    act: impl Fn(&mut Simulation) -> T + Sync,
) -> Vec<T> {
    let of_rank = |rank: threads::ThreadRank| {
        let number = rank.rank();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + number % 2).build().unwrap();
        pool.install(|| {
            let mut simulation = begin();
            simulation.join_ranks(Arc::new(rank)).unwrap();
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

/// Compares a run alone with that on some ranks.
fn compare(name: &str, scene: &str, sizes: &[usize], steps: u32, look: u32) {
    compare_loaded(name, &parse(scene), sizes, steps, look);
}

/// The same; returns the run alone.
pub fn compare_loaded(name: &str, loaded: &LoadedScene, sizes: &[usize], steps: u32, look: u32) -> Simulation {
    compare_handing_over(10, name, loaded, sizes, steps, look)
}

/// The same where at least so many particles change their owners.
pub fn compare_handing_over(
    least: u64,
    name: &str,
    loaded: &LoadedScene,
    sizes: &[usize],
    steps: u32,
    look: u32,
) -> Simulation {
    let mut simulation = build(loaded);
    let columns: Vec<String> = measure::series_columns(&simulation.world).iter().map(|c| c.name.to_string()).collect();
    let (alone, _) = run(&mut simulation, steps, look).unwrap();
    for &size in sizes {
        let outcomes = on_ranks(size, || build(loaded), |simulation| run(simulation, steps, look));
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
            size == 1 || traffic.handed_over >= least && traffic.rebalancings >= 1 && traffic.sliding >= 100,
            "{name}, {size} ranks: {traffic:?} tests little"
        );
    }
    simulation
}

#[test]
fn a_cell_under_stress_control_on_ranks() {
    compare("cell", &format!("{CELL}{MATERIAL}"), &SIZES, 400, 50);
}

#[test]
fn a_pressed_bed_with_probes_on_ranks() {
    compare("pressed bed", &format!("{WALLS}{MATERIAL}"), &SIZES, 300, 50);
}

#[test]
fn a_heap_that_loses_particles_on_ranks() {
    compare("heap", &format!("{TABLE}{MATERIAL}"), &[2, 3, 8], 800, 100);
}

#[test]
fn wet_grains_on_ranks() {
    let wet = TABLE.replace("fill = { type = \"lattice\"", "liquid_content = 0.02\nfill = { type = \"lattice\"")
        + r#"[[pairs]]
materials = ["grain", "grain"]
near_field = "liquid-bridge"
surface_tension = 0.02
contact_angle = 0
bridge_volume = "0.005 mm^3"
bridge_liquid = "films"
"#;
    compare("wet heap", &format!("{wet}{MATERIAL}"), &[2, 3, 5], 800, 100);
}

/// The machine with a bed of more layers.
pub fn crowded_machine() -> String {
    let crowded = MACHINE
        .replace("max = [\"6.6 mm\", \"5 mm\", \"3.5 mm\"]", "max = [\"6.6 mm\", \"5 mm\", \"6 mm\"]")
        .replace("min = [\"-7 mm\", \"-5 mm\", \"6 mm\"]", "min = [\"-7 mm\", \"-5 mm\", \"8 mm\"]");
    assert_ne!(crowded, MACHINE);
    crowded
}

/// A stage that waits for a quantity that only the whole assembly has.
#[test]
fn a_stage_that_ends_with_a_measure_on_ranks() {
    let stage = "[[stages]]\nname = \"settle\"\nuntil = { measure = { quantity = \"coordination_without_rattlers\", above = 2.5 } }\n\
                 [[stages]]\nname = \"smoother\"\nactions = [{ type = \"set_contact\", parameters = { friction = 0.1 } }]\nuntil = { steps = 100000 }\n";
    let scene = format!("{WALLS}{stage}{MATERIAL}");
    let mut simulation = build(&parse(&scene));
    run(&mut simulation, 400, 100).unwrap();
    assert_eq!(simulation.state.stage, 1, "the measure is reached");
    compare("measured", &scene, &[3], 400, 100);
}

/// How much of a matrix is run.
#[derive(Clone, Copy, PartialEq)]
enum Cover {
    /// Every law with every integrator in one of the two scenes, each with a number of ranks.
    Pairwise,
    /// In both scenes with all numbers.
    Full,
}

/// Laws with integrators in a scene.
fn matrix(name: &str, scene: &str, cover: Cover) {
    for (k, (law, contact)) in contacts().into_iter().enumerate() {
        let scene = scene_under(scene, &contact);
        // so that contacts slide
        let contact = contact.replace("friction = 0.4\n", "friction = 0.05\n");
        for (at, scheme) in all_schemes().into_iter().enumerate() {
            let moves_cells = !["gear", "generalized-trapezoidal"].contains(&scheme.integrator);
            if scheme.to_string().contains("gauss-seidel") || name == "cell" && !moves_cells {
                continue;
            }
            let is_elsewhere = moves_cells && ((k + at) % 2 == 1) == (name == "machine");
            if cover == Cover::Pairwise && is_elsewhere {
                continue;
            }
            let text = format!("{scene}{MATERIALS}{contact}[time]\nstep = \"8 us\"\nintegrator = {}\n", scheme.toml());
            let sizes = if cover == Cover::Full { &SIZES[..] } else { &SIZES[(k + 2 * at) % SIZES.len()..][..1] };
            compare(&format!("{name}, {law}, {scheme}"), &text, sizes, 200, 100);
        }
    }
}

#[test]
fn laws_with_integrators_in_a_machine_on_ranks() {
    matrix("machine", &crowded_machine(), Cover::Pairwise);
}

#[test]
fn laws_with_integrators_in_a_cell_on_ranks() {
    matrix("cell", split_runs::CELL, Cover::Pairwise);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p dem-sim --test all on_every_number_of_ranks -- --ignored"]
fn every_law_with_every_integrator_on_every_number_of_ranks() {
    matrix("machine", &crowded_machine(), Cover::Full);
    matrix("cell", split_runs::CELL, Cover::Full);
}

#[test]
fn a_run_that_is_resumed_on_other_numbers_of_ranks() {
    resume_on_other_numbers(&parse(&format!("{TABLE}{MATERIAL}")));
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
        let outcomes = on_ranks(size, begin, |simulation| run(simulation, 150, 150).unwrap().0.checkpoint);
        state = Some(outcomes[0].clone());
    }
    assert!(state.unwrap() == alone.checkpoint);
}

/// A rank that reads another scene is told of before anything is written.
#[test]
fn ranks_with_different_scenes_do_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scenes = [4, 5].map(|seed| parse(&format!("{CELL}{MATERIAL}").replace("seed = 4", &format!("seed = {seed}"))));
    let ranks: Vec<Arc<dyn Transport>> = threads::ranks(2, false).into_iter().map(|rank| Arc::new(rank) as _).collect();
    let [leader, other] = ranks.try_into().unwrap();
    let (begun, followed) = std::thread::scope(|scope| {
        let follower = scope.spawn(|| follow(&scenes[1], &other));
        let begun = Run::begin_on(&scenes[0], &out, &Origin::Scene, false, Some(Team::new(leader)));
        (begun.map(drop), follower.join().unwrap())
    });
    for error in [begun.unwrap_err(), followed.unwrap_err()] {
        assert!(error.to_string().contains("rank 1 reads another scene than rank 0"), "{error}");
    }
    assert!(!out.exists());
}

/// A guard that trips on one rank stops all, and all say why; what there is then can be brought together.
#[test]
fn one_rank_that_fails_stops_all() {
    let loaded = parse(&format!("{WALLS}{MATERIAL}"));
    let begin = || {
        let mut simulation = build(&loaded);
        simulation.pipeline.limits.overlap_ratio = 5e-3;
        simulation
    };
    let mut alone = begin();
    let expected = run(&mut alone, 500, 50).unwrap_err().to_string();
    assert!(expected.contains("overlap of particle"), "{expected}");
    let outcomes = on_ranks(4, begin, |simulation| {
        let error = run(simulation, 500, 50).unwrap_err().to_string();
        simulation.recover_ranks();
        (error, simulation.with_all(|all| all.world.particles.len()).unwrap())
    });
    for (rank, (error, particles)) in outcomes.into_iter().enumerate() {
        assert_eq!(error, expected);
        assert_eq!(particles, (rank == 0).then_some(alone.world.particles.len()));
    }
}
