//! Failures and the exit codes that distinguish them.

use std::path::Path;

use dem_analysis::AnalysisError;
use dem_io::document::SceneError;
use dem_reference::ReferenceError;
use dem_report::ReportError;
use dem_sim::builder::AllErrors;
use dem_sim::run::RunError;
use dem_studies::StudyError;
use dem_workloads::WorkloadError;

/// What a command ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode(pub u8);

impl ExitCode {
    /// All went well.
    pub const SUCCESS: Self = Self(0);
    /// A check failed.
    pub const FAILURE: Self = Self(1);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code)
    }
}

/// Exit code for wrong input and files that cannot be used.
const INPUT: u8 = 2;
/// Exit code for a simulation that could not continue.
const SIMULATION: u8 = 3;
/// Exit code for results that were written but are not what was requested.
pub const SHORTFALL: u8 = SIMULATION;
/// Exit code of an interrupted run, as shells expect after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// A message for the terminal and the exit code that goes with it.
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// Wrong input.
    pub fn input(message: impl std::fmt::Display) -> Self {
        Self { message: format!("error: {message}"), code: INPUT }
    }

    /// One that another process tells of.
    pub fn silent() -> Self {
        Self { message: String::new(), code: INPUT }
    }

    /// A scene with all its errors.
    pub fn scene(all: &AllErrors) -> Self {
        let mut message = all.errors.iter().map(SceneError::to_string).collect::<Vec<_>>().join("\n");
        match (all.errors.len(), all.are_more) {
            (1, false) => {}
            (count, false) => message += &format!("\n{count} errors"),
            (count, true) => message += &format!("\n{count} errors; the search for further errors was stopped"),
        }
        Self { message, code: INPUT }
    }

    /// A simulation that could not continue.
    pub fn simulation(message: impl std::fmt::Display) -> Self {
        Self { message: format!("error: {message}"), code: SIMULATION }
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The exit code.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

/// Refuses the name of a file that says it is of another format than what is written into it; a name without a suffix says nothing.
pub fn expect_suffix(option: &str, file: &Path, allowed: &[&str]) -> Result<(), Failure> {
    let Some(suffix) = file.extension().map(|suffix| suffix.to_string_lossy().to_lowercase()) else { return Ok(()) };
    if allowed.contains(&suffix.as_str()) {
        return Ok(());
    }
    let names = allowed.iter().map(|name| format!(".{name}")).collect::<Vec<_>>().join(" or ");
    Err(Failure::input(format!(
        "{option} {}: expected a name that ends in {names}, the format that is written",
        file.display()
    )))
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        // a scene error prints itself in full
        Self { message: error.to_string(), code: INPUT }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scene(error) => error.into(),
            error if error.is_simulation_failure() => Self::simulation(error),
            error => Self::input(error),
        }
    }
}

impl From<dem_io::Error> for Failure {
    fn from(error: dem_io::Error) -> Self {
        Self::input(error)
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::input(error)
    }
}

impl From<ReferenceError> for Failure {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Convergence { .. } => Self::simulation(error),
            error => Self::input(error),
        }
    }
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Scene(error) => error.into(),
            AnalysisError::Run(error) => error.into(),
            error => Self::input(error),
        }
    }
}

impl From<WorkloadError> for Failure {
    fn from(error: WorkloadError) -> Self {
        match error {
            WorkloadError::Scene(error) => error.into(),
            WorkloadError::Run(error) => error.into(),
            WorkloadError::Convergence { .. } | WorkloadError::Simulation(_) => Self::simulation(error),
            error => Self::input(error),
        }
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Reference(error) => error.into(),
            StudyError::Analysis(error) => (*error).into(),
            StudyError::Workload(error) => (*error).into(),
            StudyError::Scene(error) => error.into(),
            StudyError::Run(error) => error.into(),
            StudyError::Convergence { .. }
            | StudyError::Member(_)
            | StudyError::Simulation(_)
            | StudyError::Step(_) => Self::simulation(error),
            error => Self::input(error),
        }
    }
}
