//! Triaxial tests: a path of loading, what the sample does on it, whether rate and stiffness matter, and states saved on the way.
//!
//! A scene prepares a sample and shears it in its last stage; the study runs it and follows that stage. The same is done at a third of the
//! rate, from the same state, and with three times the stiffness, from the start, and under other laws, from the same state. States at given
//! fractions of the peak of q/p are saved from a second course, since only the first one knows the peak; each comes to rest in a cell that holds
//! still before it is saved, so that it can be probed. A test that was interrupted goes on where it was.

mod bounds;
mod course;
mod figures;
mod findings;
mod path;
mod point;
mod strength;
mod tables;

#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use path::{Held, Path};

use std::path::{Path as FilePath, PathBuf};

use dem_io::atomic::remove_unfinished;
use dem_io::document::Override;
use dem_sim::builder::{LoadedScene, load_scene};

use crate::error::{StudyError, within};
use crate::probe::LawChoice;
use crate::report::Report;
use crate::unfinished::Unfinished;
use course::Prepared;
use point::{Course, Point, SavedPoint};
use serde::{Deserialize, Serialize};

/// Folder of what an interrupted test has done.
const UNFINISHED: &str = "unfinished";

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

/// Factor by which the rate is divided and the stiffness multiplied.
const FACTOR: f64 = 3.0;

impl Options {
    fn check(&self) -> Result<(), StudyError> {
        within("--points", self.points, 10, 100_000)?;
        let refused = |option, value: f64, allowed: &str| {
            Err(StudyError::Option { option, value: value.to_string(), allowed: allowed.to_owned() })
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
    fn load(&self, further: &[String]) -> Result<LoadedScene, StudyError> {
        let texts = self.set.iter().chain(further);
        let overrides = texts.map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(load_scene(&self.scene, &overrides)?)
    }
}

/// Folder of the states that a test saves.
const STATES: &str = "states";

/// Courses of a test.
struct Results {
    prepared: PreparedSample,
    test: Course,
    slower: Option<Course>,
    stiffer: Option<Course>,
    under_laws: Vec<Course>,
    saved: Vec<SavedPoint>,
    /// Stages of the preparation that ended before what they wait for had come.
    in_vain: Vec<String>,
    bounds: Bounds,
    /// Strain that was asked for.
    strain: Option<f64>,
    fractions: Vec<f64>,
}

/// What the sample was before the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct PreparedSample {
    particles: usize,
    porosity: f64,
    coordination: f64,
    mean_stress: f64,
    stiffness_number: f64,
    time_step: f64,
    /// Where its courses begin, at a strain of zero.
    origin: Point,
    /// Diagonal of its fabric \[-\].
    fabric: [f64; 3],
}

/// Makes sure that a test can begin.
///
/// # Errors
/// Options out of range, a scene that cannot be read or has no stage that deforms its cell.
pub fn check(options: &Options) -> Result<(), StudyError> {
    options.check()?;
    let changes = path::changes(options, &options.load(&[])?)?;
    options.load(&changes).map(drop)
}

/// Does the test. The report holds the states as files, too, with the scene they belong to (`scene.resolved.toml`). How far the test is, is kept
/// in a folder of its own in `folder`: what an interrupted test of the same scene has left there is not done again, until [`forget`] removes it.
///
/// # Errors
/// Options out of range, a scene without a stage that deforms its cell, a step that fails, files that cannot be read or written.
pub fn run(options: &Options, folder: &FilePath) -> Result<Report, StudyError> {
    options.check()?;
    let plain = options.load(&[])?;
    let changes = path::changes(options, &plain)?;
    let loaded = options.load(&changes)?;
    let unfinished = Unfinished::beside(folder, UNFINISHED)?;
    unfinished.remove_strays()?;
    // of versions that wrote there while a test went on
    for owned in dem_sim::builder::copy_folders().chain([STATES]) {
        remove_unfinished(&folder.join(owned))?;
    }
    let prepared = Prepared::new(&loaded, &unfinished, options.from.as_deref())?;
    let test = prepared.follow("test", options, 1.0)?;
    let slower = options.repeats.then(|| prepared.follow("a third of the rate", options, 1.0 / FACTOR)).transpose()?;
    let mut in_vain = prepared.in_vain().to_vec();
    // without a stage that prepares it, nothing brings a saved state with stiffer springs to rest
    let stiffer = if options.repeats && !(options.from.is_some() && prepared.is_only_tested()) {
        let name = "three times the stiffness";
        let scene = options.load(&[changes.clone(), path::stiffer(&prepared, &loaded, FACTOR)].concat())?;
        let stiffer = Prepared::new(&scene, &unfinished, options.from.as_deref())?;
        in_vain.extend(stiffer.in_vain().iter().map(|what| format!("{name}: {what}")));
        Some(stiffer.follow(name, options, 1.0)?)
    } else {
        None
    };
    let under_law = |law: &LawChoice| {
        let other = options.load(&[changes.clone(), law.changes.clone()].concat())?;
        prepared.follow_under(&format!("under {}", law.label), options, &other)
    };
    let under_laws = options.laws.iter().map(under_law).collect::<Result<_, _>>()?;
    let saved = prepared.save_on_the_way(options, &test)?;
    let mut further = dem_sim::builder::copies(&loaded.files).collect::<Result<Vec<_>, _>>()?;
    further.push(("scene.resolved.toml".to_owned(), loaded.resolved().to_string().into_bytes()));
    further.extend(saved.iter().map(|point| (format!("{STATES}/{}", point.file()), point.bytes.clone())));
    let results = Results {
        prepared: prepared.describe(),
        test,
        slower,
        stiffer,
        under_laws,
        saved,
        in_vain,
        bounds: options.bounds,
        strain: options.strain,
        fractions: options.fractions.clone(),
    };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        shortfalls: bounds::shortfalls(&results),
        further,
        ..Report::default()
    })
}

/// Whether a folder holds parts of a test that has not come to its end.
pub fn is_unfinished(folder: &FilePath) -> bool {
    folder.join(UNFINISHED).is_dir()
}

/// Removes from a folder what parts of a test it holds: for when the report of [`run`] is written.
///
/// # Errors
/// What the system refuses.
pub fn forget(folder: &FilePath) -> Result<(), StudyError> {
    crate::unfinished::remove(folder, UNFINISHED)
}
