//! What can go wrong in a study.

use dem_analysis::AnalysisError;
use dem_workloads::WorkloadError;

/// A study that cannot be done or written.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// An option that is refused, a result that cannot be drawn or written.
    #[error(transparent)]
    Report(#[from] dem_report::ReportError),
    /// A reference without a solution.
    #[error(transparent)]
    Reference(#[from] dem_reference::ReferenceError),
    /// A run that cannot be read, or does not hold what a study needs.
    #[error(transparent)]
    Analysis(Box<AnalysisError>),
    /// A workload that cannot be built or run.
    #[error(transparent)]
    Workload(Box<WorkloadError>),
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
    /// Runs that cannot be members of an ensemble, or be compared.
    #[error("{0}")]
    Ensemble(String),
    /// A run of an ensemble in which a step failed.
    #[error("{0}")]
    Member(String),
    /// A law or an integrator of the study that cannot be built.
    #[error("integrator of the study: {0}")]
    Integrator(#[from] dem_contact::LawError),
    /// A simulation of the study that could not go on.
    #[error("simulation of the study: {0}")]
    Simulation(#[from] dem_sim::simulation::SimulationError),
    /// A saved state of the study that cannot be used.
    #[error("state of the study: {0}")]
    State(#[from] dem_sim::checkpoint::SavedStateError),
    /// A step of the study that failed.
    #[error("step of the study: {0}")]
    Step(#[from] dem_sim::error::StepError),
    /// A picture of a state that cannot be drawn.
    #[error("picture: {0}")]
    Picture(#[from] dem_view::ViewError),
    /// A probe, or a folder of probes, that cannot be used.
    #[error("probe: {0}")]
    Probe(String),
    /// A scene that is no triaxial test.
    #[error("triaxial test: {0}")]
    Triaxial(String),
    /// A run of the study that could not begin or go on.
    #[error(transparent)]
    Run(#[from] dem_sim::run::RunError),
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] dem_io::Error),
}

// in a box: with all that these hold an error would be large enough to slow down what returns none

impl From<AnalysisError> for StudyError {
    fn from(error: AnalysisError) -> Self {
        Self::Analysis(Box::new(error))
    }
}

impl From<WorkloadError> for StudyError {
    fn from(error: WorkloadError) -> Self {
        Self::Workload(Box::new(error))
    }
}
