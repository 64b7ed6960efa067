//! What becomes of the stress of a loaded assembly that is turned as a rigid body?
//!
//! A periodic sample is compressed, sheared by triaxial compression along x and stopped: velocities are set to zero, forces stay. Then the
//! whole of it, cell and particles, is turned by 90 degrees about x, y and a random axis in steps of equal angle, each an exact rotation.
//! In every step the law takes its slip from the motion and carries its tangential force with the contact; nothing is skipped because it
//! is known to be rigid. The stress, turned back into the frame of the start, should be that of the start.
//!
//! This is figure 6 of M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact model for 3D discrete element simulations of granular
//! systems", section 3. Its tensor (b), with neither projection nor twirl, cannot follow from tangential forces left unturned: it is the tensor
//! in which the whole contact forces were left where they were. What is compared here is the pattern of (c) and (d).

mod assembly;
mod figures;
mod findings;
mod results;
mod tables;
mod turns;

#[cfg(test)]
mod tests;

use dem_report::ReportError;
use dem_report::given::within;
use dem_report::report::Report;
use dem_workloads::scenes::{TRIAXIAL_CLUSTERS, TRIAXIAL_SMALL};
use rayon::prelude::*;

use crate::error::StudyError;
use assembly::Loaded;
use results::Results;
use turns::{Turn, axes, choices};

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Spheres or clusters, 100 to 20,000.
    pub particles: u64,
    /// Whether they are the clusters of `examples/triaxial_clusters.toml`.
    pub clusters: bool,
    /// Ratio of deviator to mean stress at which loading stops, above 0 and at most 2.
    pub q_over_p: f64,
    /// Numbers of increments of the turn, each 2 to 100,000.
    pub increments: Vec<u64>,
    /// Seed of the packing and of the random axis, up to 2⁶³ − 1.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { particles: 200, clusters: false, q_over_p: 0.6, increments: vec![10, 1000], seed: 1 }
    }
}

impl Options {
    fn check(&self) -> Result<(), ReportError> {
        within("--particles", self.particles, 100, 20_000)?;
        within("--seed", self.seed, 0, i64::MAX as u64)?;
        if self.increments.is_empty() {
            let allowed = "2 to 100000".to_owned();
            return Err(ReportError::Option { option: "--increments", value: "nothing".to_owned(), allowed });
        }
        self.increments.iter().try_for_each(|&count| within("--increments", count, 2, 100_000))?;
        if self.q_over_p > 0.0 && self.q_over_p <= 2.0 {
            return Ok(());
        }
        let (value, allowed) = (self.q_over_p.to_string(), "0 < value <= 2".to_owned());
        Err(ReportError::Option { option: "--q-over-p", value, allowed })
    }
}

/// Runs the study.
///
/// # Errors
/// An option out of range, an assembly that cannot be loaded.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let results = measure(options)?;
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        ..Report::default()
    })
}

fn measure(options: &Options) -> Result<Results, StudyError> {
    let example = if options.clusters { TRIAXIAL_CLUSTERS } else { TRIAXIAL_SMALL };
    let loaded = Loaded::new(&example, options.particles, options.q_over_p, options.seed)?;
    let mut turns = Vec::new();
    for axis in axes(options.seed) {
        for &increments in &options.increments {
            turns.extend(choices().into_iter().map(|choice| Turn { choice, axis, increments }));
        }
    }
    let outcomes = turns.par_iter().map(|turn| loaded.turn(turn)).collect::<Result<Vec<_>, _>>()?;
    Ok(Results {
        particles: loaded.particles,
        bodies: loaded.bodies,
        q_over_p: loaded.q_over_p,
        overlap: loaded.overlap,
        before: loaded.stress,
        outcomes,
    })
}
