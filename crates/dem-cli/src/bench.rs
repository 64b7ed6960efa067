//! `dem bench`

use std::path::PathBuf;

use clap::Args;
use dem_report::given::quantities;
use dem_workloads::benchmark::{Options, run};

use crate::failure::{ExitCode, Failure};
use crate::memory;
use crate::terminal::{say, say_text};

#[derive(Args)]
pub struct Arguments {
    /// Workload: settled, stir, periodic, polydisperse, mixture, shear or hopper.
    case: String,
    /// Spheres, a multiple of 10,000 (periodic and shear: 10,648, polydisperse: 20,000; hopper: 7,000 only) [default: one packing].
    #[arg(long, value_name = "COUNT")]
    size: Option<usize>,
    /// Table of a packing of your own, columns x, y, z, r and perhaps vx, vy, vz.
    #[arg(long, value_name = "FILE", requires = "period")]
    particles: Option<PathBuf>,
    /// Periods of that packing along x and y (periodic, shear and polydisperse: and z), separated by commas, with a unit, for example "48,48 mm".
    #[arg(long, value_name = "LENGTHS")]
    period: Option<String>,
    /// Threads [default: all].
    #[arg(long, value_name = "COUNT")]
    threads: Option<usize>,
    /// Ranks in threads that share the spheres; --threads is then that of each [default: 1].
    #[arg(long, value_name = "COUNT")]
    ranks: Option<usize>,
    /// Predict the speed of as many spheres on up to 1,024 ranks, from what these ones do and a model of the network.
    #[arg(long)]
    forecast: bool,
    /// Steps before the timing [default: that of the case].
    #[arg(long, value_name = "COUNT")]
    warmup: Option<u64>,
    /// Timed steps [default: those of the case].
    #[arg(long, value_name = "COUNT")]
    steps: Option<u64>,
    /// Contact law [default: that of the case].
    #[arg(long, value_name = "LAW")]
    law: Option<String>,
    /// Keep the work terms of contacts for the energy ledger. Default: off for laws that can omit them, as in other codes.
    #[arg(long)]
    works: bool,
    /// Integrate the orientations of the spheres. Default: off, as in other codes.
    #[arg(long)]
    orientations: bool,
    /// Broadphase: automatic, cell_list, hierarchical_grid or kd_tree [default: automatic].
    #[arg(long, value_name = "NAME")]
    broadphase: Option<String>,
    /// SIMD instruction set for the contacts: avx512, avx2 or scalar [default: the widest that the processor supports].
    #[arg(long, value_name = "NAME")]
    lanes: Option<String>,
    /// Facets of the mesh of hopper: 288, 5760, or 0 for analytic walls [default: 5760].
    #[arg(long, value_name = "COUNT")]
    facets: Option<usize>,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

/// Times a workload.
pub fn bench(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let period = arguments.period.as_deref().map(|text| quantities("--period", "m", text, "above 0", |x| x > 0.0));
    let options = Options {
        case: arguments.case.clone(),
        size: arguments.size,
        particles: arguments.particles.clone(),
        period: period.transpose()?.unwrap_or_default(),
        threads: arguments.threads,
        ranks: arguments.ranks,
        forecast: arguments.forecast,
        warm_up: arguments.warmup,
        steps: arguments.steps,
        law: arguments.law.clone(),
        works: arguments.works,
        orientations: arguments.orientations,
        broadphase: arguments.broadphase.clone(),
        lanes: arguments.lanes.clone(),
        facets: arguments.facets,
    };
    // as before the first step of a run
    let found = run(&options, memory::give_back)?;
    if arguments.json {
        say!("{:#}", found.to_json());
    } else {
        say_text(format_args!("{}", found.to_text()));
    }
    Ok(ExitCode::SUCCESS)
}
