//! A filled silo against Janssen's law.
//!
//! H. A. Janssen, Versuche über Getreidedruck in Silozellen, Z. Ver. dt. Ing. 39 (1895) 1045: if the wall bears the lateral ratio K of the
//! vertical stress, and friction μ_w of that is mobilised everywhere, the vertical stress at the depth h is
//!
//! ```text
//! σ = ρ g λ (1 − e^(−h/λ)),    λ = D/(4 μ_w K)
//! ```
//!
//! K, μ_w and the bulk density ρ are measured in the same run, so that nothing is left to be fitted; the λ that fits best stands beside it.

mod filling;
mod janssen;
mod measurement;
mod outcome;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use dem_analysis::AnalysisError;
use dem_analysis::profile::source::Source;
use dem_io::series::Series as SeriesTable;
use dem_report::given::within;
use dem_report::parallel_runs::side_by_side;
use dem_report::report::Report;
use dem_sim::wall_probes::ProbeRow;

use crate::error::StudyError;
use filling::Filling;
use measurement::Measurement;

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Run directories; without any a small silo is filled in two ways.
    pub runs: Vec<PathBuf>,
    /// Number of fillings of the small silo with each method, 2 to 1000.
    pub seeds: u64,
    /// Spheres in it, 300 to 100,000.
    pub particles: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { runs: Vec::new(), seeds: 5, particles: 2000 }
    }
}

/// Measures runs, or fills silos and measures these.
///
/// # Errors
/// An option out of range, a run without what is needed, a scene that cannot be built or run.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    if !options.runs.is_empty() {
        let all = options.runs.iter().map(|run| of_run(run)).collect::<Result<Vec<_>, _>>()?;
        return Ok(outcome::report(&all));
    }
    within("--seeds", options.seeds, 2, 1000)?;
    within("--particles", options.particles, 300, 100_000)?;
    let seeds = (1..=options.seeds).flat_map(|seed| Filling::ALL.map(|filling| (filling, seed)));
    let tasks: Vec<(Filling, u64)> = seeds.collect();
    let mut all = side_by_side(&tasks, |&(filling, seed)| filling.measure(options.particles, seed))?;
    all.sort_by_key(|measurement| measurement.label.clone());
    Ok(outcome::report(&all))
}

/// Measures the last state of a run.
fn of_run(run: &std::path::Path) -> Result<Measurement, AnalysisError> {
    let label = run.display().to_string();
    let path = run.join("profiles.csv");
    if !path.exists() {
        let why = "it has no profiles.csv; expected a wall probe on the cylinder ([[output.wall_probes]])".to_owned();
        return Err(AnalysisError::Unsuitable { run: label, why });
    }
    let source = Source::open(run)?;
    let last = source.frames(-1, None)?;
    let assembly = source.assembly(last[0])?;
    let scene = source.scene();
    let table = SeriesTable::read(path)?;
    let Some(rows) = ProbeRow::last_of(&table) else {
        return Err(AnalysisError::Unsuitable { run: label, why: "its profiles.csv lacks columns".to_owned() });
    };
    Measurement::new(label, scene.seed, scene.fields.gravity().length(), &assembly, &rows)
}
