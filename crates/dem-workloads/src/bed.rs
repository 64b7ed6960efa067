//! Beds of spheres at rest, dense ones and of a few spheres, whose steps give costs their measure.

use std::collections::BTreeMap;
use std::time::Instant;

use dem_report::ReportError;
use dem_report::given::within;
use dem_sim::builder;
use dem_sim::integrators::{INTEGRATORS, Iterations, Scheme};
use dem_sim::simulation::Simulation;

use crate::error::WorkloadError;

/// Name of the bed of many spheres.
pub const DENSE: &str = "dense";
/// Name of the few spheres.
pub const FEW: &str = "few";

/// How steps are timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Spheres of the dense bed, 100 to 10⁶.
    pub particles: usize,
    /// Steps in which it comes to rest, 0 to 10⁷.
    pub settling: usize,
    /// Rounds of which the median is taken, 1 to 1,000.
    pub rounds: usize,
}

impl Timing {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The first number that is.
    pub fn check(&self) -> Result<(), ReportError> {
        within("--particles", self.particles as u64, 100, 1_000_000)?;
        within("--settling", self.settling as u64, 0, 10_000_000)?;
        within("--rounds", self.rounds as u64, 1, 1000)
    }
}

/// Spheres on a frictional floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Bed {
    /// Name.
    pub name: &'static str,
    /// Number of spheres.
    pub particles: usize,
    /// Steps in which they come to rest.
    pub settling: usize,
    /// What integrates their motion.
    pub scheme: Scheme,
}

/// Layers of a bed of many spheres.
const LAYERS: usize = 12;
/// Largest radius \[m\]; the smallest is four fifths of it.
const RADIUS: f64 = 2e-3;
/// Gap between neighbours at the start, as a share of the diameter.
const GAP: f64 = 0.05;
/// Particle-steps of one measurement, about.
const PARTICLE_STEPS: usize = 100_000;

/// A bed that has settled.
pub struct SettledBed {
    bed: Bed,
    simulation: Simulation,
}

/// What a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineRun {
    /// Name.
    pub name: &'static str,
    /// Spheres.
    pub particles: usize,
    /// Mean number of contacts of a sphere.
    pub coordination: f64,
}

impl Bed {
    /// Spheres under the default integrator.
    pub fn new(name: &'static str, particles: usize, settling: usize) -> Self {
        Self { name, particles, settling, scheme: Scheme::new(INTEGRATORS[0].key, BTreeMap::new()) }
    }

    /// Lays the spheres on a lattice and lets them settle.
    ///
    /// # Errors
    /// A scene that cannot be built, a step that fails.
    pub fn settle(&self) -> Result<SettledBed, WorkloadError> {
        let loaded = builder::parse_scene("packing", &self.scene(), &[])?;
        let mut simulation = builder::build(&loaded)?;
        simulation.initialise()?;
        for _ in 0..self.settling {
            simulation.advance()?;
        }
        Ok(SettledBed { bed: self.clone(), simulation })
    }

    fn scene(&self) -> String {
        let spacing = 2.0 * RADIUS * (1.0 + GAP);
        // at least four columns: a sphere must not meet two images of another one
        let columns = (self.particles as f64 / LAYERS as f64).sqrt().ceil().max(4.0);
        let side = columns * spacing;
        let height = 2.0 * LAYERS as f64 * spacing;
        let count = self.particles;
        format!(
            r#"
seed = 1
[time]
integrator = {integrator}
[domain]
min = [0, 0, {below}]
max = [{side}, {side}, {height}]
x = "periodic"
y = "periodic"
z = "error"
[fields]
gravity = [0, 0, -9.81]
[materials.grain]
density = 2500
young_modulus = 5e6
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[walls]]
name = "floor"
material = "grain"
shape = {{ type = "plane", normal = [0, 0, 1] }}
[[particles]]
name = "bed"
material = "grain"
sizes = {{ type = "uniform", min = {smallest}, max = {RADIUS} }}
region = {{ type = "box", min = [0, 0, 0], max = [{side}, {side}, {height}] }}
fill = {{ type = "lattice", lattice = "hcp", gap = {GAP}, jitter = 0.5, count = {count} }}
[[stages]]
name = "run"
until = {{ steps = 1000000000 }}
"#,
            integrator = self.scheme.toml(),
            below = -0.5 * RADIUS,
            smallest = 0.8 * RADIUS,
        )
    }
}

impl SettledBed {
    /// What the run is.
    pub fn describe(&self) -> EngineRun {
        let world = &self.simulation.world;
        let (contacts, particles) = (world.contact_count(), world.particles.len());
        let coordination = (2 * contacts.pairs + contacts.walls) as f64 / particles.max(1) as f64;
        EngineRun { name: self.bed.name, particles, coordination }
    }

    /// What an iterating integrator has done so far.
    pub fn iterations(&self) -> Option<Iterations> {
        self.simulation.pipeline.integrator.iterations()
    }

    /// Nanoseconds per particle-step of the next steps.
    ///
    /// # Errors
    /// A step that fails.
    pub fn measure(&mut self) -> Result<f64, WorkloadError> {
        let particles = self.simulation.world.particles.len().max(1);
        let steps = (PARTICLE_STEPS / particles).max(1);
        let start = Instant::now();
        for _ in 0..steps {
            self.simulation.advance()?;
        }
        Ok(start.elapsed().as_secs_f64() * 1e9 / (steps * particles) as f64)
    }
}
