//! Ranks that follow the leader of a run.

use std::sync::Arc;

use dem_ranks::Transport;

use super::error::RunError;
use super::origin::{first_state, open_state};
use super::status::Status;
use super::team::{Command, Start, identity};
use crate::builder::loaded_scene::LoadedScene;
use crate::checkpoint::fingerprint::scene_fingerprint;
use crate::forces::ranks_of_forces::elsewhere;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;
use crate::{builder, checkpoint};

/// Follows the leader of a run on several ranks until it ends.
///
/// # Errors
/// A scene or state that cannot be built here, though the leader could; a leader that is gone.
pub fn follow(loaded: &LoadedScene, transport: &Arc<dyn Transport>) -> Result<(), RunError> {
    let mut simulation: Option<Simulation> = None;
    loop {
        let told = transport.broadcast(Vec::new()).map_err(|why| SimulationError::from(elsewhere(why)))?;
        let command = Command::from_bytes(&told);
        match (command, &mut simulation) {
            (Some(Command::Build { start, identity: theirs }), _) => {
                let rank = transport.rank();
                let is_same = theirs == identity(&scene_fingerprint(&loaded.resolved()));
                let own = if is_same { build(loaded, &start) } else { Err(RunError::OtherRank(rank)) };
                simulation = Some(own.inspect_err(|error| transport.interrupt(&error.to_string()))?);
                transport.gather(Vec::new()).map_err(|why| SimulationError::from(elsewhere(why)))?;
            }
            (Some(Command::Join), Some(own)) => own.join_ranks(transport.clone()).map_err(SimulationError::from)?,
            (Some(Command::Advance { look, most }), Some(own)) => {
                // the leader tells of it
                if own.advance_unseen(look, most).is_err() {
                    transport.recover();
                }
            }
            (Some(Command::Show), Some(own)) => drop(own.gather_all().map_err(SimulationError::from)?),
            (Some(Command::Report), Some(own)) => drop(Status::of(own, 0.0, None, None)),
            _ => return Ok(()),
        }
    }
}

/// The state that the leader begins from.
fn build(loaded: &LoadedScene, start: &Start) -> Result<Simulation, RunError> {
    match start {
        Start::Origin(origin) => Ok(first_state(loaded, origin)?.0),
        Start::Checkpoint(path) => {
            let mut simulation = builder::build_empty(loaded)?;
            open_state(path)
                .and_then(|reader| {
                    checkpoint::restore(&mut simulation, &reader, &scene_fingerprint(&loaded.resolved()))
                })
                .map_err(|error| RunError::SavedState { path: path.clone(), error })?;
            // the leader has decided to go on
            simulation.state.stopped = None;
            Ok(simulation)
        }
    }
}
