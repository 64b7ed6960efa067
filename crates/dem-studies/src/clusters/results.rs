//! What the study finds.

use dem_report::statistics::MeanEstimate;
use dem_view::LinePlot;

use super::options::Options;
use super::shape::Shape;
use crate::triaxial::point::{Course, PreparedSample};

/// How near the mean void ratio of the assemblies of a shape must come to what is asked: seeds differ by some thousandths.
const NEAR: f64 = 6e-3;

/// Void ratio of a porosity.
pub fn void_ratio(porosity: f64) -> f64 {
    porosity / (1.0 - porosity)
}

/// An assembly that was compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preparation {
    /// Friction meanwhile \[-\].
    pub friction: f64,
    /// Volume of the voids over that of the clusters \[-\].
    pub void_ratio: f64,
}

/// An assembly that was sheared.
pub struct Tested {
    /// Its seed.
    pub seed: u64,
    /// Clusters.
    pub clusters: u64,
    /// What it was before.
    pub sample: PreparedSample,
    /// Stages of its compression that ended before what they wait for had come.
    pub in_vain: Vec<String>,
    /// The test.
    pub course: Course,
}

impl Tested {
    /// Largest q/p; not a number of a course without points.
    pub fn peak(&self) -> f64 {
        self.course.peak().map_or(f64::NAN, |point| point.q_over_p)
    }

    /// Strain at which it is reached.
    pub fn strain_at_peak(&self) -> f64 {
        self.course.peak().map_or(f64::NAN, |point| point.strain)
    }

    /// Volume of the voids over that of the clusters, before the test.
    pub fn void_ratio(&self) -> f64 {
        void_ratio(self.sample.porosity)
    }
}

/// The assemblies of a shape.
pub struct Scanned {
    /// The shape.
    pub shape: Shape,
    /// Friction of the compression of those that were sheared.
    pub friction: f64,
    /// What its first assembly was with other frictions, by rising friction.
    pub preparations: Vec<Preparation>,
    /// Those that were sheared.
    pub tested: Vec<Tested>,
}

impl Scanned {
    /// Mean of a quantity of the tests.
    pub fn mean(&self, value: impl Fn(&Tested) -> f64) -> MeanEstimate {
        MeanEstimate::over_seeds(&self.tested.iter().map(value).collect::<Vec<_>>())
    }

    /// Whether the mean void ratio is the one that was asked for, as far as it is known.
    pub fn is_as_dense_as(&self, void_ratio: f64) -> bool {
        let found = self.mean(Tested::void_ratio);
        (found.mean - void_ratio).abs() <= NEAR.max(found.half_width)
    }
}

/// When a state was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// While the sample was sheared.
    Moving,
    /// When it had come to rest in a cell that holds still.
    AtRest,
}

impl Moment {
    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moving => "moving",
            Self::AtRest => "at rest",
        }
    }
}

/// Probes of a state of an assembly.
pub struct Probed {
    /// Seed of the assembly.
    pub seed: u64,
    /// When the state was saved.
    pub moment: Moment,
    /// q/p there.
    pub q_over_p: f64,
    /// Unbalanced force there.
    pub unbalanced_force: f64,
    /// Share of contacts at or within 0.001 % of the friction limit.
    pub mobilised_share: f64,
    /// Plastic modulus under `kuhn` \[MPa\].
    pub modulus: f64,
    /// Yield and flow direction \[°\].
    pub directions: [f64; 2],
    /// Plastic modulus under `conventional` over that under `kuhn`, less one.
    pub difference: f64,
    /// Interval of it over resampled probes.
    pub interval: [f64; 2],
    /// What is to be said of the probes.
    pub remark: String,
    /// Points and circles.
    pub panels: Vec<LinePlot>,
}

/// The shape whose mean peak of q/p is nearest to a value.
pub fn nearest(scanned: &[Scanned], peak: f64) -> usize {
    let off = |k: &usize| (scanned[*k].mean(Tested::peak).mean - peak).abs();
    (0..scanned.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// Everything that was found out.
pub struct Results {
    /// What was asked.
    pub options: Options,
    /// All shapes.
    pub scanned: Vec<Scanned>,
    /// The one with the nearest peak.
    pub chosen: usize,
    /// A larger assembly of it.
    pub larger: Option<Tested>,
    /// Its probes.
    pub probed: Vec<Probed>,
}

impl Results {
    /// The assemblies of the chosen shape.
    pub fn best(&self) -> &Scanned {
        &self.scanned[self.chosen]
    }
}
