//! The parameterization in which a run carries orientations.
//!
//! The quaternion needs nothing here: it is the column of orientations. Of any other parameterization a run carries the numbers of every particle in
//! the column [`COLUMN`], turns these by the increment of each step, and takes the quaternions of the orientations, from which members of bodies are
//! placed, from them. No force depends on the orientation of a sphere, so that spheres move in the same way under every choice.

use std::ops::Range;

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use super::{IncrementMap, Parameterization, RodriguesVector, RotationMatrix, RotationVector};
use crate::lanes::{LaneTask, Lanes, Width};
use crate::particles::{NO_BODY, Particles, UserColumn};

/// Name of the column of particles with the numbers that are carried.
pub const COLUMN: &str = "rotation";

/// Particles per unit of parallel work.
const BLOCK: usize = 1024;

/// What is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carried {
    /// A unit quaternion.
    #[default]
    Quaternion,
    /// A rescaled Rodrigues vector.
    Rodrigues,
    /// The Euler rotation vector.
    RotationVector,
    /// A rotation matrix.
    Matrix,
}

impl Carried {
    /// All, the default first.
    pub const ALL: [Self; 4] = [Self::Quaternion, Self::Rodrigues, Self::RotationVector, Self::Matrix];

    /// Name in scenes.
    pub fn key(self) -> &'static str {
        match self {
            Self::Quaternion => "quaternion",
            Self::Rodrigues => RodriguesVector::KEY,
            Self::RotationVector => RotationVector::KEY,
            Self::Matrix => "matrix",
        }
    }

    /// Choice of a name.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.key() == key)
    }

    /// Numbers per particle in [`COLUMN`], which the quaternion does not need.
    pub fn width(self) -> usize {
        match self {
            Self::Quaternion => 0,
            Self::Rodrigues | Self::RotationVector => 3,
            Self::Matrix => 9,
        }
    }

    fn unit(self) -> &'static str {
        if self == Self::RotationVector { "rad" } else { "-" }
    }
}

/// What becomes of a rotation by half a turn, which has no Rodrigues vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HalfTurn {
    /// Goes on with the vector of the other side, through the largest number that is needed.
    #[default]
    Pass,
    /// Stops the run.
    Stop,
}

/// How orientations are carried and advanced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotationScheme {
    /// What is carried.
    pub carried: Carried,
    /// How the increment of a step follows from the spin.
    pub increment: IncrementMap,
    /// What happens at half a turn.
    pub half_turn: HalfTurn,
}

/// Makes the column [`COLUMN`] hold the present orientations, or takes it away, if its width is not that of the choice.
pub fn fit_column(particles: &mut Particles, carried: Carried) {
    let present = particles.user.iter().position(|column| column.name == COLUMN);
    let width = carried.width();
    if present.map_or(0, |at| particles.user[at].width) == width {
        return;
    }
    if let Some(at) = present {
        particles.user.remove(at);
    }
    if width > 0 {
        let mut column =
            UserColumn { name: COLUMN.to_owned(), unit: carried.unit().to_owned(), width, values: Vec::new() };
        column.values.resize(width * particles.len(), 0.0);
        let orientations = std::mem::take(&mut particles.orientation);
        for (numbers, &orientation) in column.values.chunks_exact_mut(width).zip(&orientations) {
            note(carried, orientation, numbers);
        }
        particles.orientation = orientations;
        particles.user.push(column);
    }
}

/// Gives particles that are new, or whose orientations were set, the numbers of these.
pub fn note_orientations(particles: &mut Particles, carried: Carried, slots: Range<usize>) {
    let width = carried.width();
    let Particles { user, orientation, .. } = particles;
    let Some(column) = user.iter_mut().find(|column| width > 0 && column.name == COLUMN) else { return };
    for (numbers, &orientation) in
        column.values.chunks_exact_mut(width).zip(&*orientation).take(slots.end).skip(slots.start)
    {
        note(carried, orientation, numbers);
    }
}

fn note(carried: Carried, orientation: DQuat, numbers: &mut [f64]) {
    match carried {
        Carried::Quaternion => {}
        Carried::Rodrigues => numbers.copy_from_slice(&RodriguesVector::from_quaternion(orientation)),
        Carried::RotationVector => numbers.copy_from_slice(&RotationVector::from_quaternion(orientation)),
        Carried::Matrix => numbers.copy_from_slice(&RotationMatrix::from_quaternion(orientation)),
    }
}

/// Turns the numbers of all particles that are no ghosts by the increments of a step, those of members by that of their body, and takes the orientations
/// from them.
/// Returns the lowest id of those that came to half a turn or beyond and must not.
pub fn advance(particles: &mut Particles, scheme: RotationScheme) -> Option<u64> {
    turn(particles, scheme, None)
}

/// The same by one rotation of all spheres that are no members, a rescaled Rodrigues vector.
pub fn turn_spheres(particles: &mut Particles, scheme: RotationScheme, rotation: DVec3) -> Option<u64> {
    turn(particles, scheme, Some(rotation))
}

fn turn(particles: &mut Particles, scheme: RotationScheme, all_by: Option<DVec3>) -> Option<u64> {
    let stopped = match scheme.carried {
        Carried::Quaternion => return None,
        Carried::Rodrigues => turn_as::<RodriguesVector, 3>(particles, scheme.half_turn, all_by),
        Carried::RotationVector => turn_as::<RotationVector, 3>(particles, HalfTurn::Pass, all_by),
        Carried::Matrix => turn_as::<RotationMatrix, 9>(particles, HalfTurn::Pass, all_by),
    };
    let bodies = std::mem::take(&mut particles.bodies.all);
    particles.bodies.all = bodies
        .into_iter()
        .map(|mut body| {
            body.orientation = particles.orientation[body.first as usize].to_array();
            body
        })
        .collect();
    stopped
}

fn turn_as<P: Parameterization<N> + Send + Sync, const N: usize>(
    particles: &mut Particles,
    half_turn: HalfTurn,
    all_by: Option<DVec3>,
) -> Option<u64> {
    let owned = particles.owned();
    let Particles { user, orientation, rotation_increment, body, id, bodies, .. } = particles;
    let column = user.iter_mut().find(|column| column.name == COLUMN && column.width == N)?;
    let first_member = bodies.first_member();
    let width = Width::fastest();
    let (numbers, orientations) = (&mut column.values[..N * owned], &mut orientation[..owned]);
    let blocks = numbers.par_chunks_mut(N * BLOCK).zip(orientations.par_chunks_mut(BLOCK)).enumerate();
    blocks
        .filter_map(|(block, (numbers, orientations))| {
            let increment = |k: usize| {
                let slot = block * BLOCK + k;
                let is_member = body[slot] != NO_BODY && slot - first_member < bodies.members();
                match all_by {
                    Some(_) if is_member => DVec3::ZERO,
                    Some(rotation) => rotation,
                    None if is_member => bodies.of_slot(slot, first_member).rotation_increment,
                    None => rotation_increment[slot],
                }
            };
            let passes = |numbers: &[f64], increment: DVec3| {
                half_turn == HalfTurn::Stop && DVec3::from_slice(numbers).dot(increment) >= 4.0
            };
            let task =
                Turning::<P, _, _, N> { numbers, orientations, increment, passes, kind: std::marker::PhantomData };
            width.run_alone(task).into_iter().map(|k| id[block * BLOCK + k]).min()
        })
        .min()
}

struct Turning<'a, P, I, H, const N: usize> {
    numbers: &'a mut [f64],
    orientations: &'a mut [DQuat],
    increment: I,
    passes: H,
    kind: std::marker::PhantomData<P>,
}

impl<P: Parameterization<N>, I: Fn(usize) -> DVec3, H: Fn(&[f64], DVec3) -> bool, const N: usize> LaneTask
    for Turning<'_, P, I, H, N>
{
    /// Places of those that came to half a turn.
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Vec<usize> {
        let mut stopped = Vec::new();
        for (k, (numbers, orientation)) in self.numbers.chunks_exact_mut(N).zip(self.orientations).enumerate() {
            let increment = (self.increment)(k);
            if (self.passes)(numbers, increment) {
                stopped.push(k);
            }
            let own: [f64; N] = std::array::from_fn(|n| numbers[n]);
            let turned = P::compose::<f64>(own, increment.into());
            numbers.copy_from_slice(&turned);
            *orientation = P::quaternion(turned);
        }
        stopped
    }
}
