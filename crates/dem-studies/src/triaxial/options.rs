//! What test to do.

use std::path::PathBuf;

use dem_io::document::Override;
use dem_report::ReportError;
use dem_report::given::within;
use dem_sim::builder::{LoadedScene, load_scene};

use super::bounds::Bounds;
use super::path::Path;
use crate::error::StudyError;
use crate::probe::LawChoice;

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Scene whose last stage is the test.
    pub scene: PathBuf,
    /// Changes of it.
    pub set: Vec<String>,
    /// Saved state that the scene begins with, instead of its own particles.
    pub from: Option<PathBuf>,
    /// Another path of the last stage than that of the scene.
    pub path: Option<Path>,
    /// Strain along the axis at which the test ends, instead of the condition of the scene, above 0 and at most 1 \[-\].
    pub strain: Option<f64>,
    /// Fractions of the peak of q/p at which states are saved, each above 0 and below 1.
    pub fractions: Vec<f64>,
    /// Whether to repeat the test at a third of the rate and with three times the stiffness.
    pub repeats: bool,
    /// Laws under which the test is followed again from the same state.
    pub laws: Vec<LawChoice>,
    /// Whether a law may begin without the histories of that state.
    pub drop_histories: bool,
    /// Number of points of a course, 10 to 100,000.
    pub points: u64,
    /// Axis of loading: 0, 1, 2.
    pub axis: usize,
    /// What the test must keep.
    pub bounds: Bounds,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scene: PathBuf::new(),
            set: Vec::new(),
            from: None,
            path: None,
            strain: None,
            fractions: vec![0.25, 0.47, 0.8, 0.95],
            repeats: true,
            laws: Vec::new(),
            drop_histories: false,
            points: 200,
            axis: 2,
            bounds: Bounds::default(),
        }
    }
}

impl Options {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The first option that is.
    pub fn check(&self) -> Result<(), ReportError> {
        within("--points", self.points, 10, 100_000)?;
        let refused = |option, value: f64, allowed: &str| {
            Err(ReportError::Option { option, value: value.to_string(), allowed: allowed.to_owned() })
        };
        if let Some(&fraction) = self.fractions.iter().find(|&&fraction| !(fraction > 0.0 && fraction < 1.0)) {
            return refused("--fraction", fraction, "0 < value < 1");
        }
        for (option, bound) in
            [("--stress-error", self.bounds.stress_error), ("--inertial-number", self.bounds.inertial_number)]
        {
            if bound.is_nan() || bound <= 0.0 {
                return refused(option, bound, "value > 0");
            }
        }
        match self.strain {
            Some(strain) if !(strain > 0.0 && strain <= 1.0) => refused("--strain", strain, "0 < value <= 1"),
            _ => Ok(()),
        }
    }

    /// The scene with the changes, the path and further changes.
    ///
    /// # Errors
    /// A scene that cannot be read, a change that it refuses.
    pub fn load(&self, further: &[String]) -> Result<LoadedScene, StudyError> {
        let texts = self.set.iter().chain(further);
        let overrides = texts.map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(load_scene(&self.scene, &overrides)?)
    }
}
