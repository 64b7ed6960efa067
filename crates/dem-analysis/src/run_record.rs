//! What a run directory alone tells of a run.

use std::path::{Path, PathBuf};

use dem_io::series::Series;
use dem_io::snapshot::{ColumnData, SnapshotReader};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::run::Beginning;
use dem_sim::simulation::Simulation;
use serde_json::Value as Json;

use crate::ensemble::summary;
use crate::error::AnalysisError;

/// A run, read from its directory.
pub struct RunRecord {
    /// The directory.
    pub directory: PathBuf,
    /// Its scene.
    pub loaded: LoadedScene,
    /// What the scene builds, without particles.
    pub simulation: Simulation,
    /// Contents of `summary.json`.
    pub summary: Json,
    /// Contents of `beginning.json`.
    pub beginning: Option<Beginning>,
    /// The series.
    pub series: Series,
    /// Sizes in the last frame, if there are particles.
    pub sizes: Option<Sizes>,
}

/// Radii of an assembly \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Smallest.
    pub smallest: f64,
    /// Largest.
    pub largest: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
}

impl Sizes {
    fn of(radii: &[f64]) -> Option<Self> {
        let count = radii.len() as f64;
        let mean = radii.iter().sum::<f64>() / count;
        let square = radii.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / count;
        (!radii.is_empty()).then(|| Self {
            smallest: radii.iter().copied().fold(f64::INFINITY, f64::min),
            largest: radii.iter().copied().fold(0.0, f64::max),
            mean,
            deviation: square.sqrt(),
        })
    }
}

impl RunRecord {
    /// Reads a run directory.
    ///
    /// # Errors
    /// A directory without scene or summary, files that are damaged.
    pub fn read(directory: &Path) -> Result<Self, AnalysisError> {
        let scene = directory.join("scene.resolved.toml");
        let refused = |what: &str| AnalysisError::RunDirectory(directory.to_path_buf(), what.to_owned());
        if !scene.is_file() {
            return Err(refused("holds no scene.resolved.toml"));
        }
        let summary = summary(directory)?.ok_or_else(|| refused("holds no summary.json yet"))?;
        let loaded = builder::load_scene(&scene, &[])?;
        let simulation = builder::build_empty(&loaded)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            simulation,
            loaded,
            summary,
            beginning: Beginning::read(directory)?,
            series: Series::read(directory.join("series.csv"))?,
            sizes: Sizes::of(&last_radii(&directory.join("snapshots.vtkhdf"))?),
        })
    }

    /// A number of the summary by its keys; not a number if it has none.
    pub fn number(&self, keys: &[&str]) -> f64 {
        let value = keys.iter().try_fold(&self.summary, |value, key| value.get(key));
        value.and_then(Json::as_f64).unwrap_or(f64::NAN)
    }

    /// A text of the summary; empty if it has none.
    pub fn word(&self, key: &str) -> &str {
        self.summary.get(key).and_then(Json::as_str).unwrap_or_default()
    }

    /// Title of the scene, or the name of the directory.
    pub fn title(&self) -> String {
        let title = &self.loaded.scene.title;
        if title.is_empty() { self.directory.display().to_string() } else { title.clone() }
    }

    /// Energy dissipated and given back by springs that ended; not a number if a law keeps no works \[J\].
    pub fn dissipated(&self) -> f64 {
        ["friction", "viscous", "stiffness", "rolling", "twisting", "fields", "released"]
            .iter()
            .map(|key| self.number(&["energies", key]))
            .sum()
    }

    /// Largest change of the energy balance over the run; not a number if a law keeps no works \[J\].
    pub fn imbalance(&self) -> f64 {
        let balance = self.series.column("energy_balance").unwrap_or_default();
        let first = balance.first().copied().unwrap_or(0.0);
        let changes = || balance.iter().map(|b| (b - first).abs());
        if changes().any(f64::is_nan) { f64::NAN } else { changes().fold(0.0, f64::max) }
    }
}

fn last_radii(snapshots: &Path) -> Result<Vec<f64>, AnalysisError> {
    if !snapshots.is_file() {
        return Ok(Vec::new());
    }
    let reader = SnapshotReader::open(snapshots)?;
    let Some(last) = reader.frames().len().checked_sub(1) else { return Ok(Vec::new()) };
    let frame = reader.read(last)?;
    let radius = frame.point_data.iter().find(|column| column.spec.name == "radius");
    Ok(match radius.map(|column| &column.data) {
        Some(ColumnData::F64(values)) => values.clone(),
        _ => Vec::new(),
    })
}
