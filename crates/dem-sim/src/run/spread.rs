//! A run whose assembly is spread over ranks: it is brought together for whatever is written.

use super::components::Run;
use super::error::RunError;
use super::team::Command;
use crate::simulation::error::SimulationError;

impl Run {
    /// Calls `act` while the simulation holds the whole assembly.
    pub(super) fn with_all<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, RunError>) -> Result<T, RunError> {
        let Some(team) = self.team.as_mut().filter(|team| team.is_spread()) else {
            return act(self);
        };
        team.tell(&Command::Show)?;
        team.is_gathered = true;
        let gathered = self.simulation.gather_all().map_err(SimulationError::from);
        let result = gathered.is_ok().then(|| act(self));
        if let Some(team) = &mut self.team {
            team.is_gathered = false;
        }
        if let Some(own) = gathered? {
            self.simulation.put_back(own);
        }
        result.unwrap_or(Err(RunError::Scattered))
    }

    /// Has the others take part in a report of progress.
    pub(super) fn status_of_all(&self) -> Result<(), RunError> {
        match self.team.as_ref().filter(|team| team.is_spread()) {
            Some(team) => team.tell(&Command::Report),
            None => Ok(()),
        }
    }
}
