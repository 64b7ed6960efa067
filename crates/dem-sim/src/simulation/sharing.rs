//! A simulation becomes that of several ranks: rank 0 has all of it, tells the others what does not belong to particles, and deals the particles
//! with the histories of their contacts.

use std::sync::Arc;

use dem_io::checkpoint::CheckpointReader;
use dem_ranks::{Interrupted, Transport};

use super::components::Simulation;
use super::error::SimulationError;
use crate::builder;
use crate::builder::loaded_scene::LoadedScene;
use crate::checkpoint::format::SavedStateError;
use crate::checkpoint::read::saved_guides;
use crate::checkpoint::restore::restore;
use crate::checkpoint::save::save_without_particles;
use crate::error::StepError;
use crate::forces::ranks_of_forces::elsewhere;
use crate::ranks::link::Link;
use crate::ranks::loads::{self, RankLoad};

impl Simulation {
    /// Shares this simulation, of a scene with a fingerprint, with all other ranks, which [follow](Self::follow_ranks), as rank 0. The forces of
    /// single contacts are known again after the next step.
    ///
    /// # Errors
    /// A rank that cannot go on.
    pub fn lead_ranks(&mut self, fingerprint: &str, transport: Arc<dyn Transport>) -> Result<(), SavedStateError> {
        let state = save_without_particles(self, fingerprint)?;
        transport.broadcast(state).map_err(interrupted)?;
        Ok(self.join_ranks(transport).map_err(SimulationError::from)?)
    }

    /// The part of a rank other than 0 of the simulation that [rank 0](Self::lead_ranks) shares.
    ///
    /// # Errors
    /// A scene that is not that of rank 0; a rank that cannot go on.
    pub fn follow_ranks(
        loaded: &LoadedScene,
        fingerprint: &str,
        transport: Arc<dyn Transport>,
    ) -> Result<Self, SavedStateError> {
        let state = transport.broadcast(Vec::new()).map_err(interrupted)?;
        let mut own = empty(loaded, fingerprint, state).inspect_err(|error| transport.interrupt(&error.to_string()))?;
        own.join_ranks(transport).map_err(SimulationError::from)?;
        Ok(own)
    }

    /// What each of so many ranks would have to do that share the present state, all of which is here.
    pub fn rank_loads(&self, ranks: usize) -> Vec<RankLoad> {
        loads::of(&self.world, ranks, self.pipeline.forces.last_displacement())
    }

    /// Makes this process one of several ranks. Rank 0 has all particles and deals them; those that others have are forgotten.
    ///
    /// # Errors
    /// Another rank that cannot go on.
    fn join_ranks(&mut self, transport: Arc<dyn Transport>) -> Result<(), StepError> {
        self.pipeline.forces.join_ranks(&mut self.world, Arc::new(Link::new(transport)))
    }
}

/// A simulation in a state without particles.
fn empty(loaded: &LoadedScene, fingerprint: &str, state: Vec<u8>) -> Result<Simulation, SavedStateError> {
    let mut simulation = builder::build_empty(loaded)?;
    let reader = CheckpointReader::from_bytes(state)?;
    restore(&mut simulation, &reader, fingerprint)?;
    // those of particles that are not there were let go
    simulation.world.guides.replace(saved_guides(&reader)?);
    Ok(simulation)
}

fn interrupted(why: Interrupted) -> SavedStateError {
    SimulationError::from(elsewhere(why)).into()
}
