//! `dem study janssen`

use std::path::PathBuf;

use clap::Args;
use dem_report::Report;
use dem_studies::StudyError;
use dem_studies::silo::{Options, run};

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Run directories with a wall probe on an upright cylinder. Default: fills a small silo in two ways, from several seeds.
    runs: Vec<PathBuf>,
    /// Number of fillings of the small silo with each method, 2 to 1000.
    #[arg(long, value_name = "COUNT", conflicts_with = "runs", default_value_t = Options::default().seeds)]
    seeds: u64,
    /// Spheres in the small silo, 300 to 100000.
    #[arg(long, value_name = "COUNT", conflicts_with = "runs", default_value_t = Options::default().particles)]
    particles: u64,
}

impl Arguments {
    /// What the study looks at.
    pub fn runs(&self) -> &[PathBuf] {
        &self.runs
    }
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let Arguments { runs, seeds, particles, .. } = arguments;
    run(&Options { runs: runs.clone(), seeds: *seeds, particles: *particles })
}
