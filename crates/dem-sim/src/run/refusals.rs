//! What a scene may ask for that ranks cannot do yet.

use super::error::RunError;
use crate::simulation::components::Simulation;

/// Refuses what cannot be computed in parts, by name.
pub(super) fn check(simulation: &Simulation) -> Result<(), RunError> {
    let world = &simulation.world;
    let refused = if !world.guides.is_empty() {
        "[[guides]] are not followed by several ranks yet: their loads are sums over one rank"
    } else if world.fields.porosity_cell().is_some() {
        "drag in a local porosity is not computed by several ranks yet: the porosity of a cell is that of all its particles"
    } else if !world.facets.is_idle() {
        "[[output.wall_facets]] are not summed by several ranks yet"
    } else if !simulation.pipeline.integrator.acts_in_parallel() {
        "the sweep \"gauss-seidel\" goes through all particles in order of their ids and cannot be shared by ranks: use sweep = \"jacobi\""
    } else {
        return Ok(());
    };
    Err(RunError::Ranks(refused.to_owned()))
}
