//! What `dem run` may be given.

use std::path::{Path, PathBuf};

use clap::Args;
use dem_io::document::Override;
use dem_sim::builder::{LoadedScene, load_scene};

use crate::failure::Failure;
use crate::merge;

/// Options that choose a scene and change values in it.
#[derive(Args)]
pub struct SceneArguments {
    /// Scene file.
    pub scene: PathBuf,
    /// Change a value of the scene, for example contact.friction=0.3 or time.end="2 s"; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl SceneArguments {
    /// The same with a further change.
    pub fn with(&self, change: &str) -> Self {
        Self { scene: self.scene.clone(), set: self.set.iter().cloned().chain([change.to_owned()]).collect() }
    }

    /// Reads the scene with the changes.
    pub fn load(&self) -> Result<LoadedScene, Failure> {
        let overrides = self.set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(load_scene(&self.scene, &overrides)?)
    }
}

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub scene: SceneArguments,
    /// Directory for the results. Default: runs/ and the name of the scene, for several runs with `_ensemble` behind it.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads; the results do not depend on it. Default: all cores. For several runs: number of concurrent runs, one thread each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Number of ranks that share the particles, threads of this process; under mpiexec or srun ranks are the processes that it starts. The results
    /// do not depend on it. --threads is then that of each rank.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub ranks: Option<u16>,
    /// Stop at this step, counted from the beginning of the simulation, also after a restart.
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Stop at this time, for example "500 ms", also after a restart.
    #[arg(long, value_name = "T")]
    pub until: Option<String>,
    /// Continue the run in the directory bit for bit from a checkpoint, or from the latest one.
    #[arg(long, value_name = "CHECKPOINT|latest", conflicts_with_all = ["from", "force"])]
    pub restart: Option<String>,
    /// Start a new run with the particles of a saved state (checkpoint or run directory). Contact histories are kept where the law of the pair
    /// is the same; time, stages, walls and pouring start anew, and sources that fill at the start are skipped.
    #[arg(long, value_name = "STATE")]
    pub from: Option<PathBuf>,
    /// Replace the run that is in the directory.
    #[arg(long)]
    pub force: bool,
    /// Draw no picture and no plots at the end; the same as --set output.pictures=false.
    #[arg(long)]
    pub no_pictures: bool,
    /// Print the summary, or the table of several runs, as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub ensemble: EnsembleArguments,
}

/// Options that make several runs of one scene.
#[derive(Args)]
pub struct EnsembleArguments {
    /// One run for every seed, as in 1..20 (both ends) or 3,5,8.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["restart", "ranks"])]
    pub seeds: Option<String>,
    /// One run for every value of a key of the scene, for example contact.friction=0.1,0.3,0.5; several keys give all combinations.
    #[arg(long = "sweep", value_name = "KEY=A,B,C", conflicts_with_all = ["restart", "ranks"])]
    pub sweeps: Vec<String>,
    /// One run for every line of a CSV file: keys in the first line, values in the others.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["restart", "ranks"])]
    pub sweep_file: Option<PathBuf>,
    /// Only part I of N, for jobs of a cluster; `dem merge` merges the parts.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Threads of each of several runs.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads_each: u16,
    #[command(flatten)]
    pub averages: merge::AverageArguments,
}

impl EnsembleArguments {
    /// Whether any of them is.
    pub fn is_given(&self) -> bool {
        self.seeds.is_some()
            || !self.sweeps.is_empty()
            || self.sweep_file.is_some()
            || self.shard.is_some()
            || self.averages.is_given()
    }
}

/// `runs/` and the name of the scene with an ending.
pub fn default_directory(scene: &Path, ending: &str) -> PathBuf {
    let stem = scene.file_stem().unwrap_or(scene.as_os_str()).to_string_lossy();
    Path::new("runs").join(format!("{stem}{ending}"))
}
