//! Does rotation make a pile more ordered, and does it cost time?
//!
//! A slice of discs falls out of a vessel onto the inclined face of a container (`examples/container_slice.toml`, after example 5.3 of
//! E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125), with and without rotation from the same random start. Claims put to the test: the
//! final packing is closer to the hexagonal lattice with rotation; rotational energy is a fraction of the translational one at all times;
//! run times are roughly the same. The paper shows one run of each and judges order by eye; here |ψ₆| is compared in pairs over seeds.

mod course;
mod figures;
mod findings;
mod pictures;
mod results;
mod tables;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use dem_report::ReportError;
use dem_report::given::within;
use dem_report::parallel_runs::side_by_side;
use dem_report::report::Report;
use dem_sim::integrators::{INTEGRATORS, Scheme, all_schemes};

use crate::error::StudyError;
use course::Pair;
use results::Results;

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Random starts, 2 to 10,000.
    pub seeds: u64,
    /// Discs, 20 to 235: more do not find a place in the vessel at random.
    pub particles: u64,
    /// Scheme of all seeds, by its name in the study of integrators.
    pub integrator: String,
    /// Whether the other integrators follow the first seed, each with its default options.
    pub all_integrators: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { seeds: 20, particles: 230, integrator: INTEGRATORS[0].key.to_owned(), all_integrators: true }
    }
}

impl Options {
    fn check(&self) -> Result<Scheme, ReportError> {
        within("--seeds", self.seeds, 2, 10_000)?;
        within("--particles", self.particles, 20, 235)?;
        let schemes = all_schemes();
        let known = || schemes.iter().map(Scheme::to_string).collect::<Vec<_>>().join(", ");
        let unknown = || ReportError::Option {
            option: "--integrator",
            value: self.integrator.clone(),
            allowed: format!("one of {}", known()),
        };
        schemes.iter().find(|scheme| scheme.to_string() == self.integrator).cloned().ok_or_else(unknown)
    }
}

/// Runs the study.
///
/// # Errors
/// An option out of range; a scene that cannot be built or run.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    let scheme = options.check()?;
    let defaults = INTEGRATORS.iter().map(|entry| Scheme::new(entry.key, BTreeMap::new()));
    let others: Vec<Scheme> = defaults.filter(|other| options.all_integrators && *other != scheme).collect();
    // the dearest first, so that no core is left with one of them in the end
    let mut tasks: Vec<(Scheme, u64)> = others.iter().rev().map(|other| (other.clone(), 1)).collect();
    tasks.extend((1..=options.seeds).map(|seed| (scheme.clone(), seed)));
    let mut others = side_by_side(&tasks, |(scheme, seed)| Pair::run(scheme, *seed, options.particles))?;
    let pairs = others.split_off(tasks.len() - options.seeds as usize);
    others.reverse();
    let results = Results { pairs, others };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        pictures: pictures::all(&results)?,
        findings: findings::all(&results),
        ..Report::default()
    })
}
