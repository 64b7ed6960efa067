//! What a scene may ask for that ranks cannot do yet.

use super::error::RunError;
use crate::simulation::components::Simulation;

/// Refuses what cannot be computed in parts, by name.
pub(super) fn check(simulation: &Simulation) -> Result<(), RunError> {
    if simulation.pipeline.integrator.acts_in_parallel() {
        return Ok(());
    }
    Err(RunError::Ranks(
        "the sweep \"gauss-seidel\" goes through all particles in order of their ids and cannot be shared by ranks: use sweep = \"jacobi\""
            .to_owned(),
    ))
}
