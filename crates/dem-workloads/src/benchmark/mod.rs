//! How fast the engine is: fixed workloads that any machine and any other code can run.
//!
//! | case | what | steps before timing, timed |
//! |---|---|---|
//! | `settled` | equal spheres at rest on a floor, periodic in x and y, Hertz–Mindlin, no contact history at the start | 200, 1,000 |
//! | `stir` | the same bed with Gaussian velocities of 0.5 m/s: contacts change, lists are rebuilt | 0, 2,000 |
//! | `periodic` | spheres of 0.8 to 1.2 mm in a fully periodic cell, packing fraction 0.6175, linear springs | 0, 2,000 |
//! | `polydisperse` | spheres of 0.25 to 5 mm, number density as r⁻⁴, in a fully periodic cell, Hertz–Mindlin | 200, 1,000 |
//! | `mixture` | the bed of `settled`, its spheres of two materials with the same constants | 200, 1,000 |
//! | `dimers` | the bed of `settled`, spheres that touch joined in rigid pairs | 200, 1,000 |
//! | `shear` | the spheres of `periodic`, sheared at 20/s under constant normal stresses | 200, 2,000 |
//! | `hopper` | 7,000 spheres of three materials, 0.8 to 6 mm, run out of a silo that is a mesh, Hertz–Mindlin | 200, 4,000 |
//!
//! Larger sizes are copies of the shipped packing side by side.

mod case;
mod dimers;
mod measurement;
mod options;
mod packing;
mod ranks;
mod scaling;
mod scene_text;
mod shipped;
mod surroundings;

use std::time::Instant;

use dem_core::lanes::Width;
use dem_report::ReportError;
use dem_report::given::one_of;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::machine::{Machine, peak_memory, present_memory, processor_time};
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::timing::{Phase, PhaseClock};
use dem_sim::world::World;
use tracing::Dispatch;
use tracing::dispatcher::{get_default, with_default};

pub use case::{BROADPHASES, CASES, Case};
pub use measurement::Measurement;
pub use options::Options;
pub use scaling::{Forecast, RankFigures};
pub use surroundings::FACETS;

use crate::error::WorkloadError;
use options::refused;
use packing::Packing;
use surroundings::Surroundings;

/// Rebuilds of the contact list that are timed. Few: the skin widens by a fifth with each, as it does while particles are fast.
const REBUILDS: usize = 3;

/// Builds a workload, warms it up and times it. `built` is called in between, for a program that then gives back memory.
///
/// # Errors
/// An option that is not possible; a packing that cannot be read, built or run.
pub fn run(options: &Options, built: impl FnOnce()) -> Result<Measurement, WorkloadError> {
    let case = case::find(&options.case)?;
    let packing = match &options.particles {
        Some(path) => Packing::read(path, &options.period, case)?,
        None if options.period.is_empty() => Packing::shipped(case, options.size)?,
        None => return Err(refused("--period", &options.period[0].to_string(), "together with --particles")),
    };
    if options.particles.is_some() && options.size.is_some() {
        return Err(refused("--size", "given", "without --particles"));
    }
    let threads = options.threads.unwrap_or(0);
    if threads > 1024 {
        return Err(refused("--threads", &threads.to_string(), "at most 1024"));
    }
    let (warm_up, steps) = (options.warm_up.unwrap_or(case.warm_up), options.steps.unwrap_or(case.steps));
    if steps == 0 {
        return Err(refused("--steps", "0", "at least 1"));
    }
    let law = options.law.as_deref().unwrap_or(case.law);
    let width = options.lanes.as_deref().map_or(Ok(Width::fastest()), |name| {
        let known: Vec<&str> = Width::available().into_iter().map(Width::key).collect();
        let unknown = || refused("--lanes", name, &format!("{}, which this machine has", one_of(name, &known)));
        Width::from_name(name).ok_or_else(unknown)
    })?;
    let ranks = options.ranks.unwrap_or(1);
    if !(1..=256).contains(&ranks) {
        return Err(refused("--ranks", &ranks.to_string(), "1 to 256"));
    }
    if options.forecast && ranks < 2 {
        return Err(refused("--forecast", "given", "with 2 or more --ranks, from which it is made"));
    }
    let load = || load(case, law, options, packing);
    let build = |loaded: &LoadedScene| build(case, loaded, width);
    if ranks > 1 {
        let (_folder, loaded) = load()?;
        let follow = |simulation: &mut Simulation| choose(simulation, case, width);
        let act = |simulation: &mut Simulation, threads| {
            let measured = time(simulation, case, law, warm_up, steps, threads)?;
            let loads = options.forecast.then(|| simulation.with_all(scaling::loads)).transpose();
            Ok((measured, loads.map_err(SimulationError::from)?.flatten()))
        };
        return ranks::run(ranks, threads, &loaded, build, follow, act);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(ReportError::from)?;
    // what is said there is for whoever listens here
    let listener = get_default(Dispatch::clone);
    let mut simulation = pool.install(|| with_default(&listener, || build(&load()?.1)))?;
    built();
    let count = pool.current_num_threads();
    pool.install(|| with_default(&listener, || time(&mut simulation, case, law, warm_up, steps, count)))
}

/// The scene of a workload, and the folder of the table that it reads.
fn load(
    case: &Case,
    law: &str,
    options: &Options,
    packing: Packing,
) -> Result<(tempfile::TempDir, LoadedScene), WorkloadError> {
    let folder = tempfile::tempdir().map_err(dem_io::Error::system("create directory", &std::env::temp_dir()))?;
    let table = folder.path().join("packing.csv");
    packing.write(&table)?;
    let text = scene_text::scene(case, law, options, packing.period, &table)?;
    Ok((folder, builder::parse_scene("benchmark", &text, &[])?))
}

fn build(case: &Case, loaded: &LoadedScene, width: Width) -> Result<Simulation, WorkloadError> {
    let mut simulation = builder::build(loaded)?;
    if case.joined {
        dimers::join(&mut simulation.world);
    }
    choose(&mut simulation, case, width);
    simulation.initialise()?;
    Ok(simulation)
}

/// Has steps be taken as between two outputs of a run, where nobody asks for forces of contacts, unless the cell is held by their stress.
fn choose(simulation: &mut Simulation, case: &Case, width: Width) {
    simulation.pipeline.forces.is_unseen = case.surroundings != Surroundings::Sheared;
    simulation.pipeline.forces.width = width;
}

/// Takes steps that nobody looks at, as between two outputs of a run.
fn advance(simulation: &mut Simulation, mut steps: u64) -> Result<(), WorkloadError> {
    while steps > 0 && simulation.state.stopped.is_none() {
        steps -= simulation.advance_unseen(f64::INFINITY, steps)?;
    }
    Ok(())
}

fn time(
    simulation: &mut Simulation,
    case: &'static Case,
    law: &str,
    warm_up: u64,
    steps: u64,
    threads: usize,
) -> Result<Measurement, WorkloadError> {
    advance(simulation, warm_up)?;
    let rebuilds = simulation.pipeline.forces.rebuilds;
    let processor_time_before = processor_time_of_pool();
    let before = simulation.pipeline.forces.rank_counts();
    simulation.pipeline.forces.clock = Some(PhaseClock::default());
    let start = Instant::now();
    advance(simulation, steps)?;
    let seconds = start.elapsed().as_secs_f64();
    let processor_time = processor_time_of_pool() - processor_time_before;
    let clock = simulation.pipeline.forces.clock.take().unwrap_or_default();
    let (world, forces) = (&simulation.world, &simulation.pipeline.forces);
    let contacts = world.contact_count();
    let p = &world.particles;
    let particles = world.particle_count();
    let per_step = |before: u64, after: u64| (after - before) as f64 / steps as f64;
    let rank = before.zip(forces.rank_counts()).map(|(before, after)| RankFigures {
        particles: p.owned(),
        ghosts: after.ghosts,
        contacts: computed_here(world),
        seconds_per_step: processor_time / steps as f64,
        messages_per_step: per_step(before.messages_told, after.messages_told),
        bytes_per_step: per_step(before.bytes_told, after.bytes_told),
        questions_per_step: per_step(before.questions, after.questions),
        renewals: after.renewals - before.renewals,
    });
    let mut measured = Measurement {
        case: case.name,
        law: law.to_owned(),
        works: world.keeps_work(),
        orientations: world.orientations_follow,
        particles,
        ranks: rank.into_iter().collect(),
        forecast: Vec::new(),
        threads,
        steps,
        seconds,
        contacts: contacts.pairs,
        wall_contacts: contacts.walls,
        mean_z: world.sum_over_particles(|slot| p.position[slot].z) / particles as f64,
        kinetic_energy: world.energy().kinetic(),
        broadphase: forces.broadphase(),
        rebuilds: forces.rebuilds - rebuilds,
        rebuild_seconds: 0.0,
        stepping_memory: present_memory(),
        peak_memory: 0,
        phases: Phase::ALL.map(|phase| (phase.name(), clock.spent(phase).as_secs_f64())).to_vec(),
        machine: Machine::here(forces.width.name()),
    };
    measured.rebuild_seconds = time_rebuild(simulation)?;
    measured.peak_memory = peak_memory();
    Ok(measured)
}

/// Contacts that are computed here, those with ghosts included.
fn computed_here(world: &World) -> usize {
    let mut contacts = 0;
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |contact| contacts += usize::from(contact.touches));
    }
    contacts
}

/// Time that each of the threads of the present pool has had a processor, in the mean \[s\].
fn processor_time_of_pool() -> f64 {
    let times = rayon::broadcast(|_| processor_time());
    times.iter().sum::<f64>() / times.len() as f64
}

/// Median wall time of rebuilds of the contact list \[s\].
fn time_rebuild(simulation: &mut Simulation) -> Result<f64, WorkloadError> {
    let Simulation { world, pipeline, .. } = simulation;
    let mut times = Vec::with_capacity(REBUILDS);
    for _ in 0..REBUILDS {
        let start = Instant::now();
        pipeline.forces.rebuild_for_step(world).map_err(SimulationError::from)?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[REBUILDS / 2])
}

#[cfg(test)]
mod tests;
