//! How fast the engine is: fixed workloads that any machine and any other code can run.
//!
//! | case | what | steps before timing, timed |
//! |---|---|---|
//! | `settled` | equal spheres at rest on a floor, periodic in x and y, Hertz–Mindlin, no contact history at the start | 200, 1,000 |
//! | `stir` | the same bed with Gaussian velocities of 0.5 m/s: contacts change, lists are rebuilt | 0, 2,000 |
//! | `periodic` | spheres of 0.8 to 1.2 mm in a fully periodic cell, packing fraction 0.6175, linear springs | 0, 2,000 |
//! | `polydisperse` | spheres of 0.25 to 5 mm, number density as r⁻⁴, in a fully periodic cell, Hertz–Mindlin | 200, 1,000 |
//! | `mixture` | the bed of `settled`, its spheres of two materials with the same constants | 200, 1,000 |
//! | `shear` | the spheres of `periodic`, sheared at 20/s under constant normal stresses | 200, 2,000 |
//! | `hopper` | 7,000 spheres of three materials, 0.8 to 6 mm, run out of a silo that is a mesh, Hertz–Mindlin | 200, 4,000 |
//!
//! Larger sizes are copies of the shipped packing side by side.

mod case;
mod packing;
mod surroundings;

use std::path::PathBuf;
use std::time::Instant;

use dem_core::lanes::Width;
use dem_sim::builder;
use dem_sim::machine::{Machine, peak_memory, present_memory};
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::timing::{Phase, PhaseClock};
use serde_json::{Map, Value, json};
use tracing::Dispatch;
use tracing::dispatcher::{get_default, with_default};

use crate::error::StudyError;
use crate::selection::one_of;
pub use case::{BROADPHASES, CASES, Case};
use packing::Packing;
pub use surroundings::FACETS;
use surroundings::Surroundings;

/// Rebuilds of the contact list that are timed. Few: the skin widens by a fifth with each, as it does while particles are fast.
const REBUILDS: usize = 3;

/// What to time.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Name of the case.
    pub case: String,
    /// Spheres, a multiple of those of the shipped packing; that many if not given.
    pub size: Option<usize>,
    /// A packing of one's own instead: columns x, y, z, r and perhaps vx, vy, vz, gzip or not; positions from zero to the period.
    pub particles: Option<PathBuf>,
    /// Periods of such a packing along x, y and z \[m\]; z for `periodic` only.
    pub period: Vec<f64>,
    /// Threads, all if not given.
    pub threads: Option<usize>,
    /// Steps before the timing, that of the case if not given.
    pub warm_up: Option<u64>,
    /// Timed steps, those of the case if not given.
    pub steps: Option<u64>,
    /// Contact law, that of the case if not given.
    pub law: Option<String>,
    /// Whether to keep the works of contacts; otherwise laws that can do without keep none, like other codes.
    pub works: bool,
    /// Whether orientations follow; otherwise they stay as they are, like those of spheres in other codes.
    pub orientations: bool,
    /// How pairs are found, one of [`BROADPHASES`]; `automatic` if not given.
    pub broadphase: Option<String>,
    /// Facets of the mesh of `hopper`: 288, [`FACETS`] or, for analytic walls, 0; [`FACETS`] if not given.
    pub facets: Option<usize>,
    /// How many contacts are computed side by side, by the key of a width that the machine has; as many as it can if not given.
    pub lanes: Option<String>,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Name of the case.
    pub case: &'static str,
    /// Contact law.
    pub law: String,
    /// Whether the works of contacts are kept.
    pub works: bool,
    /// Whether orientations follow.
    pub orientations: bool,
    /// Number of spheres.
    pub particles: usize,
    /// Number of threads.
    pub threads: usize,
    /// Timed steps.
    pub steps: u64,
    /// Their wall time \[s\].
    pub seconds: f64,
    /// Contacts between spheres, at the end.
    pub contacts: usize,
    /// Contacts with walls, at the end.
    pub wall_contacts: usize,
    /// Mean height of the centres at the end \[m\].
    pub mean_z: f64,
    /// Kinetic energy at the end \[J\].
    pub kinetic_energy: f64,
    /// Broadphase at the end.
    pub broadphase: &'static str,
    /// Rebuilds of the contact list in the timed steps.
    pub rebuilds: u64,
    /// Wall time of one rebuild \[s\]: the median of a few that are made after the timed steps, whether these needed any or not.
    pub rebuild_seconds: f64,
    /// Memory of the process after the timed steps \[byte\], 0 if the system does not tell.
    pub stepping_memory: u64,
    /// Most memory that it has had, the timed rebuilds included \[byte\], 0 if the system does not tell.
    pub peak_memory: u64,
    /// Wall time by phase \[s\].
    pub phases: Vec<(&'static str, f64)>,
    machine: Machine,
}

impl Measurement {
    /// Particle-steps per second.
    pub fn rate(&self) -> f64 {
        self.particles as f64 * self.steps as f64 / self.seconds
    }

    /// Contacts between spheres per sphere, each counted by both.
    pub fn coordination(&self) -> f64 {
        2.0 * self.contacts as f64 / self.particles as f64
    }

    /// Time of the phase of the laws per contact and step, on all threads together \[ns\].
    pub fn nanoseconds_per_contact(&self) -> f64 {
        let law: f64 = self.phases.iter().filter(|(name, _)| *name == Phase::Law.name()).map(|(_, time)| time).sum();
        let contacts = (self.contacts + self.wall_contacts) as f64 * self.steps as f64;
        1e9 * law * self.threads as f64 / contacts
    }

    /// Time of whole steps per contact and step, on all threads together \[ns\].
    pub fn step_nanoseconds_per_contact(&self) -> f64 {
        let contacts = (self.contacts + self.wall_contacts) as f64 * self.steps as f64;
        1e9 * self.seconds * self.threads as f64 / contacts
    }

    /// As an object with every figure.
    pub fn to_json(&self) -> Value {
        let phases: Map<String, Value> =
            self.phases.iter().map(|&(name, time)| (name.to_owned(), json!(time))).collect();
        json!({
            "case": self.case,
            "law": self.law,
            "work_bookkeeping": self.works,
            "orientations": self.orientations,
            "particles": self.particles,
            "threads": self.threads,
            "steps": self.steps,
            "seconds": self.seconds,
            "particle_steps_per_second": self.rate(),
            "ns_per_contact": self.nanoseconds_per_contact(),
            "step_ns_per_contact": self.step_nanoseconds_per_contact(),
            "contacts": self.contacts,
            "wall_contacts": self.wall_contacts,
            "coordination": self.coordination(),
            "mean_z": self.mean_z,
            "kinetic_energy": self.kinetic_energy,
            "broadphase": self.broadphase,
            "rebuilds": self.rebuilds,
            "rebuild_seconds": self.rebuild_seconds,
            "stepping_rss_bytes": self.stepping_memory,
            "peak_rss_bytes": self.peak_memory,
            "bytes_per_particle": self.stepping_memory as f64 / self.particles as f64,
            "phases": phases,
            "machine": self.machine,
        })
    }

    /// A few lines for the terminal.
    pub fn to_text(&self) -> String {
        let share = |time: f64| 100.0 * time / self.seconds;
        let phases: Vec<String> =
            self.phases.iter().map(|&(name, time)| format!("{name} {:.1} %", share(time))).collect();
        format!(
            "{case}: {rate:.2} million particle-steps/s, {each:.1} ns each\n  \
             particles     {particles}, {law} {works}{orientations}, coordination {coordination:.3}, mean z {mean_z:.7} m\n  \
             steps         {steps} in {seconds:.3} s on {threads} thread(s), {rebuilds} rebuilds by {broadphase}\n  \
             contacts      law {contact:.1} ns, whole step {whole:.1} ns each\n  \
             rebuild       {rebuild:.2} ms, {rebuild_each:.0} ns per particle\n  \
             phases        {phases}\n  \
             energy        {energy:.3e} J kinetic\n  \
             memory        {memory:.0} MB in steps, {bytes:.0} bytes per particle, {peak:.0} MB at its peak\n  \
             machine       {machine}\n",
            case = self.case,
            rate = self.rate() / 1e6,
            each = 1e9 / self.rate(),
            particles = self.particles,
            law = self.law,
            works = if self.works { "with works" } else { "without works" },
            orientations = if self.orientations { ", with orientations" } else { "" },
            coordination = self.coordination(),
            mean_z = self.mean_z,
            steps = self.steps,
            seconds = self.seconds,
            threads = self.threads,
            rebuilds = self.rebuilds,
            broadphase = self.broadphase,
            contact = self.nanoseconds_per_contact(),
            whole = self.step_nanoseconds_per_contact(),
            rebuild = 1e3 * self.rebuild_seconds,
            rebuild_each = 1e9 * self.rebuild_seconds / self.particles as f64,
            phases = phases.join(", "),
            energy = self.kinetic_energy,
            memory = self.stepping_memory as f64 / 1e6,
            bytes = self.stepping_memory as f64 / self.particles as f64,
            peak = self.peak_memory as f64 / 1e6,
            machine = self.machine,
        )
    }
}

/// Builds a workload, warms it up and times it. `built` is called in between, for a program that then gives back memory.
///
/// # Errors
/// An option that is not possible; a packing that cannot be read, built or run.
pub fn run(options: &Options, built: impl FnOnce()) -> Result<Measurement, StudyError> {
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
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    // what is said there is for whoever listens here
    let listener = get_default(Dispatch::clone);
    let mut simulation = pool.install(|| with_default(&listener, || build(case, law, width, options, packing)))?;
    built();
    let count = pool.current_num_threads();
    pool.install(|| with_default(&listener, || time(&mut simulation, case, law, warm_up, steps, count)))
}

fn refused(option: &'static str, value: &str, allowed: &str) -> StudyError {
    StudyError::Option { option, value: value.to_owned(), allowed: allowed.to_owned() }
}

fn build(case: &Case, law: &str, width: Width, options: &Options, packing: Packing) -> Result<Simulation, StudyError> {
    let folder = tempfile::tempdir().map_err(dem_io::Error::system("create directory", &std::env::temp_dir()))?;
    let table = folder.path().join("packing.csv");
    packing.write(&table)?;
    let loaded = builder::parse_scene("benchmark", &case.scene(law, options, &packing, &table)?, &[])?;
    // or it would count among the memory that the engine needs
    drop(packing);
    let mut simulation = builder::build(&loaded)?;
    // nobody asks for forces of contacts, as in the steps of a run between two outputs, unless the cell is held by their stress
    simulation.pipeline.forces.is_unseen = case.surroundings != Surroundings::Sheared;
    simulation.pipeline.forces.width = width;
    simulation.initialise()?;
    Ok(simulation)
}

/// Takes steps that nobody looks at, as between two outputs of a run.
fn advance(simulation: &mut Simulation, mut steps: u64) -> Result<(), StudyError> {
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
) -> Result<Measurement, StudyError> {
    advance(simulation, warm_up)?;
    let rebuilds = simulation.pipeline.forces.rebuilds;
    simulation.pipeline.forces.clock = Some(PhaseClock::default());
    let start = Instant::now();
    advance(simulation, steps)?;
    let seconds = start.elapsed().as_secs_f64();
    let clock = simulation.pipeline.forces.clock.take().unwrap_or_default();
    let (world, forces) = (&simulation.world, &simulation.pipeline.forces);
    let contacts = world.contact_count();
    let p = &world.particles;
    let energy = |slot: usize| {
        p.mass[slot] * p.velocity[slot].length_squared() + p.inertia(slot) * p.angular_velocity[slot].length_squared()
    };
    let mut measured = Measurement {
        case: case.name,
        law: law.to_owned(),
        works: world.keeps_work(),
        orientations: world.orientations_follow,
        particles: p.len(),
        threads,
        steps,
        seconds,
        contacts: contacts.pairs,
        wall_contacts: contacts.walls,
        mean_z: p.position.iter().map(|x| x.z).sum::<f64>() / p.len() as f64,
        kinetic_energy: 0.5 * (0..p.len()).map(energy).sum::<f64>(),
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

/// Median wall time of rebuilds of the contact list \[s\].
fn time_rebuild(simulation: &mut Simulation) -> Result<f64, StudyError> {
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
