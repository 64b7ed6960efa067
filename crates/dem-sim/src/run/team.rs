//! A run on several ranks: rank 0 leads it and writes its files, the others follow its commands.
//!
//! The leader builds or reads the simulation and shares it when the first step is due. It says how far to step; for whatever is written it asks for
//! everything and has the whole assembly in place of its part meanwhile, so that files are those of a run of one process.

use std::sync::Arc;

use dem_ranks::{Interrupted, Transport};

use super::error::RunError;
use crate::checkpoint::format::SavedStateError;
use crate::environment::machine;
use crate::forces::ranks_of_forces::elsewhere;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;

/// What the leader tells others to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// To compare the program and the scene, which must be those of the leader.
    Compare { identity: u64 },
    /// To take their part of the particles.
    Begin,
    /// To take steps.
    Advance { look: f64, most: u64 },
    /// To send all they have.
    Show,
    /// To take part in what a report of progress sums.
    Report,
    /// To leave.
    End,
}

impl Command {
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Compare { identity } => [&[0], identity.to_le_bytes().as_slice()].concat(),
            Self::Begin => vec![1],
            Self::Advance { look, most } => [&[2], look.to_le_bytes().as_slice(), &most.to_le_bytes()].concat(),
            Self::Show => vec![3],
            Self::Report => vec![4],
            Self::End => vec![5],
        }
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (tag, rest) = bytes.split_first()?;
        Some(match tag {
            0 => Self::Compare { identity: u64::from_le_bytes(rest.try_into().ok()?) },
            1 => Self::Begin,
            2 => {
                let (look, most) = rest.split_first_chunk()?;
                Self::Advance { look: f64::from_le_bytes(*look), most: u64::from_le_bytes(most.try_into().ok()?) }
            }
            3 => Self::Show,
            4 => Self::Report,
            5 => Self::End,
            _ => return None,
        })
    }
}

/// The ranks that a run is on, as its leader knows them.
#[derive(Debug)]
pub struct Team {
    transport: Arc<dyn Transport>,
    /// Whether the others have their parts.
    has_begun: bool,
    /// Whether the leader has everything at present.
    pub(super) is_gathered: bool,
}

impl Team {
    /// Rank 0 of several, the others of which [follow](super::follow). They leave when this is dropped.
    pub fn new(transport: Arc<dyn Transport>) -> Self {
        Self { transport, has_begun: false, is_gathered: false }
    }

    /// Has the others compare the scene, as it is resolved, and waits for them.
    pub(super) fn compare(&self, resolved: &toml::Table) -> Result<(), RunError> {
        self.tell(&Command::Compare { identity: identity(resolved) })?;
        self.transport.gather(Vec::new()).map(drop).map_err(|Interrupted(why)| RunError::Rank(why))
    }

    pub(super) fn tell(&self, command: &Command) -> Result<(), RunError> {
        let told = self.transport.broadcast(command.to_bytes());
        told.map(drop).map_err(|interrupted| SimulationError::from(elsewhere(interrupted)).into())
    }

    /// Whether the others have their parts, and the leader has its own at present.
    pub(super) fn is_spread(&self) -> bool {
        self.has_begun && !self.is_gathered
    }

    /// Gives all ranks their parts, unless they have them.
    pub(super) fn begin(&mut self, simulation: &mut Simulation, fingerprint: &str) -> Result<(), RunError> {
        if self.has_begun {
            return Ok(());
        }
        self.tell(&Command::Begin)?;
        self.has_begun = true;
        simulation.lead_ranks(fingerprint, self.transport.clone()).map_err(|error| match error {
            SavedStateError::Simulation(error) => error.into(),
            other => RunError::Rank(other.to_string()),
        })
    }

    /// Takes up to `most` steps, see [`Simulation::advance_unseen`].
    pub(super) fn advance(
        &mut self,
        simulation: &mut Simulation,
        look: f64,
        most: u64,
    ) -> Result<u64, SimulationError> {
        let told = self.transport.broadcast(Command::Advance { look, most }.to_bytes());
        told.map_err(elsewhere)?;
        let advanced = simulation.advance_unseen(look, most);
        if advanced.is_err() {
            self.transport.recover();
        }
        advanced
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // who does not hear it has left already
        drop(self.tell(&Command::End));
    }
}

/// Of this program and a scene with the contents of its files: all of it, for ranks that end at different times would wait for each other.
pub(super) fn identity(resolved: &toml::Table) -> u64 {
    xxhash_rust::xxh3::xxh3_64(format!("{} {resolved}", machine::engine()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_the_same_elsewhere() {
        for command in [
            Command::Compare { identity: 7 },
            Command::Begin,
            Command::Advance { look: f64::NEG_INFINITY, most: 16 },
            Command::Show,
            Command::Report,
            Command::End,
        ] {
            assert_eq!(Command::from_bytes(&command.to_bytes()), Some(command));
        }
        assert!([&[][..], &[0, 1], &[2, 1], &[9]].iter().all(|bytes| Command::from_bytes(bytes).is_none()));
    }
}
