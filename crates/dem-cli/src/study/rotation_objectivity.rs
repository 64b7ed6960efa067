//! `dem study rotation-objectivity`

use clap::Args;
use dem_report::Report;
use dem_studies::StudyError;
use dem_studies::rotation_objectivity::{Options, run};

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Spheres of the sample, or clusters, 100 to 20000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().particles)]
    particles: u64,
    /// Take the octahedral clusters of examples/triaxial_clusters.toml instead of spheres.
    #[arg(long)]
    clusters: bool,
    /// Ratio of deviator to mean stress at which the sample is stopped and turned, above 0 and up to 2.
    #[arg(long, value_name = "RATIO", default_value_t = Options::default().q_over_p)]
    q_over_p: f64,
    /// Numbers of increments of the turn, each 2 to 100000.
    #[arg(long, value_name = "COUNT,..", value_delimiter = ',', default_values_t = Options::default().increments)]
    increments: Vec<u64>,
    /// Seed of the packing and of the random axis.
    #[arg(long, default_value_t = Options::default().seed)]
    seed: u64,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let Arguments { particles, clusters, q_over_p, increments, seed, .. } = arguments;
    let increments = increments.clone();
    run(&Options { particles: *particles, clusters: *clusters, q_over_p: *q_over_p, increments, seed: *seed })
}
