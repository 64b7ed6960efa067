//! Ranks that follow the leader of a run.

use std::sync::Arc;

use dem_ranks::Transport;

use super::error::RunError;
use super::status::Status;
use super::team::{Command, identity};
use crate::builder::loaded_scene::LoadedScene;
use crate::checkpoint::fingerprint::scene_fingerprint;
use crate::forces::ranks_of_forces::elsewhere;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;

/// Follows the leader of a run on several ranks until it ends.
///
/// # Errors
/// A scene that is not that of the leader; a leader that is gone.
pub fn follow(loaded: &LoadedScene, transport: &Arc<dyn Transport>) -> Result<(), RunError> {
    let resolved = loaded.resolved();
    let fingerprint = scene_fingerprint(&resolved);
    let mut simulation: Option<Simulation> = None;
    loop {
        let told = transport.broadcast(Vec::new()).map_err(|why| SimulationError::from(elsewhere(why)))?;
        let command = Command::from_bytes(&told);
        match (command, &mut simulation) {
            (Some(Command::Compare { identity: theirs }), _) => {
                if theirs != identity(&resolved) {
                    let error = RunError::OtherRank(transport.rank());
                    transport.interrupt(&error.to_string());
                    return Err(error);
                }
                transport.gather(Vec::new()).map_err(|why| SimulationError::from(elsewhere(why)))?;
            }
            (Some(Command::Begin), _) => {
                let own = Simulation::follow_ranks(loaded, &fingerprint, transport.clone());
                simulation = Some(own.map_err(|error| RunError::Rank(error.to_string()))?);
            }
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
