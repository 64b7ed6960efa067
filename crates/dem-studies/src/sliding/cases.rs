//! What is computed more than once: the paths with their references, and the passages by the engine.

use dem_reference::finite_sliding::{FiniteSliding, Path};
use dem_reference::hysteretic_sliding::{Form, Hysteresis, HystereticSliding, Reading};
use dem_reference::sliding_under_force::{Centrifugal, SlidingUnderForce, limiting_drive};

use super::engine::{DrivenRing, Motion, RingMotion, Until};
use super::options::Options;
use super::setup::Setup;
use crate::error::StudyError;

/// Paths of the source.
pub const PATHS: [(&str, Path); 3] =
    [("line", Path::Line), ("circle k = 0.8", Path::Circle(0.8)), ("circle k = 0.3", Path::Circle(0.3))];
/// Initial velocities over the critical one.
pub const FACTORS: [f64; 7] = [1.02, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0];
/// Drives over that which friction holds.
pub const DRIVES: [f64; 6] = [1.01, 1.05, 1.1, 1.2, 1.5, 2.0];

/// A path, its references and what the engine made of it.
pub struct PathCase {
    /// Name of the path.
    pub name: &'static str,
    /// Exact values.
    pub exact: FiniteSliding,
    /// For the engine.
    pub setup: Setup,
    /// Passages by the engine at [`FACTORS`].
    pub passages: Vec<Passage>,
}

/// A passage by the engine.
pub struct Passage {
    /// Initial velocity \[m/s\].
    pub velocity: f64,
    /// The motion.
    pub motion: Motion,
}

/// A drive, its references and what the engine made of it.
pub struct DriveCase {
    /// Drive over that which friction holds.
    pub over_limit: f64,
    /// Drive \[N\].
    pub drive: f64,
    /// Exact values.
    pub exact: SlidingUnderForce,
    /// The motion by the engine.
    pub motion: RingMotion,
}

/// Everything.
pub struct Cases {
    /// What was asked for.
    pub options: Options,
    /// Paths.
    pub paths: Vec<PathCase>,
    /// Drives.
    pub drives: Vec<DriveCase>,
}

impl PathCase {
    /// A path before anything has passed.
    pub fn without_passages(options: &Options, name: &'static str, path: Path) -> Result<Self, StudyError> {
        let exact = FiniteSliding::new(1.0, 1.0, options.friction, 1.0, options.overlap, path)?;
        let setup = Setup {
            overlap: options.overlap,
            friction: options.friction,
            poisson_ratio: options.poisson_ratio,
            power: options.power,
            form: Form::Incremental,
            reading: options.reading,
            path,
            end: exact.end(),
            integrator: options.integrator.clone(),
        };
        Ok(Self { name, exact, setup, passages: Vec::new() })
    }

    /// Passes, or tries to, with a velocity \[m/s\].
    pub fn slide(&self, velocity: f64, steps: u32, until: Until) -> Result<Motion, StudyError> {
        self.setup.slide(velocity, 2.0 * self.exact.end() / (velocity * f64::from(steps)), until, &[])
    }

    /// The hysteresis of this path.
    pub fn hysteretic(&self, form: Form, power: f64, reading: Reading) -> Result<HystereticSliding, StudyError> {
        let poisson_ratio = self.setup.poisson_ratio;
        Ok(HystereticSliding::new(self.exact, Hysteresis { form, power, poisson_ratio, length_factor: 1.0, reading })?)
    }
}

impl Cases {
    /// Computes them.
    pub fn new(options: &Options) -> Result<Self, StudyError> {
        let paths = PATHS.map(|(name, path)| path_case(options, name, path)).into_iter().collect::<Result<_, _>>()?;
        let drives = DRIVES.map(|over| drive_case(options, over)).into_iter().collect::<Result<_, _>>()?;
        Ok(Self { options: options.clone(), paths, drives })
    }

    /// The straight path.
    pub fn line(&self) -> &PathCase {
        &self.paths[0]
    }
}

fn path_case(options: &Options, name: &'static str, path: Path) -> Result<PathCase, StudyError> {
    let mut case = PathCase::without_passages(options, name, path)?;
    for factor in FACTORS {
        let velocity = factor * case.exact.critical_velocity();
        let time = 1.5 * case.exact.contact_time(velocity)?;
        let motion = case.slide(velocity, options.steps, Until { time, turns: true })?;
        case.passages.push(Passage { velocity, motion });
    }
    Ok(case)
}

fn drive_case(options: &Options, over_limit: f64) -> Result<DriveCase, StudyError> {
    let (load, height) = (1.0, 1.0 - 0.5 * options.overlap);
    let drive = over_limit * limiting_drive(options.friction, load, height);
    let exact = SlidingUnderForce::new(1.0, 1.0, options.friction, load, drive, height)?;
    let (friction, integrator) = (options.friction, options.integrator.clone());
    let ring = DrivenRing { friction, load, drive, start: exact.start(), integrator };
    let time = exact.contact_time(Centrifugal::Included)?;
    let motion = ring.slide(time / f64::from(options.steps), 1.5 * time)?;
    Ok(DriveCase { over_limit, drive, exact, motion })
}
