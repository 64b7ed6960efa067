//! `dem study rotation`

use clap::Args;
use dem_report::Report;
use dem_studies::StudyError;
use dem_studies::rotation::{Options, TIMING, run};
use dem_workloads::bed::Timing;

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Steps of constant spin, 1 to 1e9.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().steps)]
    steps: u64,
    /// Also time every parameterization, alone and against a whole step of the engine. Use a release build.
    #[arg(long)]
    bench: bool,
    /// Spheres of the dense packing of the timing, 100 to 1e6.
    #[arg(long, value_name = "COUNT", requires = "bench", default_value_t = TIMING.particles)]
    particles: usize,
    /// Relaxation steps of that packing before the timing, up to 1e7.
    #[arg(long, value_name = "COUNT", requires = "bench", default_value_t = TIMING.settling)]
    settling: usize,
    /// Rounds of the timing, of which the median is taken, 1 to 1000.
    #[arg(long, value_name = "COUNT", requires = "bench", default_value_t = TIMING.rounds)]
    rounds: usize,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let &Arguments { steps, bench, particles, settling, rounds, .. } = arguments;
    run(&Options { steps, bench: bench.then_some(Timing { particles, settling, rounds }) })
}
