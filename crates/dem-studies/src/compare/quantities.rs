//! What is compared of a run.

use std::path::Path;

use dem_analysis::ensemble::{self, Finished};
use dem_analysis::profile;
use dem_report::table::{Table, Value};
use dem_sim::run::Beginning;

use crate::error::StudyError;

/// Columns of the series that are overlaid.
const CURVES: [&str; 6] = [
    "kinetic_energy",
    "coordination_without_rattlers",
    "sliding_share",
    "mobilised_friction",
    "bed_height",
    "q_over_p",
];
/// Part of the bed, in proportion to its height, over which its porosity is averaged.
const MIDDLE: [f64; 2] = [0.25, 0.75];

/// What a run came to.
pub struct Measured {
    /// Its folder, with the law as its parameter.
    pub finished: Finished,
    /// What it began with.
    pub beginning: Option<Beginning>,
    /// Porosity over height, if the snapshots allow for it.
    pub porosity: Vec<[f64; 2]>,
    /// The quantities by name.
    pub quantities: Vec<(&'static str, f64)>,
}

impl Measured {
    /// Reads the folder of a run under a law.
    ///
    /// # Errors
    /// Files that are missing or damaged.
    pub fn read(directory: &Path, law: &str) -> Result<Self, StudyError> {
        let mut finished = Finished::read(directory, &CURVES, &ensemble::Averages::default())?;
        finished.keys = vec!["law".to_owned()];
        finished.parameters = vec![Value::Text(law.to_owned())];
        let summary = ensemble::summary(directory)?.unwrap_or_default();
        let of_the_call = |key: &str| summary.get(key).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
        let porosity = porosity(directory);
        let quantities =
            quantities(&finished, &porosity, of_the_call("wall_seconds"), of_the_call("particle_steps_per_second"));
        Ok(Self { beginning: Beginning::read(directory)?, porosity, quantities, finished })
    }

    /// A quantity by its name.
    pub fn quantity(&self, name: &str) -> f64 {
        self.quantities.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |&(_, value)| value)
    }
}

/// Porosity over height in the last frame; empty where it cannot be taken, as in a cell that deforms.
fn porosity(directory: &Path) -> Vec<[f64; 2]> {
    let options = profile::Options {
        run: directory.to_path_buf(),
        axis: profile::Axis::Z,
        bins: None,
        region: None,
        window: None,
        frame: -1,
        fields: Vec::new(),
        grid: None,
        kernel: None,
    };
    let Ok(found) = profile::run(&options) else { return Vec::new() };
    let table = &found.report.tables[0];
    table.numbers("z_m").into_iter().zip(table.numbers("porosity")).map(|(z, porosity)| [z, porosity]).collect()
}

/// Mean porosity of the middle of a bed.
fn middle(profile: &[[f64; 2]]) -> f64 {
    let filled: Vec<&[f64; 2]> = profile.iter().filter(|point| point[1] < 1.0).collect();
    let (Some(first), Some(last)) = (filled.first(), filled.last()) else { return f64::NAN };
    let [low, high] = MIDDLE.map(|share| first[0] + share * (last[0] - first[0]));
    let inside: Vec<f64> =
        filled.iter().filter(|point| (low..=high).contains(&point[0])).map(|point| point[1]).collect();
    inside.iter().sum::<f64>() / inside.len() as f64
}

fn quantities(run: &Finished, porosity: &[[f64; 2]], wall_seconds: f64, rate: f64) -> Vec<(&'static str, f64)> {
    let series = |name: &str| run.quantity(&format!("series.{name}"));
    let summary = |name: &str| run.quantity(&format!("summary.{name}"));
    let energy = |name: &str| run.quantity(&format!("summary.energies.{name}"));
    let fabric = ["xx", "yy", "zz", "xy", "xz", "yz"].map(|name| series(&format!("contact_fabric_{name}")));
    let dissipated = ["friction", "viscous", "stiffness", "rolling", "twisting", "fields", "released"]
        .map(energy)
        .iter()
        .sum::<f64>();
    let elastic = ["elastic_normal", "elastic_tangential", "elastic_rolling"].map(energy).iter().sum::<f64>();
    let cell = series("porosity");
    vec![
        ("porosity_middle", if cell.is_finite() { cell } else { middle(porosity) }),
        ("porosity_bulk", 1.0 - summary("packing_fraction")),
        ("bed_height_m", summary("bed_height")),
        ("coordination", summary("coordination")),
        ("coordination_without_rattlers", summary("coordination_without_rattlers")),
        ("rattler_share", series("rattlers") / summary("particles")),
        ("fabric_zz", fabric[2]),
        ("fabric_anisotropy", anisotropy(fabric)),
        ("sliding_share", series("sliding_share")),
        ("mobilised_friction", series("mobilised_friction")),
        ("overlap_ratio", summary("max_overlap_ratio_final")),
        ("overlap_ratio_peak", summary("max_overlap_ratio_peak")),
        ("friction_share_of_dissipation", energy("friction") / dissipated),
        ("viscous_share_of_dissipation", energy("viscous") / dissipated),
        ("stiffness_share_of_dissipation", energy("stiffness") / dissipated),
        ("released_share_of_dissipation", energy("released") / dissipated),
        ("tangential_share_of_elastic", energy("elastic_tangential") / elastic),
        ("time_s", summary("time")),
        ("steps", summary("steps")),
        ("time_step_s", summary("time_step")),
        (COST, 1e9 / rate),
        (WALL_SECONDS, wall_seconds),
    ]
}

/// Name of the cost of a step.
pub const COST: &str = "cost_ns_per_particle_step";
/// Name of the time that passed.
const WALL_SECONDS: &str = "wall_seconds";

/// Whether a quantity is one of the machine and its other work, of which seeds tell no scatter.
pub fn is_of_machine(quantity: &str) -> bool {
    [COST, WALL_SECONDS].contains(&quantity)
}

/// `√(3/2 a:a)` of the deviator a of a symmetric tensor xx, yy, zz, xy, xz, yz.
fn anisotropy(t: [f64; 6]) -> f64 {
    let mean = (t[0] + t[1] + t[2]) / 3.0;
    let diagonal: f64 = t[..3].iter().map(|x| (x - mean) * (x - mean)).sum();
    let rest: f64 = t[3..].iter().map(|x| 2.0 * x * x).sum();
    (1.5 * (diagonal + rest)).sqrt()
}

/// A row for every run.
pub fn table(runs: &[Vec<Measured>], seeds: &[u64]) -> Table {
    let names: Vec<&str> = runs[0][0].quantities.iter().map(|(name, _)| *name).collect();
    let columns = ["law", "seed"].iter().chain(&names).map(|name| (*name).to_owned()).collect();
    let mut table = Table::with_columns("runs", columns);
    for run in runs {
        for (result, &seed) in run.iter().zip(seeds) {
            let values = names.iter().map(|name| Value::from(result.quantity(name)));
            table.push([result.finished.parameters[0].clone(), seed.into()].into_iter().chain(values));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anisotropy_is_the_difference_of_the_principal_values_of_an_axisymmetric_tensor() {
        assert!((anisotropy([0.3, 0.3, 0.4, 0.0, 0.0, 0.0]) - 0.1).abs() < 1e-15);
        assert!(anisotropy([1.0 / 3.0; 6].map(|x| x * 1.0)) > 0.0);
        assert!(anisotropy([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0]) < 1e-15);
    }

    #[test]
    fn middle_of_a_bed_leaves_out_its_ends_and_what_is_empty() {
        let profile: Vec<[f64; 2]> =
            (0..11).map(|k| [f64::from(k), if k == 10 { 1.0 } else { 0.1 * f64::from(k) }]).collect();
        // filled from 0 to 9: the middle is 2.25 to 6.75
        assert!((middle(&profile) - 0.45).abs() < 1e-15);
        assert!(middle(&[]).is_nan());
    }
}
