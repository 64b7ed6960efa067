//! Strength of assemblies of octahedral clusters, and probes of them: the sample of M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact
//! model for 3D discrete element simulations of granular systems", section 3, as far as it is known.
//!
//! The paper prints that the grains are smooth sphere-clusters that are not convex, the void ratio of the dense sample (0.570), the friction of the
//! test (0.55), equal normal and tangential stiffness, the peak of q/p (about 1.7), and that 11 % of the contacts are at the friction limit at q/p =
//! 0.795. It does not print the shape, nor the friction with which the sample was compressed. Both are found here: clusters of a central sphere and six
//! outer ones are compressed with the friction that gives the void ratio, and sheared. The shape whose peak is nearest is then taken in a larger
//! assembly, and probed under the laws `kuhn` and `conventional`.
//!
//! Every assembly has a file of its own, which is kept: the same command goes on after an interruption, and with more seeds or shapes it does only what
//! is new.

mod figures;
mod findings;
mod options;
mod probing;
mod results;
mod scan;
mod shape;
mod tables;

#[cfg(test)]
mod tests;

pub use options::Options;
pub use shape::Shape;

use std::path::Path;

use dem_report::report::Report;
use dem_report::unfinished::{self, Unfinished};

use crate::error::StudyError;
use results::Results;

/// Folder of the assemblies, beside the results.
pub const ASSEMBLIES: &str = "assemblies";

/// Does the study. What is done is kept in `folder`, and not done again.
///
/// # Errors
/// Options out of range, a scene that refuses them, a step that fails, files that cannot be read or written.
pub fn run(options: &Options, folder: &Path) -> Result<Report, StudyError> {
    options.check()?;
    let kept = Unfinished::beside(folder, ASSEMBLIES, dem_sim::machine::engine())?;
    kept.remove_strays()?;
    let scanned = scan::all(options, &kept)?;
    let chosen = results::nearest(&scanned, options.peak);
    let larger = scan::larger(options, &scanned[chosen], &kept)?;
    let probed = probing::all(options, &scanned[chosen], &kept, folder)?;
    let results = Results { options: options.clone(), scanned, chosen, larger, probed };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        shortfalls: findings::shortfalls(&results),
        ..Report::default()
    })
}

/// Removes the assemblies and probes that a folder keeps.
///
/// # Errors
/// What the system refuses.
pub fn forget(folder: &Path) -> Result<(), StudyError> {
    unfinished::remove(folder, ASSEMBLIES)?;
    Ok(unfinished::remove(folder, probing::PROBING)?)
}
