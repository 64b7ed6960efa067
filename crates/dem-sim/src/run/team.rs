//! A run on several ranks: rank 0 leads it and writes its files, the others follow its commands.
//!
//! All ranks build the same simulation and keep their part of it. The leader says how far to step; for whatever is written it asks for
//! everything and has the whole assembly in place of its part meanwhile, so that files are those of a run of one process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_ranks::{Interrupted, Transport};

use super::error::RunError;
use super::origin::Origin;
use crate::environment::machine;
use crate::forces::ranks_of_forces::elsewhere;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;

/// What a run begins from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Something new.
    Origin(Origin),
    /// A checkpoint that it goes on from.
    Checkpoint(PathBuf),
}

/// What the leader tells others to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// To build the simulation.
    Build {
        start: Start,
        /// Of the program and the scene, which must be those of the leader.
        identity: u64,
    },
    /// To keep their part of it.
    Join,
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
            Self::Build { start, identity } => {
                let (tag, path) = match start {
                    Start::Origin(Origin::Scene) => (0, Path::new("")),
                    Start::Origin(Origin::Branch(path)) => (1, path.as_path()),
                    Start::Checkpoint(path) => (2, path.as_path()),
                };
                [&[tag], identity.to_le_bytes().as_slice(), &bytes_of(path)].concat()
            }
            Self::Advance { look, most } => [&[3], look.to_le_bytes().as_slice(), &most.to_le_bytes()].concat(),
            Self::Show => vec![4],
            Self::Report => vec![5],
            Self::End => vec![6],
            Self::Join => vec![7],
        }
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (tag, rest) = bytes.split_first()?;
        Some(match tag {
            0..=2 => {
                let (identity, path) = rest.split_first_chunk()?;
                let path = path_of(path.to_vec());
                let start = match tag {
                    0 => Start::Origin(Origin::Scene),
                    1 => Start::Origin(Origin::Branch(path)),
                    _ => Start::Checkpoint(path),
                };
                Self::Build { start, identity: u64::from_le_bytes(*identity) }
            }
            3 => {
                let (look, most) = rest.split_first_chunk()?;
                Self::Advance { look: f64::from_le_bytes(*look), most: u64::from_le_bytes(most.try_into().ok()?) }
            }
            4 => Self::Show,
            5 => Self::Report,
            6 => Self::End,
            7 => Self::Join,
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

    /// Has the others build what the leader has built, of a scene with a fingerprint, and waits for them.
    pub(super) fn build(&self, start: Start, fingerprint: &str) -> Result<(), RunError> {
        self.tell(&Command::Build { start, identity: identity(fingerprint) })?;
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
    pub(super) fn begin(&mut self, simulation: &mut Simulation) -> Result<(), RunError> {
        if self.has_begun {
            return Ok(());
        }
        self.tell(&Command::Join)?;
        self.has_begun = true;
        Ok(simulation.join_ranks(self.transport.clone()).map_err(SimulationError::from)?)
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

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Of this program and a scene: what must be the same on all ranks for their bits to be.
pub(super) fn identity(fingerprint: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(format!("{} {fingerprint}", machine::engine()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_the_same_elsewhere() {
        let path = || PathBuf::from("runs/a b/checkpoints/3.dem");
        for command in [
            Command::Build { start: Start::Origin(Origin::Scene), identity: 7 },
            Command::Build { start: Start::Origin(Origin::Branch(path())), identity: u64::MAX },
            Command::Build { start: Start::Checkpoint(path()), identity: 0 },
            Command::Advance { look: f64::NEG_INFINITY, most: 16 },
            Command::Show,
            Command::Report,
            Command::End,
            Command::Join,
        ] {
            assert_eq!(Command::from_bytes(&command.to_bytes()), Some(command));
        }
        assert!([&[][..], &[3, 1], &[9]].iter().all(|bytes| Command::from_bytes(bytes).is_none()));
    }
}
