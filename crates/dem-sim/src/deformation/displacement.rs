//! What of a sample follows its cell by itself: everything, or the images beyond the faces only.
//!
//! A cell that drives a sample at its boundary leaves what is inside alone: a particle keeps its velocity and its angular velocity until its
//! contacts change them, and only its images move with the cell. Particles are carried along all the same, so that
//! velocities stay peculiar ones; what the carrying adds to the motion is taken off the peculiar velocity, measured from the centre of the
//! cell, which therefore stays at rest. With the gradients F₀ and F of the last and of this step, and y the way from the centre,
//!
//! ```text
//! v ← F₀⁻¹ v + (1 − F₀⁻¹) y / Δt − (F − 1) y / Δt
//! ```
//!
//! makes the way of a free particle, `(F − 1) y + v Δt`, the same in every step: it flies straight on. To first order in the step this
//! is `dv/dt = f/m − L v − (dL/dt + L²) y`; the last term is what affine displacement leaves out. It vanishes in steady simple shear,
//! where both are the same motion. The peculiar velocity of an image is that of its particle, so that its velocity differs by that of
//! the cell. A time step that is another than the last one enters with the square of L.

use dem_core::affine::AffineStep;
use dem_core::exact_sum::{Terms, exact_of_terms};
use dem_core::lanes::{Lanes, Width};
use dem_core::particles::Particles;
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

use crate::forces::BLOCK;
use crate::world::World;

/// What a deforming cell displaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Displacement {
    /// All particles, by the affine step.
    #[default]
    Affine,
    /// The periodic images only, as seen from the particles.
    Boundary,
}

impl Displacement {
    /// In headers.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Affine => "affine displacement",
            Self::Boundary => "boundary displacement",
        }
    }

    /// What a column of that name says.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Affine => "1: the cell carries all particles along by the affine step",
            Self::Boundary => "1: the cell drives the sample at its boundary, by the periodic images",
        }
    }
}

/// Gives the particles the peculiar velocities that leave their own motion what it was, before they are carried along by `next`; returns
/// the change of their kinetic energy \[J\]. Either step is none if the cell keeps its shape in it.
pub fn keep_own_motion(world: &mut World, last: Option<&AffineStep>, next: Option<&AffineStep>, width: Width) -> f64 {
    if last.is_none() && next.is_none() {
        return 0.0;
    }
    let before = kinetic_energy(world, width);
    let turn = last.map_or(DMat3::IDENTITY, |step| step.inverse);
    // (1 − F⁻¹)/Δt and (F − 1)/Δt of Cayley transforms, without the difference of nearly equal numbers
    let velocity_gradient = |step: &AffineStep, end: DMat3| (DMat3::IDENTITY + end) * step.velocity_gradient * 0.5;
    let gain = last.map_or(DMat3::ZERO, |step| velocity_gradient(step, step.inverse))
        - next.map_or(DMat3::ZERO, |step| velocity_gradient(step, step.gradient));
    let spin = |step: Option<&AffineStep>| step.map_or(DVec3::ZERO, |step| step.spin);
    let gain_of_spin = spin(last) - spin(next);
    let centre = world.cell.origin + world.cell.matrix() * DVec3::splat(0.5);
    let p = &mut world.particles;
    let columns = (p.velocity.par_iter_mut(), p.angular_velocity.par_iter_mut(), p.position.par_iter());
    columns.into_par_iter().with_min_len(BLOCK).for_each(|(velocity, angular_velocity, position)| {
        *velocity = turn * *velocity + gain * (*position - centre);
        *angular_velocity += gain_of_spin;
    });
    kinetic_energy(world, width) - before
}

fn kinetic_energy(world: &World, width: Width) -> f64 {
    let own = exact_of_terms(&KineticEnergy { particles: &world.particles }, width);
    let [translation, rotation] = world.whole.sums(own);
    translation + rotation
}

/// Kinetic energies of translation and of rotation.
struct KineticEnergy<'a> {
    particles: &'a Particles,
}

impl Terms<2> for KineticEnergy<'_> {
    fn count(&self) -> usize {
        self.particles.owned()
    }
    #[inline(always)]
    fn at<R: Lanes>(&self, at: usize) -> [R; 2] {
        let p = self.particles;
        let half = |inertia: f64, square: f64| 0.5 * inertia * square;
        let translation = R::from_lanes(|lane| half(p.mass[at + lane], p.velocity[at + lane].length_squared()));
        let rotation = R::from_lanes(|lane| half(p.inertia(at + lane), p.angular_velocity[at + lane].length_squared()));
        [translation, rotation]
    }
}
