//! One step of a cell that deforms, as [`crate::deformation`] describes it: decide, carry, measure, book.

use dem_core::affine::AffineStep;
use dem_core::rotation::{carried, rotate_orientation};
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

use super::cell_stress::stress_sums;
use super::own_motion::keep_own_motion;
use crate::deformation::control::COMPONENTS;
use crate::deformation::deforming_cell::Deformation;
use crate::deformation::displacement::Displacement;
use crate::deformation::sampled_body;
use crate::deformation::servo::AssemblyStiffness;
use crate::deformation::stress::contraction;
use crate::error::StepError;
use crate::forces::components::{BLOCK, ForceEvaluation};
use crate::state::world::World;

/// Largest change of any length in a step \[-\]; rotations are not limited by it.
pub const LARGEST_STRAIN_OF_STEP: f64 = 0.01;
/// Steps between two checks of the stiffness.
const LOOK_EVERY: u64 = 50;
/// Largest true strain in a stage of a direction whose stress is prescribed \[-\].
const LARGEST_STRAIN_UNDER_STRESS: f64 = 1.0;

impl Deformation {
    /// Decides on the velocity gradient of the next step \[1/s\].
    fn decide(&mut self, world: &World) -> Result<DMat3, StepError> {
        let Some(control) = self.control else { return Ok(DMat3::ZERO) };
        let servo = &mut self.state.servo;
        if control.needs_servo() && (servo.is_blind() || world.step.is_multiple_of(LOOK_EVERY)) {
            servo.look(AssemblyStiffness::of(world));
        }
        let stress = self.state.sums.stress(sampled_body::volume(&world.cell, &world.walls));
        let strain = self.state.strain - self.state.strain_before_stage;
        for (row, column, target) in control.targets() {
            let reached = strain.col(column)[row];
            if row == column && reached.abs() > LARGEST_STRAIN_UNDER_STRESS {
                return Err(StepError::StressOutOfReach {
                    step: world.step,
                    component: COMPONENTS[row][column],
                    stress: stress.col(column)[row],
                    target,
                    strain: reached,
                });
            }
        }
        let response = self.response_in_waves(&world.cell);
        Ok(self.state.servo.velocity_gradient(&control, stress, world.time_step, response))
    }

    /// The affine step of a velocity gradient \[1/s\], none if that is zero.
    fn step(velocity_gradient: DMat3, world: &World) -> Result<Option<AffineStep>, StepError> {
        if velocity_gradient == DMat3::ZERO {
            return Ok(None);
        }
        let step = AffineStep::new(velocity_gradient, world.time_step);
        let step = step.filter(|step| step.strain() <= LARGEST_STRAIN_OF_STEP);
        step.ok_or(StepError::StrainOfStep { step: world.step, limit: LARGEST_STRAIN_OF_STEP }).map(Some)
    }

    /// Lets the cell deform and carry its particles along, before the integrator moves them.
    fn carry(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        let (velocity_gradient, time_step) = (self.decide(world)?, world.time_step);
        let last = std::mem::replace(&mut self.state.velocity_gradient, velocity_gradient);
        let step = Self::step(velocity_gradient, world)?;
        if self.displacement == Displacement::Boundary {
            let last = Self::step(last, world)?;
            let gained = keep_own_motion(world, last.as_ref(), step.as_ref(), self.width);
            world.accumulated.cell += gained;
        }
        let Some(step) = step else {
            world.cell.motion = None;
            return Ok(());
        };
        world.accumulated.cell += self.work_at_one_end(&step, time_step);
        let turn = match self.displacement {
            Displacement::Affine => {
                let backwards = step.inverse.transpose() * step.inverse - DMat3::IDENTITY;
                world.accumulated.cell += 0.5 * contraction(backwards, self.state.sums.motion);
                step.inverse
            }
            Displacement::Boundary => DMat3::IDENTITY,
        };
        world.cell.deform(step);
        let counts = world.cell.reduce();
        let (origin, orientations_follow) = (world.cell.origin, world.orientations_follow);
        let quaternions_follow = world.quaternions_follow();
        let p = &mut world.particles;
        let columns = (
            p.position.par_iter_mut(),
            p.velocity.par_iter_mut(),
            p.orientation.par_iter_mut(),
            p.image.par_iter_mut(),
        );
        columns.into_par_iter().with_min_len(BLOCK).for_each(|(position, velocity, orientation, image)| {
            *position = origin + step.gradient * (*position - origin);
            *velocity = turn * *velocity;
            if quaternions_follow && step.rotation != DVec3::ZERO {
                *orientation = rotate_orientation(*orientation, step.rotation);
            }
            if let Some(counts) = counts {
                *image = images_after(counts, *image);
            }
        });
        if orientations_follow && step.rotation != DVec3::ZERO {
            let stopped = carried::turn_spheres(p, world.rotation, step.rotation);
            forces.at_half_turn = forces.at_half_turn.or(stopped);
        }
        // bodies are carried by their centres and do not turn with the cell; their members follow when they are placed
        for body in &mut p.bodies.all {
            body.position = origin + step.gradient * (body.position - origin);
            body.velocity = turn * body.velocity;
            if let Some(counts) = counts {
                body.image = images_after(counts, body.image);
            }
        }
        forces.deform(&step);
        self.state.gradient = step.gradient * self.state.gradient;
        self.state.strain += step.stretching() * time_step;
        Ok(())
    }

    /// Half a step of the work of the contact stress \[J\]. The spheres turn with the cell, and moments are balanced between them: the skew
    /// part does no work.
    fn work_at_one_end(&self, step: &AffineStep, time_step: f64) -> f64 {
        0.5 * time_step * contraction(self.state.sums.contacts, step.stretching())
    }

    /// Notes how far the walls across directions that are not periodic have moved towards each other.
    fn follow_walls(&mut self, world: &World) {
        for k in (0..3).filter(|&k| !world.cell.periodic[k]) {
            let now = sampled_body::span(sampled_body::walls_in_place(&world.walls), k);
            let before = std::mem::replace(&mut self.state.spans[k], now);
            self.state.wall_rates[k] = 0.0;
            if let (Some(before), Some(now)) = (before, now)
                // other walls make another sample, which has not been strained by that
                && before.walls == now.walls
            {
                let strain = libm::log(now.length / before.length);
                self.state.wall_rates[k] = strain / world.time_step;
                self.state.strain.col_mut(k)[k] += strain;
                self.state.gradient.col_mut(k)[k] *= now.length / before.length;
            }
        }
    }

    /// Notes the stress after a step and books the work.
    fn settle(&mut self, world: &mut World) {
        self.follow_walls(world);
        self.state.sums = stress_sums(world, self.width);
        if let Some(step) = &world.cell.motion {
            world.accumulated.cell += self.work_at_one_end(step, world.time_step);
        }
    }
}

/// Images in a cell whose edges have been exchanged.
fn images_after(counts: [[i32; 3]; 3], n: [i32; 3]) -> [i32; 3] {
    let product = |row: [i32; 3], k: usize| row[k].saturating_mul(n[k]);
    counts.map(|row| (0..3).fold(0i32, |sum, k| sum.saturating_add(product(row, k))))
}

/// Deforms the cell of a world, if it does, at the beginning of a step.
///
/// # Errors
/// A stress that cannot be reached, and a strain too large for one step.
pub(crate) fn begin_step(world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
    let Some(mut deformation) = world.deformation.take() else { return Ok(()) };
    let carried = deformation.carry(world, forces);
    world.deformation = Some(deformation);
    carried
}

/// Measures the stress of a world whose cell may deform, after a step.
pub(crate) fn end_step(world: &mut World) {
    if let Some(mut deformation) = world.deformation.take() {
        deformation.settle(world);
        world.deformation = Some(deformation);
    }
}
