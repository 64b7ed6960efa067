//! `dem study rotation`

use clap::Args;
use dem_report::Report;
use dem_studies::StudyError;
use dem_studies::rotation::{Options, Runs, TIMING, run};
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
    /// Leave out the whole runs of the engine with every choice of time.rotation.
    #[arg(long)]
    no_runs: bool,
    /// Free bodies, and spinning spheres, of the whole runs, 8 to 1e5.
    #[arg(long, value_name = "COUNT", conflicts_with = "no_runs", default_value_t = Runs::default().bodies)]
    run_bodies: usize,
    /// Dimers of the packing of the whole runs, 8 to 1e5.
    #[arg(long, value_name = "COUNT", conflicts_with = "no_runs", default_value_t = Runs::default().dimers)]
    run_dimers: usize,
    /// Steps over which free bodies drift, 100 to 1e7; spheres take a tenth of them.
    #[arg(long, value_name = "COUNT", conflicts_with = "no_runs", default_value_t = Runs::default().steps)]
    run_steps: u64,
    /// Steps in which the packing of the whole runs settles, up to 1e7; it goes on for a tenth of them.
    #[arg(long, value_name = "COUNT", conflicts_with = "no_runs", default_value_t = Runs::default().settling)]
    run_settling: u64,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let &Arguments { steps, bench, particles, settling, rounds, no_runs, .. } = arguments;
    let &Arguments { run_bodies, run_dimers, run_steps, run_settling, .. } = arguments;
    let runs = Runs { bodies: run_bodies, dimers: run_dimers, steps: run_steps, settling: run_settling };
    let bench = bench.then_some(Timing { particles, settling, rounds });
    run(&Options { steps, bench, runs: (!no_runs).then_some(runs) })
}
