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
mod figures;
mod files;
mod findings;
mod laws;
mod linear;
mod plane;
mod response;
mod tables;

#[cfg(test)]
mod tests;

pub use laws::LawChoice;
pub use plane::Plane;

use std::path::{Path, PathBuf};

use crate::error::{StudyError, within};
use crate::report::Report;
use crate::shard::Shard;
use analysis::Results;
use campaign::{Campaign, Description};
use files::Record;

/// What to probe and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Scene that wrote the state.
    pub scene: PathBuf,
    /// Changes of the scene with which it was run.
    pub set: Vec<String>,
    /// Saved state.
    pub state: PathBuf,
    /// Axis along which the sample was loaded: 0, 1, 2.
    pub axis: usize,
    /// Where the strains lie.
    pub plane: Plane,
    /// Number of directions, 4 to 10,000.
    pub directions: usize,
    /// Seed of random directions.
    pub seed: u64,
    /// Laws, that of the state if there are none; the first is that which others are compared with.
    pub laws: Vec<LawChoice>,
    /// Whether a law may begin without the histories of the state.
    pub drop_histories: bool,
    /// Numbers of steps in which the strain is applied, each 1 to 100,000.
    pub steps: Vec<u32>,
    /// Numbers of steps at rest after each of them, each up to 100,000.
    pub relax: Vec<u32>,
    /// Lengths of the strain, each above 0 and at most 10⁻² \[-\].
    pub magnitudes: Vec<f64>,
    /// Steps in which the stress is brought back, up to 10,000,000; none to leave unloading out.
    pub unload: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scene: PathBuf::new(),
            set: Vec::new(),
            state: PathBuf::new(),
            axis: 2,
            plane: Plane::Rendulic,
            directions: 72,
            seed: 1,
            laws: Vec::new(),
            drop_histories: false,
            steps: vec![30],
            relax: vec![50],
            magnitudes: vec![6e-6],
            unload: 1500,
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), StudyError> {
        within("--directions", self.directions as u64, 4, 10_000)?;
        self.steps.iter().try_for_each(|&count| within("--steps", count.into(), 1, 100_000))?;
        self.relax.iter().try_for_each(|&count| within("--relax", count.into(), 0, 100_000))?;
        within("--unload", self.unload.into(), 0, 10_000_000)?;
        for &magnitude in &self.magnitudes {
            if !(magnitude > 0.0 && magnitude <= 1e-2) {
                let (value, allowed) = (magnitude.to_string(), "0 < value <= 0.01".to_owned());
                return Err(StudyError::Option { option: "--magnitude", value, allowed });
            }
        }
        for (option, is_empty) in [
            ("--steps", self.steps.is_empty()),
            ("--relax", self.relax.is_empty()),
            ("--magnitude", self.magnitudes.is_empty()),
        ] {
            if is_empty {
                let (value, allowed) = ("nothing".to_owned(), "at least one".to_owned());
                return Err(StudyError::Option { option, value, allowed });
            }
        }
        let labels: Vec<String> = self.laws.iter().map(LawChoice::file_label).collect();
        for (k, label) in labels.iter().enumerate() {
            if labels[..k].contains(label) || *label == LawChoice::elastic().label {
                let allowed = "laws with different names".to_owned();
                return Err(StudyError::Option { option: "--law", value: label.clone(), allowed });
            }
        }
        for (option, count, distinct) in [
            ("--steps", self.steps.len(), distinct(self.steps.iter().map(|&x| f64::from(x)))),
            ("--relax", self.relax.len(), distinct(self.relax.iter().map(|&x| f64::from(x)))),
            ("--magnitude", self.magnitudes.len(), distinct(self.magnitudes.iter().copied())),
        ] {
            if distinct < count {
                let (value, allowed) = ("a number twice".to_owned(), "each number once".to_owned());
                return Err(StudyError::Option { option, value, allowed });
            }
        }
        Ok(())
    }
}

fn distinct(numbers: impl Iterator<Item = f64>) -> usize {
    let mut all: Vec<f64> = numbers.collect();
    all.sort_unstable_by(f64::total_cmp);
    all.dedup();
    all.len()
}

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
