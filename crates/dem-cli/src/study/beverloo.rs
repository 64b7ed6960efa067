//! `dem study beverloo`

use clap::Args;
use dem_report::Report;
use dem_report::given::numbers;
use dem_studies::StudyError;
use dem_studies::beverloo::{Options, run};

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Outlet diameters in mean sphere diameters, 3 to 15; at least three values.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, default_value = "6,7,8,9")]
    outlets: String,
    /// Spheres in the hopper, 200 to 100000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().particles)]
    particles: u64,
    /// Seed of all runs.
    #[arg(long, value_name = "SEED", default_value_t = Options::default().seed)]
    seed: u64,
    /// The k of the law, which is not fitted, 0 to 2.5.
    #[arg(long, value_name = "K", allow_hyphen_values = true, default_value_t = Options::default().k)]
    k: f64,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let Arguments { outlets, particles, seed, k, .. } = arguments;
    let outlets = numbers("--outlets", outlets, "3 to 15", |x| (3.0..=15.0).contains(&x))?;
    run(&Options { outlets, particles: *particles, seed: *seed, k: *k })
}
