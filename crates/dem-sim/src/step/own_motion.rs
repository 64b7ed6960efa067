//! Cells that drive a sample at their boundary: what the carrying adds to the motion of particles is taken off again.

use dem_core::affine::AffineStep;
use dem_core::exact_sum::{Terms, exact_of_terms};
use dem_core::lanes::{Lanes, Width};
use dem_core::particles::Particles;
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

use crate::forces::evaluation::BLOCK;
use crate::state::world::World;

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
