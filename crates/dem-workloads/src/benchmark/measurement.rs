//! What a benchmark has measured.

use dem_sim::machine::Machine;
use dem_sim::timing::Phase;
use serde_json::{Map, Value, json};

use super::scaling::{self, Forecast, RankFigures};

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
    /// What each of several ranks has done.
    pub ranks: Vec<RankFigures>,
    /// What is predicted for other numbers of ranks.
    pub forecast: Vec<Forecast>,
    /// Number of threads, of all ranks together.
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
    /// What it ran on.
    pub(super) machine: Machine,
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
            "ranks": self.ranks.iter().map(scaling::rank_to_json).collect::<Vec<Value>>(),
            "forecast": self.forecast.iter().map(scaling::forecast_to_json).collect::<Vec<Value>>(),
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
        let ranks = scaling::to_text(&self.ranks, &self.forecast);
        format!(
            "{case}: {rate:.2} million particle-steps/s, {each:.1} ns each\n  \
             particles     {particles}, {law} {works}{orientations}, coordination {coordination:.3}, mean z {mean_z:.7} m\n  \
             steps         {steps} in {seconds:.3} s on {threads} thread(s), {rebuilds} rebuilds by {broadphase}\n\
             {ranks}  \
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
