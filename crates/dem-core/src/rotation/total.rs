//! Total rotation: how far a body has turned altogether, which an orientation shows up to one turn only.
//!
//! The sum of the rotation vectors of all steps, `∫ ω dt`. About a fixed axis it is the angle turned through, in rad, and 2π of it are a
//! turn. Where the axis moves it is a measure of the path: rotations in space do not add up like vectors, so it is not a parameterization
//! and the orientation does not follow from it.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use rayon::prelude::*;

use crate::lanes::{Lanes, Mask, Vector};
use crate::particles::Particles;

/// A sum of rotation vectors \[rad\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TotalRotation(pub DVec3);

impl TotalRotation {
    /// Adds the increment of a step, a rescaled Rodrigues vector.
    pub fn add(&mut self, increment: DVec3) {
        self.0 += rotation_vector_from_rodrigues(increment);
    }

    /// Adds the increment of a step in which the body turned by about `estimate` \[rad\]. An increment is a rotation, which does not show how often
    /// a body has come round: of all turns that lead to it, the one that is nearest to the estimate about its own axis counts.
    pub fn add_near(&mut self, increment: DVec3, estimate: DVec3) {
        let turned = rotation_vector_from_rodrigues(increment);
        let angle = turned.length();
        // most steps turn by a fraction of a degree; a body that has not been turned at all is held, or has not begun
        if estimate.length_squared() <= PI * PI || increment == DVec3::ZERO {
            self.0 += turned;
            return;
        }
        // a whole number of turns leaves no axis
        let axis = if angle > ALMOST_NONE { turned / angle } else { estimate.normalize() };
        self.0 += turned + axis * (TAU * ((estimate.dot(axis) - angle) / TAU).round());
    }

    /// Turns about a unit axis, positive counter-clockwise \[-\].
    pub fn turns_about(self, axis: DVec3) -> f64 {
        self.0.dot(axis) / std::f64::consts::TAU
    }

    /// Turns, if the axis did not change \[-\].
    pub fn turns(self) -> f64 {
        self.0.length() / std::f64::consts::TAU
    }
}

/// Angle that is round-off \[rad\].
const ALMOST_NONE: f64 = 1e-12;

/// Name of the column of particles that carries their total rotation \[rad\] through reordering, checkpoints and snapshots.
pub const COLUMN: &str = "total_rotation";

/// Gives particles the column [`COLUMN`], from zero, unless they have it.
pub fn add_column(particles: &mut Particles) {
    if particles.user.iter().all(|column| column.name != COLUMN) {
        particles.add_user_column(COLUMN, "rad", 3);
    }
}

/// Adds the increments of a step of `time_step` \[s\] to the column, if there is one. Where the spin turns a particle by more than half a turn
/// within the step, it says how often it has come round.
pub fn accumulate(particles: &mut Particles, time_step: f64) {
    const BLOCK: usize = 4096;
    let Particles { user, rotation_increment, angular_velocity, .. } = particles;
    let Some(column) = user.iter_mut().find(|column| column.name == COLUMN && column.width == 3) else { return };
    let turns = rotation_increment.par_chunks(BLOCK).zip(angular_velocity.par_chunks(BLOCK));
    column.values.par_chunks_mut(3 * BLOCK).zip(turns).for_each(|(totals, (increments, spins))| {
        for ((total, &increment), &spin) in totals.chunks_exact_mut(3).zip(increments).zip(spins) {
            let mut sum = TotalRotation(DVec3::from_slice(total));
            sum.add_near(increment, spin * time_step);
            sum.0.write_to_slice(total);
        }
    });
}

/// Rotation vector `2 atan(|a|/2) a/|a|` \[rad\] of a rescaled Rodrigues vector, the inverse of
/// [`super::rodrigues_from_rotation_vector`] for angles up to π.
#[inline]
pub fn rotation_vector_from_rodrigues(a: DVec3) -> DVec3 {
    rotation_vector_in_lanes::<f64>(a.into()).into()
}

/// [`rotation_vector_from_rodrigues`] of one rotation per lane.
#[inline(always)]
pub fn rotation_vector_in_lanes<R: Lanes>(a: Vector<R>) -> Vector<R> {
    // atan(h)/h with h = |a|/2; below |a| = 0.1 the remainder of the series is below 10⁻¹⁹
    let h2 = R::splat(0.25) * a.length_squared();
    let mut ratio = R::splat(1.0 / 13.0);
    for coefficient in [-1.0 / 11.0, 1.0 / 9.0, -1.0 / 7.0, 1.0 / 5.0, -1.0 / 3.0, 1.0] {
        ratio = R::splat(coefficient).plus_product(h2, ratio);
    }
    let is_small = h2.less(R::splat(2.5e-3));
    if !is_small.all() {
        let large = R::from_lanes(|lane| large_angle_ratio(h2.lane(lane)));
        ratio = R::select(is_small, ratio, large);
    }
    a * ratio
}

/// `atan(h)/h` for `h²`
#[cold]
fn large_angle_ratio(half_squared: f64) -> f64 {
    let half = half_squared.sqrt();
    libm::atan(half) / half
}
