//! What integrators share: passes over all that is moved, spheres by themselves and rigid bodies, and the evaluation between them.

use dem_contact::kernel::Acceptance;

use super::extent::Extent;
use super::mobile::MobileTask;
use super::{rigid_bodies, spheres};
use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::state::world::World;

/// Does something to all that is moved, in parallel: spheres by themselves, then rigid bodies.
pub(super) fn each(world: &mut World, task: &impl MobileTask) -> Extent {
    let spheres = spheres::each(world, |sphere| task.act(sphere));
    spheres.and(rigid_bodies::each(world, None, task).extent)
}

/// Evaluates the forces where the particles have been moved to, at the end of the step.
///
/// # Errors
/// What the evaluation returns.
pub(super) fn evaluate(
    world: &mut World,
    forces: &mut ForceEvaluation,
    moved: Extent,
    acceptance: Acceptance,
) -> Result<(), StepError> {
    forces.bound_displacement(moved.longest());
    forces.evaluate(world, world.time_step, acceptance)?;
    forces.is_finite &= moved.finite;
    Ok(())
}

/// Takes the walls back to where they were at the start of the step and moves them to where they are at `time` \[s\].
pub(super) fn move_walls_again(world: &mut World, time: f64) {
    for wall in &mut world.walls {
        wall.pose = wall.previous_pose;
        wall.advance(time);
    }
}
