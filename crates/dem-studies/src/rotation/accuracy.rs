//! Errors of the orientation against exact solutions.

use std::f64::consts::TAU;

use dem_core::lanes::Width;
use dem_core::rotation::{IncrementMap, quaternion_from_rodrigues, rodrigues_from_rotation_vector};
use dem_core::{DQuat, DVec3};
use dem_report::statistics::slope;
use rayon::prelude::*;

use super::contestants::Contestant;
use super::motions::{PrecessingSpin, angle_between, directions, turn};
use super::stepping::Spinning;

/// Angles per step of the constant spin \[rad\]: one that lands on every half turn, a coarse, a usual and a fine one.
pub const ANGLES: [f64; 4] = [TAU / 32.0, 0.1, 0.01, 0.001];
/// Of these the one that the growth of the error is shown for.
pub const SHOWN_ANGLE: f64 = ANGLES[1];
/// Axes of the constant spin, the first along z: a full set of lanes.
const AXES: usize = 8;

/// The state of affairs after some steps of constant spin.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Steps.
    pub steps: u64,
    /// Largest angle from the exact orientation over the axes \[rad\].
    pub error: f64,
    /// Largest departure from the constraints \[-\].
    pub defect: f64,
}

/// Constant spin by one contestant.
#[derive(Clone, Debug)]
pub struct ConstantSpin {
    /// Parameterization.
    pub contestant: Contestant,
    /// Map of the increment.
    pub map: IncrementMap,
    /// Angle per step \[rad\].
    pub angle: f64,
    /// After one turn; nothing if there are fewer steps.
    pub first_turn: Option<Sample>,
    /// At 1, 2, 5, 10, … steps and at the end.
    pub samples: Vec<Sample>,
}

impl ConstantSpin {
    /// The last sample.
    pub fn end(&self) -> Sample {
        self.samples.last().copied().unwrap_or(Sample { steps: 0, error: 0.0, defect: 0.0 })
    }

    /// Turns until the end \[-\].
    pub fn turns(&self) -> f64 {
        self.end().steps as f64 * self.angle / TAU
    }

    /// Error at the end in proportion to the turns; to the first turn if there are fewer \[rad\].
    pub fn error_per_turn(&self) -> f64 {
        self.end().error / self.turns().max(1.0)
    }
}

/// Lets every contestant turn about several axes for a number of steps, for all angles per step and both maps.
pub fn constant_spin(contestants: &[Contestant], steps: u64) -> Vec<ConstantSpin> {
    let cases: Vec<_> = contestants
        .iter()
        .flat_map(|c| IncrementMap::ALL.map(|map| (c, map)))
        .flat_map(|(c, map)| ANGLES.map(|angle| (c, map, angle)))
        .collect();
    cases.into_par_iter().map(|(contestant, map, angle)| constant_spin_of(contestant, map, angle, steps)).collect()
}

fn constant_spin_of(contestant: &Contestant, map: IncrementMap, angle: f64, steps: u64) -> ConstantSpin {
    let axes = directions(AXES);
    let width = Width::fastest();
    // steps of a second, so that the spin is the rotation vector to the bit
    let mut spinning = Spinning::new(axes.iter().map(|&axis| axis * angle).collect(), map, 1.0);
    let spins = spinning.spins.clone();
    let mut states = (contestant.states)(&[DQuat::IDENTITY; AXES]);
    let turn_steps = (TAU / angle).round() as u64;
    let (mut first_turn, mut samples) = (None, Vec::new());
    for step in 1..=steps {
        states.turn(&mut spinning, width);
        let is_first_turn = step == turn_steps;
        let is_sample = step == steps || is_round(step);
        if is_first_turn || is_sample {
            let error_of = |(k, &spin): (usize, &DVec3)| angle_between(states.orientation(k), turn(spin * step as f64));
            let error = spins.iter().enumerate().map(error_of).fold(0.0, f64::max);
            let sample = Sample { steps: step, error, defect: states.defect() };
            if is_first_turn {
                first_turn = Some(sample);
            }
            if is_sample {
                samples.push(sample);
            }
        }
    }
    ConstantSpin { contestant: *contestant, map, angle, first_turn, samples }
}

/// Whether a number is 1, 2 or 5 times a power of ten.
fn is_round(mut number: u64) -> bool {
    while number.is_multiple_of(10) {
        number /= 10;
    }
    matches!(number, 1 | 2 | 5)
}

/// Spin of the precessing bodies \[rad/s\] and rate of their precession about z \[rad/s\].
const SPIN: f64 = 1.0;
const PRECESSION: f64 = 0.3;
/// Time over which they are followed \[s\]: four turns of the spin.
const PRECESSION_TIME: f64 = 4.0 * TAU;
/// Angles between spin and axis of precession \[deg\].
const INCLINATIONS: [f64; 4] = [20.0, 50.0, 80.0, 110.0];

/// Precessing spin by one contestant.
#[derive(Clone, Debug)]
pub struct Precession {
    /// Parameterization.
    pub contestant: Contestant,
    /// Map of the increment.
    pub map: IncrementMap,
    /// Angle per step and largest error over time and bodies, both in rad.
    pub errors: Vec<[f64; 2]>,
}

impl Precession {
    /// Order of the error in the step, from the four finest.
    pub fn order(&self) -> f64 {
        slope(&self.errors[self.errors.len().saturating_sub(4)..])
    }
}

/// Lets every contestant follow precessing bodies, with the spin taken in the middle of each step, for steps that halve.
pub fn precession(contestants: &[Contestant]) -> Vec<Precession> {
    let cases: Vec<_> = contestants.iter().flat_map(|c| IncrementMap::ALL.map(|map| (c, map))).collect();
    let follow = |(contestant, map): (&Contestant, IncrementMap)| {
        let errors = (0..7).map(|k| precession_error(contestant, map, 64 << k)).collect();
        Precession { contestant: *contestant, map, errors }
    };
    cases.into_par_iter().map(follow).collect()
}

fn precession_error(contestant: &Contestant, map: IncrementMap, steps: u32) -> [f64; 2] {
    let bodies = INCLINATIONS.map(|inclination| {
        let (sine, cosine) = libm::sincos(inclination.to_radians());
        PrecessingSpin { spin: DVec3::new(sine, 0.0, cosine) * SPIN, precession: DVec3::Z * PRECESSION }
    });
    let time_step = PRECESSION_TIME / f64::from(steps);
    let mut spinning = Spinning::new(vec![DVec3::ZERO; bodies.len()], map, time_step);
    let mut states = (contestant.states)(&[DQuat::IDENTITY; INCLINATIONS.len()]);
    let mut worst = 0.0_f64;
    for step in 0..steps {
        let start = f64::from(step) * time_step;
        for (spin, body) in spinning.spins.iter_mut().zip(&bodies) {
            *spin = body.spin(start + 0.5 * time_step);
        }
        states.turn(&mut spinning, Width::fastest());
        for (k, body) in bodies.iter().enumerate() {
            let exact = body.orientation(f64::from(step + 1) * time_step);
            worst = angle_between(states.orientation(k), exact).max(worst);
        }
    }
    [SPIN * time_step, worst]
}

/// Error of the angle of a single step by a map \[rad\], negative if the turn is too small.
pub fn error_of_one_step(map: IncrementMap, angle: f64) -> f64 {
    let axis = DVec3::Z;
    let a = match map {
        IncrementMap::Exact => rodrigues_from_rotation_vector(axis * angle),
        IncrementMap::Literal => axis * angle,
    };
    let difference: DQuat = quaternion_from_rodrigues(a) * turn(axis * angle).conjugate();
    2.0 * libm::atan2(difference.xyz().dot(axis), difference.w)
}
