//! What can go wrong with a workload.

/// A workload that cannot be built or run.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// An option that is refused, a result that cannot be written.
    #[error(transparent)]
    Report(#[from] dem_report::ReportError),
    /// A search that did not reach its tolerance.
    #[error("{method} did not converge: {detail}")]
    Convergence {
        /// What was searched.
        method: &'static str,
        /// Deviation, tolerance, trials.
        detail: String,
    },
    /// A scene that cannot be built.
    #[error("scene of the study: {0}")]
    Scene(#[from] dem_io::document::SceneError),
    /// A simulation that could not go on.
    #[error("simulation of the study: {0}")]
    Simulation(#[from] dem_sim::simulation::SimulationError),
    /// A saved state that cannot be used.
    #[error("state of the study: {0}")]
    State(#[from] dem_sim::checkpoint::SavedStateError),
    /// A table that cannot be read.
    #[error(transparent)]
    Table(#[from] dem_io::table::TableError),
    /// A run that could not begin or go on.
    #[error(transparent)]
    Run(#[from] dem_sim::run::RunError),
    /// The user wants no more.
    #[error("interrupted")]
    Interrupted,
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] dem_io::Error),
}
