//! What to probe, and how.

use std::path::PathBuf;

use dem_report::ReportError;
use dem_report::given::within;

use super::law_choice::LawChoice;
use super::plane::Plane;

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
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The first option that is.
    pub fn check(&self) -> Result<(), ReportError> {
        within("--directions", self.directions as u64, 4, 10_000)?;
        self.steps.iter().try_for_each(|&count| within("--steps", count.into(), 1, 100_000))?;
        self.relax.iter().try_for_each(|&count| within("--relax", count.into(), 0, 100_000))?;
        within("--unload", self.unload.into(), 0, 10_000_000)?;
        for &magnitude in &self.magnitudes {
            if !(magnitude > 0.0 && magnitude <= 1e-2) {
                let (value, allowed) = (magnitude.to_string(), "0 < value <= 0.01".to_owned());
                return Err(ReportError::Option { option: "--magnitude", value, allowed });
            }
        }
        for (option, is_empty) in [
            ("--steps", self.steps.is_empty()),
            ("--relax", self.relax.is_empty()),
            ("--magnitude", self.magnitudes.is_empty()),
        ] {
            if is_empty {
                let (value, allowed) = ("nothing".to_owned(), "at least one".to_owned());
                return Err(ReportError::Option { option, value, allowed });
            }
        }
        let labels: Vec<String> = self.laws.iter().map(LawChoice::file_label).collect();
        for (k, label) in labels.iter().enumerate() {
            if labels[..k].contains(label) || *label == LawChoice::elastic().label {
                let allowed = "laws with different names".to_owned();
                return Err(ReportError::Option { option: "--law", value: label.clone(), allowed });
            }
        }
        for (option, count, distinct) in [
            ("--steps", self.steps.len(), distinct(self.steps.iter().map(|&x| f64::from(x)))),
            ("--relax", self.relax.len(), distinct(self.relax.iter().map(|&x| f64::from(x)))),
            ("--magnitude", self.magnitudes.len(), distinct(self.magnitudes.iter().copied())),
        ] {
            if distinct < count {
                let (value, allowed) = ("a number twice".to_owned(), "each number once".to_owned());
                return Err(ReportError::Option { option, value, allowed });
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
