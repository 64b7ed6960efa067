//! `dem study discharge`

use std::path::PathBuf;

use clap::Args;
use dem_analysis::AnalysisError;
use dem_analysis::discharge::{Options, run};
use dem_report::Report;
use dem_report::given::quantity;

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Run directory, or directory of an ensemble; its rates are then tabulated against its parameters.
    run: PathBuf,
    /// Start of the steady discharge, for example "2 s". Default: when 20 % of the outflow has passed.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<String>,
    /// End of the steady discharge. Default: when 80 % of the outflow has passed.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<String>,
}

impl Arguments {
    /// What the study looks at.
    pub fn runs(&self) -> &[PathBuf] {
        std::slice::from_ref(&self.run)
    }
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, AnalysisError> {
    let time = |option, text: &Option<String>| text.as_deref().map(|text| quantity(option, "s", text)).transpose();
    let (from, to) = (time("--from", &arguments.from)?, time("--to", &arguments.to)?);
    run(&Options { run: arguments.run.clone(), from, to })
}
