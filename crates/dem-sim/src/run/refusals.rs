//! What a scene may ask for that ranks cannot do yet.

use super::error::RunError;
use crate::simulation::components::Simulation;

/// Refuses what cannot be computed in parts, by name.
pub(super) fn check(simulation: &Simulation) -> Result<(), RunError> {
    let world = &simulation.world;
    let has_bodies = !world.particles.bodies.templates.is_empty() || !world.particles.bodies.is_empty();
    let refused = if has_bodies {
        "rigid bodies ([[clumps]]) are not moved by several ranks yet: contacts of their members need the inertia of bodies of other ranks"
    } else if !simulation.pipeline.integrator.acts_in_parallel() {
        "the sweep \"gauss-seidel\" goes through all particles in order of their ids and cannot be shared by ranks: use sweep = \"jacobi\""
    } else {
        return Ok(());
    };
    Err(RunError::Ranks(refused.to_owned()))
}
