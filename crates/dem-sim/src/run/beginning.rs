//! What a run began with.

use std::path::Path;

use dem_io::atomic;
use serde::{Deserialize, Serialize};

use super::error::RunError;
use super::own_files::BEGINNING;
use crate::checkpoint::branch::Branched;
use crate::checkpoint::fingerprint::particle_fingerprint;
use crate::simulation::components::Simulation;

/// Contents of `beginning.json`, written before the first step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beginning {
    /// Particles.
    pub particles: usize,
    /// Fingerprint of where they are, how they move and what they are, without forces.
    pub particle_fingerprint: String,
    /// The saved state that the run branched from; null for one that began from its scene.
    pub branched: Option<Branched>,
}

impl Beginning {
    /// That of a simulation before its first step.
    pub(super) fn of(simulation: &Simulation, branched: Option<Branched>) -> Self {
        let particles = &simulation.world.particles;
        Self { particles: particles.len(), particle_fingerprint: particle_fingerprint(particles), branched }
    }

    pub(super) fn write(&self, directory: &Path) -> Result<(), RunError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(atomic::write_atomically(&directory.join(BEGINNING), text.as_bytes())?)
    }

    /// Reads that of a run directory; none if the run was begun by a version that did not write it.
    ///
    /// # Errors
    /// A file that cannot be read or holds something else.
    pub fn read(directory: &Path) -> Result<Option<Self>, RunError> {
        let path = directory.join(BEGINNING);
        let refused = dem_io::Error::system("read", &path);
        match dem_io::regular_file::read_to_string(&path) {
            Ok(text) => match serde_json::from_str(&text) {
                Ok(beginning) => Ok(Some(beginning)),
                Err(error) => Err(refused(std::io::Error::other(error)).into()),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(error).into()),
        }
    }
}
