//! Phases of a preparation: simulations that run to their end. A phase that was interrupted goes on where it was, and one that is over is
//! not done again.

use std::time::Instant;

use dem_io::checkpoint::CheckpointReader;
use dem_report::progress::Teller;
use dem_report::unfinished::Part;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::{self, scene_fingerprint};
use dem_sim::measure::{self, StressMeasure};
use dem_sim::simulation::Simulation;
use serde::{Deserialize, Serialize};

use super::effort::{Effort, no_end};
use super::extent::Extent;
use super::preparation::Preparation;
use super::spheres::Spheres;
use crate::error::WorkloadError;

/// What a phase came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Its spheres, in their cell or container.
    pub spheres: Spheres,
    /// Packing fraction \[-\].
    pub fraction: f64,
    /// Pressure, none of spheres that do not touch \[Pa\].
    pub pressure: Option<f64>,
    /// Contacts between spheres that carry a force.
    pub contacts: u64,
    /// Their mean normal stiffness \[N/m\].
    pub stiffness: f64,
    /// How much the radii have grown in it \[-\].
    pub growth: f64,
    steps: u64,
}

/// How far a phase is.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    /// Growth of the radii so far \[-\].
    growth: f64,
    /// Wall time so far \[s\].
    seconds: f64,
    /// Once it is over.
    outcome: Option<Outcome>,
}

/// A simulation that is to run.
pub struct Phase<'a> {
    /// The packing it is a part of.
    pub preparation: &'a Preparation<'a>,
    /// Its name, for messages and files.
    pub name: &'a str,
    /// Its scene.
    pub loaded: &'a LoadedScene,
    /// What its course depends on besides.
    pub settings: &'a str,
    /// The container of its spheres.
    pub container: Extent,
}

/// A phase that runs.
pub struct Running<'a, 'b> {
    /// The simulation.
    pub simulation: Simulation,
    /// How much the radii have grown \[-\].
    pub growth: f64,
    phase: &'a Phase<'a>,
    effort: &'a mut Effort<'b>,
    part: Part,
    began: Instant,
    /// Wall time of earlier calls \[s\].
    earlier: f64,
}

impl Phase<'_> {
    /// Carries it out, or what is left of it.
    ///
    /// # Errors
    /// What `run` does; files of an interrupted phase that cannot be used or written.
    pub fn carry_out(
        &self,
        effort: &mut Effort,
        run: impl FnOnce(&mut Running) -> Result<(), WorkloadError>,
    ) -> Result<Outcome, WorkloadError> {
        let part = effort.unfinished.part(self.name, &self.loaded.resolved(), self.settings);
        let (simulation, growth, earlier) = match part.read::<Progress>()? {
            Some((Progress { outcome: Some(outcome), seconds, .. }, _)) => {
                effort.steps += outcome.steps;
                effort.seconds += seconds;
                effort.earlier_seconds += seconds;
                return Ok(outcome);
            }
            Some((progress, state)) => (self.restored(state)?, progress.growth, progress.seconds),
            None => {
                let mut simulation = builder::build(self.loaded)?;
                simulation.initialise()?;
                (simulation, 1.0, 0.0)
            }
        };
        let began = Instant::now();
        let mut running = Running { simulation, growth, phase: self, effort, part, began, earlier };
        run(&mut running)?;
        running.outcome()
    }

    fn restored(&self, state: Vec<u8>) -> Result<Simulation, WorkloadError> {
        let mut simulation = builder::build_empty(self.loaded)?;
        checkpoint::restore(&mut simulation, &CheckpointReader::from_bytes(state)?, &self.fingerprint())?;
        Ok(simulation)
    }

    fn fingerprint(&self) -> String {
        scene_fingerprint(&self.loaded.resolved())
    }
}

/// Runs until the scene ends.
///
/// # Errors
/// As [`Running::pause`] and [`Running::advance`].
pub fn to_its_end(running: &mut Running) -> Result<(), WorkloadError> {
    let teller = Teller::begin();
    while running.simulation.state.stopped.is_none() {
        running.pause()?;
        running.advance()?;
        teller.tell(|| {
            let (stage, step) = (running.simulation.stage_name(), running.simulation.world.step);
            let unbalanced = measure::unbalanced_force(&running.simulation.world);
            format!("stage {stage}: step {step}, unbalanced force {unbalanced:.1e}")
        });
    }
    Ok(())
}

impl Running<'_, '_> {
    /// A moment at which the phase can be interrupted: from a state that is kept now it goes on with the same bits.
    ///
    /// # Errors
    /// An interruption, a state that cannot be kept.
    pub fn pause(&mut self) -> Result<(), WorkloadError> {
        let progress = Progress { growth: self.growth, seconds: self.seconds(), outcome: None };
        let save = || Ok(checkpoint::save(&self.simulation, &self.phase.fingerprint())?);
        if self.effort.is_interrupted() {
            self.part.write(&progress, &save()?)?;
            return Err(WorkloadError::Interrupted);
        }
        self.part.keep(&progress, save)
    }

    /// A step.
    ///
    /// # Errors
    /// One step too many, a step that fails.
    pub fn advance(&mut self) -> Result<(), WorkloadError> {
        if self.simulation.world.step >= self.effort.max_steps {
            return Err(no_end(&self.simulation));
        }
        self.simulation.advance()?;
        Ok(())
    }

    /// Pressure of its spheres now; none of spheres that do not touch \[Pa\].
    pub fn pressure(&self) -> Option<f64> {
        self.phase.preparation.pressure(&self.simulation.world, self.phase.container)
    }

    fn seconds(&self) -> f64 {
        self.earlier + self.began.elapsed().as_secs_f64()
    }

    /// What it came to, which is kept.
    fn outcome(self) -> Result<Outcome, WorkloadError> {
        let preparation = self.phase.preparation;
        let world = &self.simulation.world;
        let spheres = preparation.spheres(world, self.phase.container);
        let measured = StressMeasure::of(world);
        let outcome = Outcome {
            fraction: preparation.fraction(world, spheres.extent)?,
            pressure: self.pressure(),
            contacts: measured.pairs_with_force as u64,
            stiffness: measured.stiffness,
            growth: self.growth,
            steps: world.step,
            spheres,
        };
        let seconds = self.seconds();
        self.part.write(&Progress { growth: self.growth, seconds, outcome: Some(outcome.clone()) }, &[])?;
        self.effort.steps += outcome.steps;
        self.effort.seconds += seconds;
        self.effort.earlier_seconds += self.earlier;
        Ok(outcome)
    }
}
