//! What can go wrong in a study.

/// A study that cannot be done or written.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// An option out of range.
    #[error("{option} = {value}, expected {allowed}")]
    Option {
        /// Name of the option on the command line.
        option: &'static str,
        /// What was asked for.
        value: String,
        /// What is possible.
        allowed: String,
    },
    /// A quantity without a unit, or with a wrong one.
    #[error("{option}: {why}")]
    Quantity {
        /// Name of the option on the command line.
        option: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A numerical method that did not reach its tolerance.
    #[error("{method} did not converge: {detail}")]
    Convergence {
        /// The method.
        method: &'static str,
        /// Residual, tolerance, iterations.
        detail: String,
    },
    /// A scene of the study that cannot be built.
    #[error("scene of the study: {0}")]
    Scene(#[from] dem_io::document::SceneError),
    /// Runs that cannot be put together.
    #[error("{0}")]
    Ensemble(String),
    /// A directory that holds what a command must not replace.
    #[error("{0}")]
    Occupied(String),
    /// A run of an ensemble in which a step failed.
    #[error("{0}")]
    Member(String),
    /// A directory that is not that of a run.
    #[error("{0} {1}, expected the directory of a run")]
    RunDirectory(std::path::PathBuf, String),
    /// An integrator of the study that cannot be built.
    #[error("integrator of the study: {0}")]
    Integrator(#[from] dem_contact::LawError),
    /// A simulation of the study that could not go on.
    #[error("simulation of the study: {0}")]
    Simulation(#[from] dem_sim::simulation::SimulationError),
    /// A saved state of the study that cannot be used.
    #[error("state of the study: {0}")]
    State(#[from] dem_sim::saved_state::SavedStateError),
    /// Threads that cannot be started.
    #[error("threads of the study: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A step of the study that failed.
    #[error("step of the study: {0}")]
    Step(#[from] dem_sim::error::StepError),
    /// A picture of a state that cannot be drawn.
    #[error("picture: {0}")]
    Picture(#[from] dem_view::ViewError),
    /// A result that cannot be drawn.
    #[error("figure {figure}: {source}")]
    Figure {
        /// Name of the figure.
        figure: String,
        /// What the plot refuses.
        source: dem_view::ViewError,
    },
    /// Snapshots that do not hold what a study needs.
    #[error("snapshots: {0}")]
    Snapshots(String),
    /// A series that cannot be read, or does not hold what a study needs.
    #[error(transparent)]
    Series(#[from] dem_io::series::SeriesError),
    /// A run that does not hold what a study needs.
    #[error("{run}: {why}")]
    Unsuitable {
        /// The run directory.
        run: String,
        /// What is missing.
        why: String,
    },
    /// A probe, or a folder of probes, that cannot be used.
    #[error("probe: {0}")]
    Probe(String),
    /// A scene that is no triaxial test.
    #[error("triaxial test: {0}")]
    Triaxial(String),
    /// A table that cannot be read.
    #[error(transparent)]
    Table(#[from] dem_io::table::TableError),
    /// A run of the study that could not begin or go on.
    #[error(transparent)]
    Run(#[from] dem_sim::run::RunError),
    /// The user wants no more.
    #[error("interrupted")]
    Interrupted,
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] dem_io::Error),
}

/// Checks a whole number of the command line.
///
/// # Errors
/// A number outside `least` to `most`.
pub(crate) fn within(option: &'static str, value: u64, least: u64, most: u64) -> Result<(), StudyError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(StudyError::Option { option, value: value.to_string(), allowed: format!("{least} to {most}") })
}
