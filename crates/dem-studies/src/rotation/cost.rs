//! Cost of a turn, alone and as a share of a step of the engine.
//!
//! Everything runs on one thread, in one process, in turns: each round measures every contestant once, so that the load of the machine
//! weighs on all of them. Figures are medians over the rounds, ratios medians of the ratios within a round.

use std::hint::black_box;
use std::time::Instant;

use dem_core::DQuat;
use dem_core::lanes::Width;
use dem_core::rotation::{IncrementMap, Parameterization, UnitQuaternion};
use dem_report::ReportError;
use dem_report::statistics::{median, median_ratio};
use dem_workloads::bed::{Bed, EngineRun};

use super::contestants::Contestant;
use super::motions::{directions, turn};
use super::stepping::{Spinning, States};
use crate::error::StudyError;

/// Particles in a column, ascending: from a handful to more than the caches hold.
pub const COLUMNS: [usize; 5] = [3, 64, 1024, 16_384, 262_144];
/// The column that stands for the blocks in which the engine moves its particles.
pub const BLOCK_COLUMN: usize = 1024;
/// Particle-steps of one measurement.
const PARTICLE_STEPS: usize = 1 << 16;
/// Angle per step \[rad\]: far above that of a dense run, and on the series of the exact map as there.
const ANGLE: f64 = 0.01;

/// Cost of one contestant.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Name of the parameterization; "increment only" for the increments without a state.
    pub key: &'static str,
    /// Map of the increment.
    pub map: IncrementMap,
    /// Instructions.
    pub width: Width,
    /// Particles in the column.
    pub particles: usize,
    /// Nanoseconds per particle-step, round by round.
    pub rounds: Vec<f64>,
}

/// Cost of a step of the engine.
#[derive(Clone, Debug)]
pub struct EngineCost {
    /// What was run.
    pub run: EngineRun,
    /// Nanoseconds per particle-step, round by round.
    pub rounds: Vec<f64>,
}

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Turns.
    pub turns: Vec<Cost>,
    /// Runs of the engine.
    pub engine: Vec<EngineCost>,
}

/// Name of the increments without a state.
pub const INCREMENT_ONLY: &str = "increment only";

impl Measurement {
    /// The measurement of a parameterization with the fastest instructions.
    pub fn of(&self, key: &str, map: IncrementMap, particles: usize) -> Option<&Cost> {
        let fastest = Width::fastest();
        self.turns.iter().find(|c| c.key == key && c.map == map && c.particles == particles && c.width == fastest)
    }
}

struct Lane {
    cost: Cost,
    states: Option<Box<dyn States>>,
}

/// Measures all contestants and runs of the engine, round by round.
///
/// # Errors
/// A packing that cannot be built or run.
pub fn measure(contestants: &[Contestant], beds: &[Bed], rounds: usize) -> Result<Measurement, StudyError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(ReportError::from)?;
    pool.install(|| {
        let mut runs = beds.iter().map(Bed::settle).collect::<Result<Vec<_>, _>>()?;
        let mut engine: Vec<EngineCost> =
            runs.iter().map(|run| EngineCost { run: run.describe(), rounds: Vec::new() }).collect();
        let mut lanes = lanes(contestants);
        for round in 0..=rounds {
            // the first round warms up
            let counts = round > 0;
            for (run, cost) in runs.iter_mut().zip(&mut engine) {
                let nanoseconds = run.measure()?;
                if counts {
                    cost.rounds.push(nanoseconds);
                }
            }
            for lane in &mut lanes {
                let nanoseconds = lane.measure();
                if counts {
                    lane.cost.rounds.push(nanoseconds);
                }
            }
        }
        Ok(Measurement { turns: lanes.into_iter().map(|lane| lane.cost).collect(), engine })
    })
}

/// Everything to be measured: all columns with the fastest instructions, and one with the others.
fn lanes(contestants: &[Contestant]) -> Vec<Lane> {
    let fastest = Width::fastest();
    let mut columns: Vec<(usize, Width)> = COLUMNS.map(|particles| (particles, fastest)).to_vec();
    columns.extend(Width::available().into_iter().filter(|&w| w != fastest).map(|width| (BLOCK_COLUMN, width)));
    let mut lanes = Vec::new();
    for (particles, width) in columns {
        // scattered orientations: the cost of a sine depends on its angle
        let orientations: Vec<DQuat> =
            directions(particles).into_iter().enumerate().map(|(k, axis)| turn(axis * (k % 7) as f64 * 0.45)).collect();
        for map in IncrementMap::ALL {
            let cost = |key| Cost { key, map, width, particles, rounds: Vec::new() };
            lanes.push(Lane { cost: cost(INCREMENT_ONLY), states: None });
            for contestant in contestants {
                lanes.push(Lane { cost: cost(contestant.key), states: Some((contestant.states)(&orientations)) });
            }
        }
    }
    lanes
}

impl Lane {
    /// Nanoseconds per particle-step.
    fn measure(&mut self) -> f64 {
        let Cost { map, width, particles, .. } = self.cost;
        let spins = directions(particles).into_iter().map(|direction| direction * ANGLE).collect();
        let mut spinning = Spinning::new(spins, map, 1.0);
        let steps = (PARTICLE_STEPS / particles).max(1);
        let mut step = || match &mut self.states {
            Some(states) => states.turn(&mut spinning, width),
            None => spinning.increment(width),
        };
        // brings the columns into the cache, as far as they fit
        step();
        let start = Instant::now();
        for _ in 0..steps {
            step();
        }
        let elapsed = start.elapsed();
        black_box(&spinning.increments);
        elapsed.as_secs_f64() * 1e9 / (steps * particles) as f64
    }
}

/// What another state would do to a step of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepChange {
    /// Cost of the turn per particle-step \[ns\].
    pub turn: f64,
    /// The turn as a share of the step with quaternions \[-\].
    pub share: f64,
    /// Change of the cost of the step if it replaced the quaternion, as a share of the step \[-\].
    pub relative: f64,
}

impl Measurement {
    /// What a parameterization as the state would do to a run, from columns of a block of particles, or of the few that there are.
    pub fn step_change(&self, run: &EngineCost, key: &str) -> Option<StepChange> {
        let block = run.run.particles.min(BLOCK_COLUMN);
        let particles = COLUMNS.into_iter().rev().find(|&column| column <= block)?;
        let own = self.of(key, IncrementMap::Exact, particles)?;
        let reference = self.of(UnitQuaternion::KEY, IncrementMap::Exact, particles)?;
        let differences: Vec<f64> = own.rounds.iter().zip(&reference.rounds).map(|(a, b)| a - b).collect();
        Some(StepChange {
            turn: median(&own.rounds),
            share: median_ratio(&own.rounds, &run.rounds),
            relative: median_ratio(&differences, &run.rounds),
        })
    }
}
