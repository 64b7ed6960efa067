//! `dem run`

mod arguments;
mod ensemble;
mod ranks;
mod summary;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use dem_core::lanes::Width;
use dem_report::output_directory::refuse_foreign;
use dem_sim::builder::LoadedScene;
use dem_sim::checkpoint::{FittedFields, HistoryCount, WallHistories};
use dem_sim::run::{Ended, Origin, Run, RunBounds, RunError, Team};
use dem_sim::simulation::StopReason;
use dem_sim::time_step::StepControl;

pub use self::arguments::{Arguments, SceneArguments, default_directory};
use crate::failure::{ExitCode, Failure, INTERRUPTED, SHORTFALL};
use crate::lanes;
use crate::memory;
use crate::progress::Progress;
use crate::quantity::quantity;
use crate::shell;
use crate::terminal::{complain, say, tell};
use crate::threads::{interrupt_flag, pool};

/// Runs a scene.
pub fn run(mut arguments: Arguments) -> Result<ExitCode, Failure> {
    if arguments.no_pictures {
        arguments.scene = arguments.scene.with("output.pictures=false");
    }
    let arguments = &arguments;
    let bounds = RunBounds {
        step: arguments.steps,
        time: arguments
            .until
            .as_deref()
            .map(|text| {
                let time = quantity("--until", "s", text)?;
                if time >= 0.0 && f64::is_finite(time) {
                    Ok(time)
                } else {
                    Err(Failure::input(format!("--until {text}: expected a finite time >= 0 [s]")))
                }
            })
            .transpose()?,
    };
    let place = ranks::Place::find(arguments)?;
    let pool = pool(ranks::threads_of_each(arguments))?;
    let interrupted = interrupt_flag();
    if arguments.ensemble.is_given() {
        lanes::tell(Width::fastest());
        return pool.install(|| ensemble::run(arguments, &bounds, &interrupted));
    }
    let loaded = match arguments.scene.load() {
        Ok(loaded) => loaded,
        Err(error) => return Err(place.leave(error)),
    };
    let directory = arguments.out.clone().unwrap_or_else(|| default_directory(&arguments.scene.scene, ""));
    place.run(&loaded, &pool, |team| execute(arguments, &loaded, &directory, &bounds, &interrupted, team))
}

fn execute(
    arguments: &Arguments,
    loaded: &LoadedScene,
    directory: &Path,
    bounds: &RunBounds,
    interrupted: &AtomicBool,
    team: Option<Team>,
) -> Result<ExitCode, Failure> {
    refuse_foreign(directory, "dem run")?;
    let mut run = match &arguments.restart {
        Some(state) => {
            let state = if state == "latest" { None } else { Some(Path::new(state)) };
            Run::restart_on(loaded, directory, state, team).map_err(|error| explain(error, arguments, directory))?
        }
        None => {
            let origin = arguments.from.clone().map_or(Origin::Scene, Origin::Branch);
            Run::begin_on(loaded, directory, &origin, arguments.force, team)?
        }
    };
    if let Some(branched) = &run.branched {
        tell!("contact histories kept: {}, dropped: {}", branched.kept, branched.dropped);
        let pairs = &branched.pairs;
        if *pairs != HistoryCount::default() {
            tell!("  between particles: kept {}, dropped {}", pairs.kept, pairs.dropped);
        }
        for WallHistories { wall, histories, missing } in &branched.walls {
            let reason = missing.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
            tell!("  with wall \"{wall}\": kept {}, dropped {}{reason}", histories.kept, histories.dropped);
        }
        for FittedFields { law, kept, dropped, new } in &branched.fields {
            let list = |fields: &[String]| if fields.is_empty() { "none".to_owned() } else { fields.join(", ") };
            tell!("  {law} has other history fields now: kept {}; dropped {}", list(kept), list(dropped));
            tell!("  starts at zero: {}", list(new));
        }
        for source in loaded.scene.particles.iter().filter(|source| !source.fill.pours()) {
            tell!("source \"{}\" is skipped: all initial particles come from the saved state", source.name);
        }
    }
    if arguments.restart.is_some()
        && let Some(ended) = run.reached(bounds)
    {
        // what a call left out that was killed
        run.finish(ended)?;
        tell!("{}", nothing_to_do(&run));
        return Ok(ExitCode::SUCCESS);
    }
    let choice = &run.simulation.time_step;
    let chosen = choice.control != StepControl::Given && arguments.restart.is_none();
    if let Some(bound) = choice.bounds.first().filter(|_| chosen) {
        tell!("time step {:.3e} s, set by the {} ({})", choice.time_step, bound.criterion, bound.detail);
    }
    // once it is clear that there is a run
    lanes::tell(Width::fastest());
    memory::give_back();
    let mut progress = Progress::new();
    let ended = run.execute(bounds, interrupted, &mut |status| progress.show(status));
    progress.finish();
    let ended = match ended {
        Ok(ended) => ended,
        Err(error @ RunError::Simulation(_)) => {
            run.finish(Ended::Failed)?;
            complain!("the state after the failed step was saved in {}", directory.display());
            if let Some(limit) = error.overlap_to_allow() {
                let mut changes = arguments.scene.set.clone();
                changes.push(format!("limits.overlap={limit}"));
                let command = format!("{} --restart latest", command_of(&arguments.scene.scene, &changes, directory));
                complain!("if such overlaps are intended, continue with: {command}");
            }
            return Err(error.into());
        }
        // what is at the path is not this run's any more
        Err(error) if error.is_directory_lost() => return Err(error.into()),
        Err(error) => {
            if let Ok(Some((step, _))) = dem_io::checkpoint_folder::latest(&directory.join("checkpoints")) {
                complain!("the last checkpoint is that of step {step}; {}", resume_hint(arguments, directory));
            }
            return Err(error.into());
        }
    };
    let waited_in_vain = run.simulation.state.stopped == Some(StopReason::NotAtRest);
    let has_ended = run.simulation.state.stopped.is_some();
    let summary = run.finish(ended)?;
    if arguments.json {
        say!("{}", summary.to_json());
    } else {
        summary::print(&summary, directory);
    }
    summary::log_time_by_phase(&summary);
    if ended == Ended::Finished {
        tell!("{}", extension_hint(arguments, directory, &run));
    }
    if ended == Ended::Interrupted {
        complain!("interrupted at step {}; {}", summary.steps, resume_hint(arguments, directory));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let lacks_room = has_ended && summary.pouring.iter().any(|source| source.lacks_room);
    for source in summary.pouring.iter().filter(|source| has_ended && source.lacks_room) {
        complain!("poured less than requested: {}", source.describe());
    }
    Ok(if waited_in_vain || lacks_room { ExitCode::from(SHORTFALL) } else { ExitCode::SUCCESS })
}

/// Why a restart takes no step.
fn nothing_to_do(run: &Run) -> String {
    let world = &run.simulation.world;
    let place = format!("step {}, t = {} s", world.step, world.time);
    match &run.simulation.state.stopped {
        Some(reason) => format!(
            "this run has ended at {place} ({}): nothing to do; a run that ended at time.end continues with a later time.end, any other with --from",
            reason.describe()
        ),
        None => format!("this run is at {place}: nothing to do, --steps or --until is reached"),
    }
}

/// The command that runs a scene with changes into a directory, for a shell.
fn command_of(scene: &Path, changes: &[String], directory: &Path) -> String {
    let changes: String = changes.iter().map(|change| format!(" --set {}", shell::word(change))).collect();
    format!("dem run {} --out {}{changes}", shell::path(scene), shell::path(directory))
}

/// The command that runs a scene into a directory, changes of the scene included.
fn command(arguments: &Arguments, directory: &Path) -> String {
    command_of(&arguments.scene.scene, &arguments.scene.set, directory)
}

/// The command that continues a run.
fn resume_hint(arguments: &Arguments, directory: &Path) -> String {
    format!("continue with: {} --restart latest", command(arguments, directory))
}

/// Which state of a run that has ended can be continued, and how.
fn extension_hint(arguments: &Arguments, directory: &Path, run: &Run) -> String {
    let step = run.simulation.world.step;
    let state = directory.join("checkpoints").join(dem_io::checkpoint_folder::file_name(step));
    let is_for_time = run.simulation.state.stopped.as_ref().is_some_and(StopReason::is_for_time);
    match run.simulation.end.filter(|_| is_for_time) {
        Some(end) => {
            let later = shell::word(format!("time.end={}", 2.0 * end));
            format!(
                "to continue from its last state, {}: {} --set {later} --restart latest",
                state.display(),
                command(arguments, directory)
            )
        }
        None => {
            let name = directory.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
            let next = directory.with_file_name(format!("{name}_2"));
            format!(
                "to start a new run from its last state: {} --from {}",
                command(arguments, &next),
                shell::path(&state)
            )
        }
    }
}

/// What to do where a restart is requested in a directory that is none.
fn explain(error: RunError, arguments: &Arguments, directory: &Path) -> Failure {
    let (RunError::NoRun(_), Some(state)) = (&error, &arguments.restart) else { return error.into() };
    let state = Path::new(state);
    let anew = format!("{} --from {}", command(arguments, directory), shell::path(state));
    let own = state.parent().filter(|folder| folder.ends_with("checkpoints")).and_then(Path::parent);
    let on = own.map_or_else(String::new, |own| {
        format!("\n  to continue its run: {} --restart {}", command(arguments, own), shell::path(state))
    });
    Failure::input(format!("{error}\n  to start a new run: {anew}{on}"))
}
