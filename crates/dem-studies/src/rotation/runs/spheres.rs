//! Spinning spheres: the bits of their motion under every choice, and the turns that literal increments lose.

use std::f64::consts::TAU;

use dem_core::rotation::IncrementMap;
use dem_core::rotation::carried::{COLUMN, Carried, RotationScheme};
use dem_core::{DQuat, DVec3};
use dem_sim::simulation::Simulation;
use rayon::prelude::*;

use super::super::motions::{directions, turn};
use super::engine::{apart, build, orientations, set_spins, take_steps};
use super::scenes::{carrying, spheres};
use crate::error::StudyError;

/// Speed of the spheres that meet \[m/s\].
const SPEED: f64 = 1.0;
/// Angle of a step of the spheres that meet \[rad\].
const ANGLE: f64 = 0.02;
/// Angles of a step of those that do not \[rad\].
pub const LITERAL_ANGLES: [f64; 3] = [0.2, 0.1, 0.05];
/// Revolutions of these, about.
const REVOLUTIONS: f64 = 10.0;
/// Their time step \[s\].
const TIME_STEP: f64 = 1e-5;

/// Spheres that fly and meet, beside the run with quaternions.
#[derive(Clone, Copy, Debug)]
pub struct SphereRun {
    /// What is carried.
    pub carried: Carried,
    /// Steps.
    pub steps: u64,
    /// Steps of contacts: the sum of contacts over all steps.
    pub contact_steps: u64,
    /// Spheres whose place, velocity and spin have the same bits.
    pub equal: usize,
    /// Spheres.
    pub count: usize,
    /// Largest angle between orientations \[rad\].
    pub from_quaternion: f64,
}

/// Spheres that spin freely, at an angle per step.
#[derive(Clone, Copy, Debug)]
pub struct LiteralTurn {
    /// What is carried.
    pub carried: Carried,
    /// Increments.
    pub increment: IncrementMap,
    /// Angle of a step \[rad\].
    pub angle: f64,
    /// Largest error of the orientation per revolution \[rad\].
    pub error_per_turn: f64,
}

impl LiteralTurn {
    /// What the increments lose in a revolution \[rad\].
    pub fn expected(&self) -> f64 {
        match self.increment {
            IncrementMap::Exact => 0.0,
            IncrementMap::Literal => TAU / self.angle * (self.angle - 2.0 * libm::atan(0.5 * self.angle)),
        }
    }
}

/// Spheres with orientations and spins in all directions; `speed` moves them. The step of the scene is kept unless another one is given.
pub fn start(
    count: usize,
    scheme: RotationScheme,
    speed: f64,
    angle: f64,
    step: Option<f64>,
) -> Result<Simulation, StudyError> {
    let mut simulation = build(&spheres(count, scheme))?;
    let axes = directions(count);
    let Simulation { world, pipeline, .. } = &mut simulation;
    if let Some(step) = step {
        world.time_step = step;
    }
    let spin = angle / world.time_step;
    set_spins(world, |k| axes[k % count] * spin);
    for (k, axis) in axes.iter().enumerate() {
        // another direction than that of the spin, and different ones for neighbours
        world.particles.velocity[k] = axes[(7 * k + 3) % count] * speed;
        world.particles.orientation[k] = turn(*axis * (k % 7) as f64 * 0.45);
    }
    // noted from the orientations of the scene
    world.particles.user.retain(|column| column.name != COLUMN);
    pipeline.initialise(world)?;
    Ok(simulation)
}

/// Places, velocities and spins, by ids.
fn motion(simulation: &Simulation) -> Vec<[DVec3; 3]> {
    let p = &simulation.world.particles;
    let slots = p.slots_by_id();
    slots.iter().map(|&s| s as usize).map(|s| [p.position[s], p.velocity[s], p.angular_velocity[s]]).collect()
}

/// Lets spheres fly and meet with every choice.
pub fn compare(count: usize, steps: u64) -> Result<Vec<SphereRun>, StudyError> {
    let follow = |&carried: &Carried| {
        let mut simulation = start(count, carrying(carried), SPEED, ANGLE, None)?;
        simulation.pipeline.limits.overlap_ratio = 1.0;
        let mut contact_steps = 0;
        for _ in 0..steps {
            take_steps(&mut simulation, 1)?;
            contact_steps += simulation.world.contact_count().pairs as u64;
        }
        Ok((carried, contact_steps, motion(&simulation), orientations(&simulation.world)))
    };
    let all: Vec<_> = Carried::ALL.par_iter().map(follow).collect::<Result<_, StudyError>>()?;
    let bits = |motion: &[DVec3; 3]| motion.map(|v| v.to_array().map(f64::to_bits));
    let beside = |(carried, contact_steps, found, turned): &(Carried, u64, Vec<[DVec3; 3]>, Vec<DQuat>)| SphereRun {
        carried: *carried,
        steps,
        contact_steps: *contact_steps,
        equal: found.iter().zip(&all[0].2).filter(|(a, b)| bits(a) == bits(b)).count(),
        count: found.len(),
        from_quaternion: apart(turned, &all[0].3)[0],
    };
    Ok(all.iter().map(beside).collect())
}

/// Lets spheres spin freely with every choice and both increments.
pub fn literal_turns(count: usize) -> Result<Vec<LiteralTurn>, StudyError> {
    let maps = || IncrementMap::ALL.into_iter().flat_map(|map| LITERAL_ANGLES.map(|angle| (map, angle)));
    let cases: Vec<_> =
        Carried::ALL.into_iter().flat_map(|c| maps().map(move |(map, angle)| (c, map, angle))).collect();
    let follow = |(carried, increment, angle): (Carried, IncrementMap, f64)| {
        let scheme = RotationScheme { increment, ..carrying(carried) };
        let mut simulation = start(count, scheme, 0.0, angle, Some(TIME_STEP))?;
        let before = orientations(&simulation.world);
        let steps = (REVOLUTIONS * TAU / angle).round();
        take_steps(&mut simulation, steps as u64)?;
        let axes = directions(count);
        let exact: Vec<DQuat> = axes.iter().zip(&before).map(|(&axis, &q)| turn(axis * (steps * angle)) * q).collect();
        let [largest, _] = apart(&orientations(&simulation.world), &exact);
        Ok(LiteralTurn { carried, increment, angle, error_per_turn: largest / (steps * angle / TAU) })
    };
    cases.into_par_iter().map(follow).collect()
}
