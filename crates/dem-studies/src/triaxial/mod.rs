//! Triaxial tests: a path of loading, what the sample does on it, whether rate and stiffness matter, and states saved on the way.
//!
//! A scene prepares a sample and shears it in its last stage; the study runs it and follows that stage. The same is done at a third of the
//! rate, from the same state, and with three times the stiffness, from the start, and under other laws, from the same state. States at given
//! fractions of the peak of q/p are saved from a second course, since only the first one knows the peak; each comes to rest in a cell that holds
//! still before it is saved, so that it can be probed. A test that was interrupted goes on where it was.

mod bounds;
pub(crate) mod course;
mod figures;
mod findings;
mod options;
mod path;
pub(crate) mod point;
mod results;
mod scene_changes;
mod shortfalls;
mod strength;
mod tables;

#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use options::Options;
pub use path::{Held, Path};

use std::path::Path as FilePath;

use dem_io::atomic::remove_unfinished;
use dem_report::report::Report;
use dem_report::unfinished::{self, Unfinished};

use crate::error::StudyError;
use crate::probe::LawChoice;
use course::Prepared;
use results::Results;
use scene_changes::{changes, stiffer};

/// Folder of what an interrupted test has done.
const UNFINISHED: &str = "unfinished";

/// Factor by which the rate is divided and the stiffness multiplied.
const FACTOR: f64 = 3.0;

/// Folder of the states that a test saves.
const STATES: &str = "states";

/// Makes sure that a test can begin.
///
/// # Errors
/// Options out of range, a scene that cannot be read or has no stage that deforms its cell.
pub fn check(options: &Options) -> Result<(), StudyError> {
    options.check()?;
    let changes = changes(options, &options.load(&[])?)?;
    options.load(&changes).map(drop)
}

/// Does the test. The report holds the states as files, too, with the scene they belong to (`scene.resolved.toml`). How far the test is, is kept
/// in a folder of its own in `folder`: what an interrupted test of the same scene has left there is not done again, until [`forget`] removes it.
///
/// # Errors
/// Options out of range, a scene without a stage that deforms its cell, a step that fails, files that cannot be read or written.
pub fn run(options: &Options, folder: &FilePath) -> Result<Report, StudyError> {
    options.check()?;
    let plain = options.load(&[])?;
    let changes = changes(options, &plain)?;
    let loaded = options.load(&changes)?;
    let unfinished = Unfinished::beside(folder, UNFINISHED, dem_sim::machine::engine())?;
    unfinished.remove_strays()?;
    // of versions that wrote there while a test went on
    for owned in dem_sim::builder::copy_folders().chain([STATES]) {
        remove_unfinished(&folder.join(owned))?;
    }
    let prepared = Prepared::new(&loaded, &unfinished, options.from.as_deref())?;
    let test = prepared.follow("test", options, 1.0)?;
    let slower = options.repeats.then(|| prepared.follow("a third of the rate", options, 1.0 / FACTOR)).transpose()?;
    let mut in_vain = prepared.in_vain().to_vec();
    // without a stage that prepares it, nothing brings a saved state with stiffer springs to rest
    let stiffer = if options.repeats && !(options.from.is_some() && prepared.is_only_tested()) {
        let name = "three times the stiffness";
        let scene = options.load(&[changes.clone(), stiffer(&prepared, &loaded, FACTOR)].concat())?;
        let stiffer = Prepared::new(&scene, &unfinished, options.from.as_deref())?;
        in_vain.extend(stiffer.in_vain().iter().map(|what| format!("{name}: {what}")));
        Some(stiffer.follow(name, options, 1.0)?)
    } else {
        None
    };
    let under_law = |law: &LawChoice| {
        let other = options.load(&[changes.clone(), law.changes.clone()].concat())?;
        prepared.follow_under(&format!("under {}", law.label), options, &other)
    };
    let under_laws = options.laws.iter().map(under_law).collect::<Result<_, _>>()?;
    let saved = prepared.save_on_the_way(options, &test)?;
    let mut further = dem_sim::builder::copies(&loaded.files).collect::<Result<Vec<_>, _>>()?;
    further.push(("scene.resolved.toml".to_owned(), loaded.resolved().to_string().into_bytes()));
    further.extend(saved.iter().map(|point| (format!("{STATES}/{}", point.file()), point.bytes.clone())));
    let results = Results {
        prepared: prepared.describe(),
        test,
        slower,
        stiffer,
        under_laws,
        saved,
        in_vain,
        bounds: options.bounds,
        strain: options.strain,
        fractions: options.fractions.clone(),
    };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        shortfalls: shortfalls::all(&results),
        further,
        ..Report::default()
    })
}

/// Whether a folder holds parts of a test that has not come to its end.
pub fn is_unfinished(folder: &FilePath) -> bool {
    folder.join(UNFINISHED).is_dir()
}

/// Removes from a folder what parts of a test it holds: for when the report of [`run`] is written.
///
/// # Errors
/// What the system refuses.
pub fn forget(folder: &FilePath) -> Result<(), StudyError> {
    Ok(unfinished::remove(folder, UNFINISHED)?)
}
