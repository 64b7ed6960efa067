//! `dem study slice`

use clap::Args;
use dem_report::Report;
use dem_studies::StudyError;
use dem_studies::slice::{Options, run};

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Random starts, 2 to 10000, each run with and without rotation.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().seeds)]
    seeds: u64,
    /// Discs, 20 to 235.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().particles)]
    particles: u64,
    /// Integrator of all starts, for example `gear` or `newmark mode="pece"`.
    #[arg(long, value_name = "NAME", default_value_t = Options::default().integrator)]
    integrator: String,
    /// Leave out the first start under the other integrators.
    #[arg(long)]
    one_integrator: bool,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let Arguments { seeds, particles, integrator, one_integrator, .. } = arguments;
    run(&Options {
        seeds: *seeds,
        particles: *particles,
        integrator: integrator.clone(),
        all_integrators: !one_integrator,
    })
}
