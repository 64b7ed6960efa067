//! Saved states that members branch from.

use std::path::{Path, PathBuf};

use dem_analysis::ensemble::{Averages, Finished, Standing, is_ensemble, member_directories, standing};
use dem_sim::run::Origin;

use crate::error::StudyError;

/// States to branch from.
pub enum Origins {
    /// None: particles come from the scene.
    Scene,
    /// The same for every member.
    One(PathBuf),
    /// An ensemble and its finished members, of which each member takes that with its own seed.
    BySeed(PathBuf, Vec<Finished>),
}

impl Origins {
    /// Looks what there is to branch from.
    ///
    /// # Errors
    /// An ensemble that cannot be read.
    pub fn new(from: Option<&Path>) -> Result<Self, StudyError> {
        let Some(from) = from else { return Ok(Self::Scene) };
        if !is_ensemble(from) {
            return Ok(Self::One(from.to_path_buf()));
        }
        let mut states = Vec::new();
        for directory in member_directories(from)? {
            if standing(&directory)? == Standing::Finished {
                states.push(Finished::read(&directory, &[], &Averages::default())?);
            }
        }
        Ok(Self::BySeed(from.to_path_buf(), states))
    }

    /// Whether all members begin with one saved state.
    pub fn is_single(&self) -> bool {
        matches!(self, Self::One(_))
    }

    /// Where the particles of a member come from.
    ///
    /// # Errors
    /// An ensemble without a single finished member of the seed.
    pub fn of(&self, seed: u64) -> Result<Origin, StudyError> {
        match self {
            Self::Scene => Ok(Origin::Scene),
            Self::One(path) => Ok(Origin::Branch(path.clone())),
            Self::BySeed(path, states) => {
                let mut own = states.iter().filter(|state| state.seed == seed);
                match (own.next(), own.next()) {
                    (Some(state), None) => Ok(Origin::Branch(state.directory.clone())),
                    (found, _) => Err(StudyError::Ensemble(format!(
                        "{} has {} finished member with seed {seed}, expected one to branch from",
                        path.display(),
                        if found.is_some() { "more than one" } else { "no" }
                    ))),
                }
            }
        }
    }
}
