//! Run times of the choices, in turns, so that the load of the machine weighs on all of them.

use std::time::Instant;

use dem_core::rotation::carried::Carried;
use dem_report::ReportError;
use dem_sim::simulation::Simulation;

use super::engine::take_steps;
use super::extent::Runs;
use super::scenes::carrying;
use super::{free_bodies, packing, spheres};
use crate::error::StudyError;

/// Particle-steps of one measurement, about.
const PARTICLE_STEPS: usize = 50_000;
/// Angle of a step of spheres that spin freely \[rad\].
const ANGLE: f64 = 0.1;
/// Their time step \[s\].
const TIME_STEP: f64 = 1e-5;

/// Cost of one choice in one system.
#[derive(Clone, Debug)]
pub struct RunCost {
    /// The system.
    pub system: &'static str,
    /// What is carried.
    pub carried: Carried,
    /// Bodies, or spheres.
    pub count: usize,
    /// Nanoseconds per step and body, round by round.
    pub rounds: Vec<f64>,
}

/// Times every system with every choice on one thread.
pub fn measure(runs: &Runs, rounds: usize) -> Result<Vec<RunCost>, StudyError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(ReportError::from)?;
    let free = |carried| free_bodies::start(runs.bodies, carrying(carried), "random", free_bodies::LONG);
    let still = |carried| spheres::start(runs.bodies, carrying(carried), 0.0, ANGLE, Some(TIME_STEP));
    pool.install(|| {
        let mut costs = time("free bodies", rounds, free)?;
        costs.extend(time("settled packing", rounds, |carried| packing::settled(runs, carried))?);
        costs.extend(time("spinning spheres", rounds, still)?);
        Ok(costs)
    })
}

fn time(
    system: &'static str,
    rounds: usize,
    start: impl Fn(Carried) -> Result<Simulation, StudyError>,
) -> Result<Vec<RunCost>, StudyError> {
    let mut simulations = Carried::ALL.iter().map(|&carried| start(carried)).collect::<Result<Vec<_>, _>>()?;
    let particles = &simulations[0].world.particles;
    let count = if particles.bodies.is_empty() { particles.len() } else { particles.bodies.len() };
    let mut costs = Carried::ALL.map(|carried| RunCost { system, carried, count, rounds: Vec::new() });
    let steps = (PARTICLE_STEPS / count.max(1)).max(1);
    for round in 0..=rounds {
        let mut order: Vec<usize> = (0..costs.len()).collect();
        // whoever comes first meets other caches and another load
        if round % 2 == 1 {
            order.reverse();
        }
        for k in order {
            let begun = Instant::now();
            take_steps(&mut simulations[k], steps as u64)?;
            let elapsed = begun.elapsed().as_secs_f64();
            // the first round warms up
            if round > 0 {
                costs[k].rounds.push(elapsed * 1e9 / (steps * count) as f64);
            }
        }
    }
    Ok(costs.to_vec())
}

/// Quartiles of the ratios of the rounds of two choices: the lower one, the median, the upper one.
pub fn quartiles_of_ratio(own: &RunCost, reference: &RunCost) -> [f64; 3] {
    let mut ratios: Vec<f64> = own.rounds.iter().zip(&reference.rounds).map(|(a, b)| a / b).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    // between the two nearest
    let at = |share: f64| {
        let place = share * ratios.len().saturating_sub(1) as f64;
        let (below, above) = (place.floor() as usize, place.ceil() as usize);
        let number = |k: usize| ratios.get(k).copied().unwrap_or(f64::NAN);
        number(below) + (place - place.floor()) * (number(above) - number(below))
    };
    [at(0.25), at(0.5), at(0.75)]
}
