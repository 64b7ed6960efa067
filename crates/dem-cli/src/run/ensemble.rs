//! `dem run` over seeds and sweeps.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use dem_report::output_directory::{ENSEMBLE, MEMBERS, OutputDirectory};
use dem_report::shard::Shard;
use dem_sim::run::RunBounds;
use dem_studies::members::{Outcome, Plan, Request, Settings, run_members};

use super::arguments::{Arguments, default_directory};
use crate::failure::{ExitCode, Failure, INTERRUPTED};
use crate::merge;
use crate::shell;
use crate::terminal::tell;

/// Runs the members that have not come to their end and puts all of them together.
pub fn run(arguments: &Arguments, bounds: &RunBounds, interrupted: &AtomicBool) -> Result<ExitCode, Failure> {
    let given = &arguments.ensemble;
    let averages = given.averages.averages()?;
    let shard = given.shard.as_deref().map(Shard::parse).transpose()?;
    let mut plan = Plan::new(&Request {
        scene: arguments.scene.scene.clone(),
        set: arguments.scene.set.clone(),
        seeds: given.seeds.clone(),
        sweeps: given.sweeps.clone(),
        sweep_file: given.sweep_file.clone(),
        from: arguments.from.clone(),
        averages: averages.clone(),
    })?;
    let total = plan.members.len();
    if let Some(shard) = shard {
        plan = plan.shard(shard);
    }
    let directory = arguments.out.clone().unwrap_or_else(|| default_directory(&arguments.scene.scene, "_ensemble"));
    let own = OutputDirectory::shared(&directory, ENSEMBLE, |path| path.join(MEMBERS).is_dir())?;
    let settings = Settings {
        directory: own.path(),
        force: arguments.force,
        threads_each: given.threads_each.into(),
        bounds: *bounds,
        interrupted,
    };
    let count = plan.members.len();
    let outcomes = run_members(&plan.members, &settings, &|done, name, outcome| {
        tell!("[{done}/{count}] {name}: {}", describe(outcome));
    })?;
    let number = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    let failed = number(|outcome| matches!(outcome, Outcome::Failed(_)));
    let left = number(|outcome| matches!(outcome, Outcome::Unfinished | Outcome::InUse));
    if left > 0 {
        tell!("{left} of {count} members have not finished: run the same command again to continue them");
    } else if shard.is_some() && count < total {
        tell!("this part is done; when all parts are done, run: dem merge {}", shell::path(&directory));
    }
    let mut code = ExitCode::SUCCESS;
    if left + failed < count && left == 0 && count == total {
        code = merge::write(std::slice::from_ref(&directory), &own, &[], &averages, arguments.json)?;
    }
    if interrupted.load(Ordering::Relaxed) {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if failed > 0 {
        return Err(Failure::simulation(format!("{failed} of {count} members failed, {}", whereabouts(&directory))));
    }
    Ok(code)
}

fn whereabouts(directory: &Path) -> String {
    format!("their states are in {}", directory.join(MEMBERS).display())
}

fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Earlier => "done before".to_owned(),
        Outcome::Finished => "done".to_owned(),
        Outcome::Unfinished => "not done".to_owned(),
        Outcome::Failed(why) => format!("failed: {why}"),
        Outcome::InUse => "another process runs it".to_owned(),
    }
}
