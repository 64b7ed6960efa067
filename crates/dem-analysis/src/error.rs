//! What can go wrong when a run is read.

/// A run that cannot be read, or does not hold what is asked of it.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// An option that is refused, a result that cannot be drawn or written.
    #[error(transparent)]
    Report(#[from] dem_report::ReportError),
    /// A scene that cannot be read or built.
    #[error("scene of the study: {0}")]
    Scene(#[from] dem_io::document::SceneError),
    /// Runs that cannot be put together.
    #[error("{0}")]
    Ensemble(String),
    /// A directory that is not that of a run.
    #[error("{0} {1}, expected the directory of a run")]
    RunDirectory(std::path::PathBuf, String),
    /// Snapshots that do not hold what is asked of them.
    #[error("snapshots: {0}")]
    Snapshots(String),
    /// A series that cannot be read.
    #[error(transparent)]
    Series(#[from] dem_io::series::SeriesError),
    /// A run that does not hold what is asked of it.
    #[error("{run}: {why}")]
    Unsuitable {
        /// The run directory.
        run: String,
        /// What is missing.
        why: String,
    },
    /// A figure that cannot be drawn as it is asked for.
    #[error("{0}")]
    Plot(String),
    /// A note of a run that cannot be read.
    #[error(transparent)]
    Run(#[from] dem_sim::run::RunError),
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] dem_io::Error),
}
