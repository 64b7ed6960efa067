//! `dem study discharge`

use std::path::PathBuf;

use clap::Args;
use dem_studies::discharge::{Options, run};
use dem_studies::{Report, StudyError};

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Run directory.
    run: PathBuf,
    /// Begin of the steady part, in s. Default: when a fifth of what leaves has left.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<f64>,
    /// End of it, in s. Default: when four fifths have left.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<f64>,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    run(&Options { run: arguments.run.clone(), from: arguments.from, to: arguments.to })
}
