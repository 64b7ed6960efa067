//! A packing of dimers: how far the orientations of two runs come apart where contacts hand rounding on.

use dem_core::DQuat;
use dem_core::rotation::carried::{Carried, fit_column};
use dem_sim::simulation::Simulation;
use rayon::prelude::*;

use super::engine::{apart, build, orientations, take_steps};
use super::extent::Runs;
use super::scenes::{carrying, dimers};
use crate::error::StudyError;

/// Instants at which runs are compared.
const INSTANTS: u64 = 5;

/// A run beside the one with quaternions.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Whether the runs have a settled packing in common or only their start, dimers that fall.
    pub is_settled: bool,
    /// What is carried.
    pub carried: Carried,
    /// Steps from what they have in common.
    pub steps: u64,
    /// Contacts per dimer.
    pub contacts: f64,
    /// Largest and root mean square angle between orientations \[rad\].
    pub from_quaternion: [f64; 2],
}

/// A packing that settled with quaternions and goes on with a choice: the same to the bit for every choice.
pub fn settled(runs: &Runs, carried: Carried) -> Result<Simulation, StudyError> {
    let mut simulation = build(&dimers(runs.dimers, carrying(Carried::Quaternion)))?;
    start(&mut simulation)?;
    take_steps(&mut simulation, runs.settling)?;
    let world = &mut simulation.world;
    world.rotation.carried = carried;
    fit_column(&mut world.particles, carried);
    Ok(simulation)
}

/// With the step that the scene has at the start: runs that shorten it at their own instants could not be compared step by step.
fn start(simulation: &mut Simulation) -> Result<(), StudyError> {
    let Simulation { world, pipeline, .. } = simulation;
    Ok(pipeline.initialise(world)?)
}

/// Runs the packing from the start and from a settled state with every choice.
pub fn departures(runs: &Runs) -> Result<Vec<Departure>, StudyError> {
    let cases: Vec<_> = [false, true].iter().flat_map(|&is_settled| Carried::ALL.map(|c| (is_settled, c))).collect();
    let follow = |(is_settled, carried): (bool, Carried)| {
        let (mut simulation, steps) = if is_settled {
            (settled(runs, carried)?, runs.settling.div_ceil(10))
        } else {
            let mut simulation = build(&dimers(runs.dimers, carrying(carried)))?;
            start(&mut simulation)?;
            (simulation, runs.settling)
        };
        let mut samples = Vec::new();
        let mut taken = 0;
        for part in 1..=INSTANTS {
            let until = steps * part / INSTANTS;
            take_steps(&mut simulation, until - taken)?;
            taken = until;
            samples.push((taken, contacts(&simulation), orientations(&simulation.world)));
        }
        Ok((is_settled, carried, samples))
    };
    type Samples = Vec<(u64, f64, Vec<DQuat>)>;
    let all: Vec<(bool, Carried, Samples)> = cases.into_par_iter().map(follow).collect::<Result<_, StudyError>>()?;
    let mut departures = Vec::new();
    for of_start in all.chunks(Carried::ALL.len()) {
        for (is_settled, carried, samples) in of_start {
            for ((steps, contacts, found), (_, _, quaternions)) in samples.iter().zip(&of_start[0].2) {
                departures.push(Departure {
                    is_settled: *is_settled,
                    carried: *carried,
                    steps: *steps,
                    contacts: *contacts,
                    from_quaternion: apart(found, quaternions),
                });
            }
        }
    }
    Ok(departures)
}

fn contacts(simulation: &Simulation) -> f64 {
    let (count, bodies) = (simulation.world.contact_count(), simulation.world.particles.bodies.len());
    (2 * count.pairs + count.walls) as f64 / bodies.max(1) as f64
}
