//! Stress probes: the response of a saved state of a periodic sample to small strains in many directions.
//!
//! Every probe starts from the same bytes. A strain of given length is applied in a number of steps, each followed by steps at which the cell
//! rests; what the stress does is measured against a probe without strain. The part of the strain that is not reversible is found in two ways:
//! what is left when the stress has been brought back (`unload`), and what an elastic response does not explain (`elastic`), that of the
//! same state with a friction that nothing overcomes. The points of figure 5 of M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact
//! model for 3D discrete element simulations of granular systems", and the circles through them, follow for any set of laws.
//!
//! Contacts may still open, close and turn in the elastic probes; with a strain of some 10⁻⁶ that is far below what slip does, and the residual
//! of the elastic stiffness says how far.

mod analysis;
mod campaign;
mod circle;
mod description;
mod figures;
mod files;
mod findings;
mod law_choice;
mod linear;
mod options;
mod plane;
mod response;
mod tables;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use dem_report::report::Report;
use dem_report::shard::Shard;

pub use law_choice::LawChoice;
pub use options::Options;
pub use plane::Plane;

use crate::error::StudyError;
use analysis::Results;
use campaign::Campaign;

/// What came of probes.
#[derive(Clone, Debug, PartialEq)]
pub struct Probed {
    /// Tables, figures and findings; why circles and moduli are not what was asked for.
    pub report: Report,
    /// Probes that failed.
    pub failures: usize,
}

/// Whether a folder holds probes.
pub fn is_campaign(folder: &Path) -> bool {
    files::is_there(folder)
}

/// Does the probes of a part of a campaign that a folder does not hold yet, and evaluates all if it then holds all. Results do not
/// depend on the number of threads, on interruptions and on how the campaign is divided. `tell` hears how many of how many are done.
///
/// # Errors
/// Options out of range, a state or scene that cannot be probed, the folder of another campaign.
pub fn run(
    options: &Options,
    folder: &Path,
    shard: Shard,
    threads: usize,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<Option<Probed>, StudyError> {
    options.check()?;
    do_campaign(&Campaign::new(options)?, folder, shard, threads, tell)
}

/// As [`run`], in place of the probes that the folder holds, which go when it is known that the others can be done.
///
/// # Errors
/// As [`run`], but for another campaign.
pub fn run_anew(
    options: &Options,
    folder: &Path,
    shard: Shard,
    threads: usize,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<Option<Probed>, StudyError> {
    options.check()?;
    let campaign = Campaign::new(options)?;
    files::forget(folder)?;
    do_campaign(&campaign, folder, shard, threads, tell)
}

fn do_campaign(
    campaign: &Campaign,
    folder: &Path,
    shard: Shard,
    threads: usize,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<Option<Probed>, StudyError> {
    campaign.work(folder, shard, threads, tell)?;
    if shard == Shard::WHOLE { merge(&[folder.to_path_buf()]).map(Some) } else { Ok(None) }
}

/// Evaluates a campaign whose probes lie in one or several folders.
///
/// # Errors
/// Folders of different campaigns, probes that are missing.
pub fn merge(folders: &[PathBuf]) -> Result<Probed, StudyError> {
    let (description, records) = files::collect(folders)?;
    let failures = records.iter().filter(|record| record.outcome.is_err()).count();
    let results = Results::new(description, records);
    let report = Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        shortfalls: findings::shortfalls(&results),
        ..Report::default()
    };
    Ok(Probed { report, failures })
}
