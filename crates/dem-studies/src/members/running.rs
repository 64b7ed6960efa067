//! Runs the members that have not come to their end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dem_analysis::ensemble::{MEMBER_FILE, Standing, resolved_scene, standing, summary};
use dem_io::atomic::write_atomically;
use dem_io::checkpoint_folder;
use dem_io::directory_lock::{DirectoryHandle, is_claimed};
use dem_report::output_directory::MEMBERS;
use dem_report::parallel_runs::side_by_side_with;
use dem_sim::checkpoint::scene_fingerprint;
use dem_sim::run::{Ended, Run, RunBounds, RunError, is_drawn};
use serde_json::json;

use super::plan::Member;
use crate::error::StudyError;

/// How members are run.
pub struct Settings<'a> {
    /// Directory of the ensemble.
    pub directory: &'a Path,
    /// Whether members that have come to their end are run again.
    pub force: bool,
    /// Threads of a member; as many members run at a time as the pool of the caller has threads for.
    pub threads_each: usize,
    /// Bounds of this call for every member.
    pub bounds: RunBounds,
    /// Stops all members when it becomes true.
    pub interrupted: &'a AtomicBool,
}

/// What became of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It had come to its end before.
    Earlier,
    /// It came to its end.
    Finished,
    /// It was stopped before its end, or not begun.
    Unfinished,
    /// A step failed, now or before.
    Failed(String),
    /// Another process runs it.
    InUse,
}

/// Runs members side by side; `report` is told the number of members done, and name and outcome of the one that just ended.
///
/// # Errors
/// A folder that holds a run of another scene, before anything is run; a file that cannot be written.
pub fn run_members(
    members: &[Member],
    settings: &Settings,
    report: &(dyn Fn(usize, &str, &Outcome) + Sync),
) -> Result<Vec<Outcome>, StudyError> {
    if !settings.force {
        members.iter().try_for_each(|member| check_scene(member, &folder(member, settings)))?;
    }
    std::fs::create_dir_all(settings.directory)
        .map_err(dem_io::Error::system("create directory", settings.directory))?;
    let own = DirectoryHandle::open(settings.directory)?;
    let done = AtomicUsize::new(0);
    side_by_side_with(members, settings.threads_each, |member| {
        own.check()?;
        let outcome = run_member(member, settings)?;
        report(done.fetch_add(1, Ordering::Relaxed) + 1, &member.name, &outcome);
        Ok(outcome)
    })
}

fn folder(member: &Member, settings: &Settings) -> std::path::PathBuf {
    settings.directory.join(MEMBERS).join(&member.name)
}

/// Refuses a folder with a run of another scene.
fn check_scene(member: &Member, directory: &Path) -> Result<(), StudyError> {
    match resolved_scene(directory, &[])? {
        Some(found) if scene_fingerprint(&found) != scene_fingerprint(&member.scene.resolved()) => {
            Err(StudyError::Ensemble(format!(
                "{} holds a run of another scene: give --force to replace it, or another --out",
                directory.display()
            )))
        }
        _ => Ok(()),
    }
}

fn run_member(member: &Member, settings: &Settings) -> Result<Outcome, StudyError> {
    let directory = folder(member, settings);
    if settings.interrupted.load(Ordering::Relaxed) {
        return Ok(Outcome::Unfinished);
    }
    // of the run of a scene that failed nothing is gone on from
    let mut anew = settings.force;
    if !settings.force {
        match standing(&directory)? {
            Standing::Failed(why) if fails_again(member, &directory)? => return Ok(Outcome::Failed(why)),
            Standing::Failed(_) => anew = true,
            // more time than before may be asked for
            Standing::Finished if has_same_end(member, &directory)? => {
                return finish_drawing(member, &directory);
            }
            _ => {}
        }
    }
    let begun = !anew && checkpoint_folder::latest(&directory.join("checkpoints"))?.is_some();
    let opened = if begun {
        Run::restart(&member.scene, &directory, None)
    } else {
        // what a run leaves behind that was killed before its first checkpoint is replaced
        Run::begin(&member.scene, &directory, &member.origin, true)
    };
    let mut run = match opened {
        Err(RunError::File(dem_io::Error::DirectoryInUse { .. })) => return Ok(Outcome::InUse),
        opened => opened?,
    };
    let keys = format!("{:#}\n", json!({ "keys": member.keys }));
    write_atomically(&directory.join(MEMBER_FILE), keys.as_bytes())?;
    let ended = match run.execute(&settings.bounds, settings.interrupted, &mut |_| {}) {
        Ok(ended) => ended,
        Err(error @ RunError::Simulation(_)) => {
            run.finish(Ended::Failed)?;
            return Ok(Outcome::Failed(error.to_string()));
        }
        Err(error) => return Err(error.into()),
    };
    run.finish(ended)?;
    Ok(if ended == Ended::Finished { Outcome::Finished } else { Outcome::Unfinished })
}

/// Draws and tidies up what a call has not that was killed after the end of the run.
fn finish_drawing(member: &Member, directory: &Path) -> Result<Outcome, StudyError> {
    let begun = checkpoint_folder::latest(&directory.join("checkpoints"))?.is_some();
    let draws = member.scene.scene.output.pictures.unwrap_or(true);
    if begun && (draws && !is_drawn(directory) || is_claimed(directory)) {
        match Run::restart(&member.scene, directory, None) {
            Err(RunError::File(dem_io::Error::DirectoryInUse { .. })) => return Ok(Outcome::InUse),
            opened => opened?.finish(Ended::Finished)?,
        };
    }
    Ok(Outcome::Earlier)
}

/// Whether a run that failed would do so again: the same scene, limits included, and the same engine.
fn fails_again(member: &Member, directory: &Path) -> Result<bool, StudyError> {
    let engine = summary(directory)?.and_then(|summary| Some(summary.get("engine")?.as_str()?.to_owned()));
    let same_scene = resolved_scene(directory, &[])?.is_some_and(|found| found == member.scene.resolved());
    Ok(same_scene && engine == Some(dem_sim::machine::engine()))
}

/// Whether a run was given the end of time that its member has now.
fn has_same_end(member: &Member, directory: &Path) -> Result<bool, StudyError> {
    let end = |scene: &toml::Table| scene.get("time").and_then(|time| time.get("end")).cloned();
    Ok(resolved_scene(directory, &[])?.is_some_and(|found| end(&found) == end(member.scene.document.resolved())))
}
