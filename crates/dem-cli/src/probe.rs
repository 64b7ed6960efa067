//! `dem probe`

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;
use dem_io::checkpoint_folder;
use dem_report::ReportError;
use dem_report::output_directory::OutputDirectory;
use dem_report::shard::Shard;
use dem_sim::builder::LoadedScene;
use dem_sim::run::{Ended, Origin, Run, RunBounds};
use dem_studies::StudyError;
use dem_studies::named_choice::separate;
use dem_studies::probe::{LawChoice, Options, Plane, Probed, is_campaign, merge, run, run_anew};

use crate::failure::{ExitCode, Failure, SHORTFALL};
use crate::progress::Progress;
use crate::quantity::share;
use crate::run::SceneArguments;
use crate::study::show;
use crate::terminal::say;

const COMMAND: &str = "dem probe";
/// Folder of the run that prepares a state.
const PREPARATION: &str = "preparation";

#[derive(Args)]
pub struct Arguments {
    /// Directory of a run, whose last state is probed, or a scene, which is run first into OUT/preparation.
    #[arg(required_unless_present = "merge")]
    source: Option<PathBuf>,
    /// Change a value of the scene; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", conflicts_with = "merge")]
    set: Vec<String>,
    /// Checkpoint to probe instead of the last one of the run.
    #[arg(long, value_name = "CHECKPOINT", conflicts_with = "merge")]
    state: Option<PathBuf>,
    /// Directory for probes, tables and figures. Default: probe in the run directory, or runs/ and the name of the scene.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the probes, tables and figures that are in the directory.
    #[arg(long)]
    force: bool,
    /// Number of concurrent probes; the results do not depend on it. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Do only part i of n; --merge combines the parts.
    #[arg(long, value_name = "i/n", conflicts_with = "merge")]
    shard: Option<String>,
    /// Evaluate the probes of these directories together.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Comma-separated laws, each NAME or NAME:key=value,key=value. The others are compared with the first. Default: the law of the state.
    #[arg(long = "law", visible_alias = "laws", value_name = "A,B")]
    laws: Vec<String>,
    /// Let a law start with empty contact histories if its history fields differ from those of the law of the state.
    #[arg(long)]
    drop_histories: bool,
    /// Also the six combinations of single refinements of kuhn, for states of that law: 1 forming and separating contacts, 2 onset of sliding, 3
    /// rotation of the friction force.
    #[arg(long)]
    refinements: bool,
    /// Axis of loading.
    #[arg(long, value_name = "x|y|z", default_value = "z")]
    axis: String,
    /// Plane of the probe strains: rendulic, deviatoric or general (all six components).
    #[arg(long, value_name = "PLANE", default_value = Plane::NAMES[0])]
    plane: String,
    /// Number of directions, 4 to 10000.
    #[arg(long, value_name = "N", default_value_t = Options::default().directions)]
    directions: usize,
    /// Seed of random directions.
    #[arg(long, default_value_t = Options::default().seed)]
    seed: u64,
    /// Steps over which the strain is applied, 1 to 100000; with several numbers the probes are repeated with each.
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = Options::default().steps)]
    steps: Vec<u32>,
    /// Relaxation steps at fixed cell after the strain, up to 100000.
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = Options::default().relax)]
    relax: Vec<u32>,
    /// Norm of the strain, above 0 and up to 0.01.
    #[arg(long, value_name = "STRAIN,..", value_delimiter = ',', default_values_t = Options::default().magnitudes, value_parser = share)]
    magnitude: Vec<f64>,
    /// Steps over which the stress is unloaded to its initial value; 0 skips unloading.
    #[arg(long, value_name = "N", default_value_t = Options::default().unload)]
    unload: u32,
    /// Print the first table as a JSON array.
    #[arg(long)]
    json: bool,
}

/// Probes a state, or puts probes together.
pub fn probe(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(source) = &arguments.source.as_ref().filter(|_| arguments.merge.is_empty()) {
        let out = arguments.out.clone().unwrap_or_else(|| {
            if source.is_dir() { source.join("probe") } else { crate::run::default_directory(source, "_probe") }
        });
        let shard = arguments.shard.as_deref().map_or(Ok(Shard::WHOLE), Shard::parse)?;
        let mut options = options(arguments)?;
        let directory = directory(&out, shard, arguments.force)?;
        (options.scene, options.state) = prepare(arguments, source, &out)?;
        let threads = arguments.threads.map_or_else(available_threads, usize::from);
        let progress = indicatif::ProgressBar::new(0);
        let tell = |done: usize, total: usize| {
            progress.set_length(total as u64);
            progress.set_position(done as u64);
        };
        let run = if arguments.force { run_anew } else { run };
        let probed = run(&options, &out, shard, threads, &tell)?;
        progress.finish_and_clear();
        return match probed {
            Some(probed) => finish(arguments, &probed, &directory),
            None => {
                say!("{shard} is done: {}", out.display());
                say!("put the parts together with: dem probe --merge DIR DIR .. --out DIR");
                Ok(ExitCode::SUCCESS)
            }
        };
    }
    let out = arguments.out.clone().unwrap_or_else(|| arguments.merge[0].clone());
    let directory = if arguments.merge.contains(&out) {
        OutputDirectory::going_on(&out, COMMAND, is_campaign)?
    } else {
        OutputDirectory::new(&out, COMMAND, arguments.force)?
    };
    finish(arguments, &merge(&arguments.merge)?, &directory)
}

/// The directory of a campaign: a new one, or one that is continued, in which other processes may do further parts.
fn directory(out: &Path, shard: Shard, force: bool) -> Result<OutputDirectory, Failure> {
    // interrupted before its first probe
    let is_own = |path: &Path| is_campaign(path) || path.join(PREPARATION).is_dir();
    Ok(match (force, shard == Shard::WHOLE) {
        (true, _) => OutputDirectory::new(out, COMMAND, true)?,
        (false, true) => OutputDirectory::going_on(out, COMMAND, is_own)?,
        (false, false) => OutputDirectory::shared(out, COMMAND, is_own)?,
    })
}

fn finish(arguments: &Arguments, probed: &Probed, directory: &OutputDirectory) -> Result<ExitCode, Failure> {
    let code = show(&probed.report, directory, arguments.json)?;
    Ok(if probed.failures > 0 { ExitCode::from(SHORTFALL) } else { code })
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn options(arguments: &Arguments) -> Result<Options, StudyError> {
    let refused = |option, value: &str, names: &[&str]| ReportError::Option {
        option,
        value: value.to_owned(),
        allowed: format!("one of {}", names.join(", ")),
    };
    let axes = ["x", "y", "z"];
    let axis = axes.iter().position(|axis| *axis == arguments.axis);
    let mut laws = separate(&arguments.laws).iter().map(|law| LawChoice::parse(law)).collect::<Result<Vec<_>, _>>()?;
    if arguments.refinements {
        if laws.is_empty() {
            laws.push(LawChoice::parse("kuhn")?);
        }
        laws.extend(LawChoice::all_refined());
    }
    Ok(Options {
        scene: PathBuf::new(),
        set: arguments.set.clone(),
        state: PathBuf::new(),
        axis: axis.ok_or_else(|| refused("--axis", &arguments.axis, &axes))?,
        plane: Plane::from_name(&arguments.plane).ok_or_else(|| refused("--plane", &arguments.plane, &Plane::NAMES))?,
        directions: arguments.directions,
        seed: arguments.seed,
        laws,
        drop_histories: arguments.drop_histories,
        steps: arguments.steps.clone(),
        relax: arguments.relax.clone(),
        magnitudes: arguments.magnitude.clone(),
        unload: arguments.unload,
    })
}

/// Scene and state: those of a run, or of a run of the scene that is made or continued first.
fn prepare(arguments: &Arguments, source: &Path, out: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    if source.is_dir() {
        let state =
            arguments.state.as_ref().map_or_else(|| latest_state(source), |state| named_state(source, state))?;
        return Ok((source.join("scene.resolved.toml"), state));
    }
    if let Some(state) = &arguments.state {
        return Ok((source.to_path_buf(), state.clone()));
    }
    let loaded = SceneArguments { scene: source.to_path_buf(), set: arguments.set.clone() }.load()?;
    let directory = out.join(PREPARATION);
    run_to_the_end(&loaded, &directory, arguments.force)?;
    Ok((source.to_path_buf(), latest_state(&directory)?))
}

/// A checkpoint by its path, or by its name among those of a directory.
fn named_state(directory: &Path, state: &Path) -> Result<PathBuf, Failure> {
    if state.exists() {
        return Ok(state.to_path_buf());
    }
    let states = states_of(directory)?;
    let is_meant = |known: &&PathBuf| known.file_name() == state.file_name() || known.file_stem() == state.file_name();
    if let Some(known) = states.iter().find(is_meant).filter(|_| state.components().count() == 1) {
        return Ok(known.clone());
    }
    let known: Vec<String> = states.iter().map(|known| format!("\n  {}", known.display())).collect();
    let known = if known.is_empty() { " no state".to_owned() } else { known.concat() };
    Err(Failure::input(format!("--state {}: no such file; {} holds{known}", state.display(), directory.display())))
}

/// Saved states of a run, or of a triaxial test.
fn states_of(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut states: Vec<PathBuf> =
        checkpoint_folder::list(&directory.join("checkpoints"))?.into_iter().map(|(_, path)| path).collect();
    if let Ok(entries) = std::fs::read_dir(directory.join("states")) {
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        states.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "ckpt")));
    }
    states.sort();
    Ok(states)
}

fn latest_state(directory: &Path) -> Result<PathBuf, Failure> {
    let latest = checkpoint_folder::latest(&directory.join("checkpoints"))?;
    latest.map(|(_, path)| path).ok_or_else(|| Failure::input(format!("{} holds no checkpoint", directory.display())))
}

/// Runs a scene, or continues its run if there is one that is not to be replaced.
fn run_to_the_end(loaded: &LoadedScene, directory: &Path, anew: bool) -> Result<(), Failure> {
    let begun = !anew && checkpoint_folder::latest(&directory.join("checkpoints"))?.is_some();
    let mut run = if begun {
        Run::restart(loaded, directory, None)?
    } else {
        Run::begin(loaded, directory, &Origin::Scene, true)?
    };
    if let Some(ended) = run.reached(&RunBounds::default()) {
        // what a call left out that was killed
        run.finish(ended)?;
        return Ok(());
    }
    let mut progress = Progress::new();
    let ended = run.execute(&RunBounds::default(), &AtomicBool::new(false), &mut |status| progress.show(status));
    progress.finish();
    let ended = ended?;
    run.finish(ended)?;
    match ended {
        Ended::Finished => Ok(()),
        Ended::Bound | Ended::Interrupted | Ended::Failed => Err(Failure::simulation("the preparation did not finish")),
    }
}
