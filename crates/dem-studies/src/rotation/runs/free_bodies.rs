//! Free asymmetric bodies, whose orientations are known from Jacobi's elliptic functions.

use dem_core::DQuat;
use dem_core::rotation::carried::{Carried, HalfTurn, RotationScheme};
use dem_reference::free_top::FreeTop;
use dem_sim::error::StepError;
use dem_sim::simulation::Simulation;
use rayon::prelude::*;

use super::super::motions::directions;
use super::engine::{apart, build, defect_and_size, orientations, set_spins, share_below, take_steps};
use super::scenes::{carrying, free_bodies};
use crate::error::StudyError;

/// Spin of every body at the start \[rad/s\], in directions spread evenly.
const SPIN: f64 = 1000.0;
/// Angle by which bodies would turn at their first spin until they are compared with the exact solution \[rad\].
pub const FOLLOWED: f64 = 19.2;
/// Angles of a step at the first spin \[rad\], each half of the one before.
pub const ANGLES: [f64; 7] = [1.6, 0.8, 0.4, 0.2, 0.1, 0.05, 0.025];
/// Of these the two that the order is taken from.
pub const ORDER: [f64; 2] = [0.1, 0.05];
/// Of these the one with which long runs are made.
pub const LONG: f64 = 0.1;
/// Angle below which orientations of long runs count as close \[rad\].
pub const CLOSE: f64 = 1e-9;

/// Bodies at one step, carried in one way.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy {
    /// What is carried.
    pub carried: Carried,
    /// Angle of a step \[rad\].
    pub angle: f64,
    /// Steps.
    pub steps: u64,
    /// Largest and root mean square angle from the exact orientations \[rad\].
    pub error: [f64; 2],
    /// Largest angle from the run with quaternions \[rad\].
    pub from_quaternion: f64,
}

/// Bodies after some steps of a long run, carried in one way.
#[derive(Clone, Copy, Debug)]
pub struct Drift {
    /// What is carried.
    pub carried: Carried,
    /// Whether the run starts from orientations that differ from those of the others by one rounding error.
    pub is_rounded: bool,
    /// Steps.
    pub steps: u64,
    /// Largest and root mean square angle from the run with quaternions \[rad\].
    pub from_quaternion: [f64; 2],
    /// Share of the bodies that are closer to it than [`CLOSE`].
    pub close: f64,
    /// Largest departure from the constraints of what is carried \[-\].
    pub defect: f64,
    /// Largest number that is carried.
    pub size: f64,
}

/// Where a run ended that must not pass half a turn.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Orientations at the start.
    pub start: &'static str,
    /// Step, and the particle that was named; nothing if it went on to the end.
    pub stopped: Option<(u64, u64)>,
    /// Steps asked for.
    pub asked: u64,
}

/// Bodies with an angle per step, with orientations as a source of particles has them.
pub fn start(count: usize, scheme: RotationScheme, orientation: &str, angle: f64) -> Result<Simulation, StudyError> {
    let mut simulation = build(&free_bodies(count, scheme, orientation))?;
    let axes = directions(count);
    let Simulation { world, pipeline, .. } = &mut simulation;
    set_spins(world, |k| axes[k % count] * SPIN);
    world.time_step = angle / SPIN;
    pipeline.initialise(world)?;
    Ok(simulation)
}

/// Follows bodies with every choice and steps that halve.
pub fn accuracy(count: usize) -> Result<Vec<Accuracy>, StudyError> {
    let exact = exact(count)?;
    let cases: Vec<_> = ANGLES.iter().flat_map(|&angle| Carried::ALL.map(|carried| (angle, carried))).collect();
    let ends = cases.into_par_iter().map(|(angle, carried)| {
        let steps = (FOLLOWED / angle).round() as u64;
        let mut simulation = start(count, carrying(carried), "random", angle)?;
        take_steps(&mut simulation, steps)?;
        Ok((carried, angle, steps, orientations(&simulation.world)))
    });
    let ends: Vec<_> = ends.collect::<Result<_, StudyError>>()?;
    let of_angle = |ends: &[(Carried, f64, u64, Vec<DQuat>)]| {
        let quaternions = ends[0].3.clone();
        let row = |(carried, angle, steps, found): &(Carried, f64, u64, Vec<DQuat>)| Accuracy {
            carried: *carried,
            angle: *angle,
            steps: *steps,
            error: apart(found, &exact),
            from_quaternion: apart(found, &quaternions)[0],
        };
        ends.iter().map(row).collect::<Vec<_>>()
    };
    Ok(ends.chunks(Carried::ALL.len()).flat_map(of_angle).collect())
}

/// The orientations that bodies come to.
fn exact(count: usize) -> Result<Vec<DQuat>, StudyError> {
    let simulation = start(count, RotationScheme::default(), "random", LONG)?;
    let world = &simulation.world;
    let mut bodies = world.particles.bodies.all.clone();
    bodies.sort_unstable_by_key(|body| body.id);
    let turned = bodies.par_iter().map(|body| {
        let spin = body.to_principal(body.angular_velocity());
        let attitude = FreeTop::new(body.moments.to_array(), spin.to_array())?.attitude(FOLLOWED / SPIN);
        Ok(body.orientation() * DQuat::from_array(attitude))
    });
    turned.collect()
}

/// Follows bodies over a long run with every choice, and with quaternions from orientations one rounding error off: no choice can be expected to
/// stay closer to the quaternion than that run does.
pub fn drift(count: usize, steps: u64) -> Result<Vec<Drift>, StudyError> {
    let instants: Vec<u64> =
        std::iter::successors(Some(1), |&n| Some(n * 10)).take_while(|&n| n < steps).chain([steps]).collect();
    let follow = |&(carried, is_rounded): &(Carried, bool)| {
        let mut simulation = start(count, carrying(carried), "random", LONG)?;
        if is_rounded {
            for body in &mut simulation.world.particles.bodies.all {
                body.orientation[body.id as usize % 4] *= 1.0 + f64::EPSILON;
            }
        }
        let mut samples = Vec::new();
        let mut taken = 0;
        for &instant in &instants {
            take_steps(&mut simulation, instant - taken)?;
            taken = instant;
            let world = &simulation.world;
            samples.push((orientations(world), defect_and_size(world, carried)));
        }
        Ok(samples)
    };
    let mut runs = Carried::ALL.map(|carried| (carried, false)).to_vec();
    runs.push((Carried::Quaternion, true));
    let all: Vec<Vec<_>> = runs.par_iter().map(follow).collect::<Result<_, StudyError>>()?;
    let mut drift = Vec::new();
    for ((carried, is_rounded), samples) in runs.into_iter().zip(&all) {
        for ((&steps, (found, [defect, size])), (quaternions, _)) in instants.iter().zip(samples).zip(&all[0]) {
            drift.push(Drift {
                carried,
                is_rounded,
                steps,
                from_quaternion: apart(found, quaternions),
                close: share_below(CLOSE, found, quaternions),
                defect: *defect,
                size: *size,
            });
        }
    }
    Ok(drift)
}

/// Runs with Rodrigues vectors that stop at half a turn, from orientations at random and from none.
pub fn stops(count: usize) -> Result<Vec<Stop>, StudyError> {
    let scheme = RotationScheme { half_turn: HalfTurn::Stop, ..carrying(Carried::Rodrigues) };
    let asked = (FOLLOWED / LONG).round() as u64;
    let run = |start_from: &'static str, orientation: &str| {
        let mut simulation = start(count, scheme, orientation, LONG)?;
        let stopped = match take_steps(&mut simulation, asked) {
            Ok(()) => None,
            Err(StudyError::Step(StepError::HalfTurn { step, particle })) => Some((step, particle)),
            Err(error) => return Err(error),
        };
        Ok(Stop { start: start_from, stopped, asked })
    };
    Ok(vec![run("random", "random")?, run("aligned", "fixed")?])
}
