//! Velocity Verlet with predicted velocities.
//!
//! With accelerations a₀ of the last step: `x₁ = x₀ + dt v₀ + dt²/2 a₀`; forces at x₁ and at the predicted velocity
//! `v₀ + dt a₀`; then `v₁ = v₀ + dt/2 (a₀ + a₁)`. Angular velocities likewise, and the orientation turns by the rotation vector
//! `dt (ω₀ + dt/2 α₀)`. Forces that depend on the velocity see it at the end of the step, not at its middle: the scheme stays
//! second order with damping. Order 1 across the switch from stick to slip. Source: W. C. Swope et al., J. Chem. Phys. 76
//! (1982) 637.

use dem_core::DVec3;
use dem_core::particles::frozen;
use dem_core::rotation::{rodrigues_from_rotation_vector, rotate_orientation};
use rayon::prelude::*;

use crate::error::StepError;
use crate::forces::{BLOCK, ForceEvaluation};
use crate::integrators::Integrator;
use crate::world::World;

/// The scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct VelocityVerlet;

impl VelocityVerlet {
    /// Name in scenes.
    pub const KEY: &'static str = "velocity-verlet";
    /// One sentence.
    pub const SUMMARY: &'static str = "velocity Verlet with predicted velocities, second order";
}

/// Zeroes the frozen components of a vector.
#[inline]
fn release(vector: DVec3, mask: u8, bits: [u8; 3]) -> DVec3 {
    if mask == 0 {
        return vector;
    }
    DVec3::from_array(std::array::from_fn(|k| if mask & bits[k] == 0 { vector[k] } else { 0.0 }))
}

impl Integrator for VelocityVerlet {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        predict(world);
        forces.evaluate(world, world.time_step)?;
        correct(world, forces);
        forces.commit(world);
        Ok(())
    }
}

fn predict(world: &mut World) {
    let dt = world.time_step;
    let cell = world.cell;
    let periodic = cell.is_periodic();
    let p = &mut world.particles;
    (
        p.position.par_chunks_mut(BLOCK),
        p.previous_position.par_chunks_mut(BLOCK),
        p.image.par_chunks_mut(BLOCK),
        p.velocity.par_chunks_mut(BLOCK),
        p.angular_velocity.par_chunks_mut(BLOCK),
        p.orientation.par_chunks_mut(BLOCK),
        p.rotation_increment.par_chunks_mut(BLOCK),
        p.force.par_chunks(BLOCK),
        p.torque.par_chunks(BLOCK),
        p.mass.par_chunks(BLOCK),
        p.radius.par_chunks(BLOCK),
        p.frozen.par_chunks(BLOCK),
    )
        .into_par_iter()
        .for_each(|(x, x0, image, v, w, q, turn, force, torque, mass, radius, mask)| {
            // one length for all, so that the loop needs no bounds checks
            let n = x.len();
            let (x0, image, v, w) = (&mut x0[..n], &mut image[..n], &mut v[..n], &mut w[..n]);
            let (q, turn) = (&mut q[..n], &mut turn[..n]);
            let (force, torque, mass, radius, mask) = (&force[..n], &torque[..n], &mass[..n], &radius[..n], &mask[..n]);
            for k in 0..n {
                if periodic {
                    let crossed = cell.wrap(&mut x[k]);
                    for (total, n) in image[k].iter_mut().zip(crossed) {
                        *total += n;
                    }
                }
                let inverse_inertia = 1.0 / (0.4 * mass[k] * radius[k] * radius[k]);
                let a = release(force[k] * (1.0 / mass[k]), mask[k], frozen::TRANSLATION);
                let alpha = release(torque[k] * inverse_inertia, mask[k], frozen::ROTATION);
                let (v0, w0) = (release(v[k], mask[k], frozen::TRANSLATION), release(w[k], mask[k], frozen::ROTATION));
                x0[k] = x[k];
                x[k] += dt * (v0 + 0.5 * dt * a);
                v[k] = v0 + dt * a;
                turn[k] = rodrigues_from_rotation_vector(dt * (w0 + 0.5 * dt * alpha));
                q[k] = rotate_orientation(q[k], turn[k]);
                w[k] = w0 + dt * alpha;
            }
        });
}

/// From the predicted `v₀ + dt a₀` to `v₀ + dt/2 (a₀ + a₁)`.
fn correct(world: &mut World, forces: &ForceEvaluation) {
    let half = 0.5 * world.time_step;
    let p = &mut world.particles;
    (
        p.velocity.par_chunks_mut(BLOCK),
        p.angular_velocity.par_chunks_mut(BLOCK),
        p.force.par_chunks(BLOCK),
        p.torque.par_chunks(BLOCK),
        forces.force.par_chunks(BLOCK),
        forces.torque.par_chunks(BLOCK),
        p.mass.par_chunks(BLOCK),
        p.radius.par_chunks(BLOCK),
        p.frozen.par_chunks(BLOCK),
    )
        .into_par_iter()
        .for_each(|(v, w, force0, torque0, force1, torque1, mass, radius, mask)| {
            let n = v.len();
            let w = &mut w[..n];
            let (force0, torque0, force1, torque1) = (&force0[..n], &torque0[..n], &force1[..n], &torque1[..n]);
            let (mass, radius, mask) = (&mass[..n], &radius[..n], &mask[..n]);
            for k in 0..n {
                let inertia = 0.4 * mass[k] * radius[k] * radius[k];
                v[k] += release((force1[k] - force0[k]) * (half / mass[k]), mask[k], frozen::TRANSLATION);
                w[k] += release((torque1[k] - torque0[k]) * (half / inertia), mask[k], frozen::ROTATION);
            }
        });
}
