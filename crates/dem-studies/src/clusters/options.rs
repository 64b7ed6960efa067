//! What to study.

use dem_report::ReportError;
use dem_report::given::within;
use dem_sim::builder::{self, LoadedScene};
use dem_workloads::scenes::{TRIAXIAL_CLUSTERS, triaxial_with_spheres};

use super::shape::Shape;
use crate::error::StudyError;
use crate::triaxial;

/// Least clusters of an assembly: a cluster is smaller than half of its cell.
const FEWEST: u64 = 30;
/// Most clusters.
const MOST: u64 = 1_000_000;
/// Least directions of probes: the circle of loading is fitted to about half of them.
const FEWEST_DIRECTIONS: u64 = 12;
/// Points of a course.
const POINTS: u64 = 150;

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Shapes that are tried.
    pub shapes: Vec<Shape>,
    /// Assemblies of each shape, with the seeds 1, 2, .., at least two.
    pub seeds: u64,
    /// Clusters of an assembly.
    pub clusters: u64,
    /// Friction during compression: values between which that is sought which gives the void ratio, at least two.
    pub frictions: Vec<f64>,
    /// Void ratio of the sample.
    pub void_ratio: f64,
    /// Peak of q/p that the chosen shape comes nearest to.
    pub peak: f64,
    /// Axial strain at which a test ends.
    pub strain: f64,
    /// Clusters of one larger assembly of the chosen shape, none to leave it out.
    pub larger: Option<u64>,
    /// q/p of the states that are probed.
    pub probed_at: f64,
    /// Directions of the probes, none to leave them out.
    pub directions: Option<usize>,
    /// Steps at rest after each step of a probe, up to 100,000.
    pub relax: u32,
    /// Further changes of the scene.
    pub set: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            shapes: Shape::FAMILY.to_vec(),
            seeds: 3,
            clusters: 1000,
            frictions: vec![0.05, 0.15],
            void_ratio: 0.570,
            peak: 1.7,
            strain: 0.03,
            larger: Some(4096),
            probed_at: 0.795,
            directions: Some(24),
            relax: 50,
            set: Vec::new(),
        }
    }
}

impl Options {
    /// Refuses what is out of range, and changes that the scene does not take.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self) -> Result<(), StudyError> {
        within("--seeds", self.seeds, 2, 10_000)?;
        within("--clusters", self.clusters, FEWEST, MOST)?;
        self.larger.map_or(Ok(()), |count| within("--larger", count, FEWEST, MOST))?;
        self.directions.map_or(Ok(()), |count| within("--directions", count as u64, FEWEST_DIRECTIONS, 10_000))?;
        within("--relax", self.relax.into(), 0, 100_000)?;
        let refused = |option, value: String, allowed: &str| {
            Err(ReportError::Option { option, value, allowed: allowed.to_owned() }.into())
        };
        let is_twice = |k: usize| self.shapes[..k].contains(&self.shapes[k]);
        if let Some(k) = (0..self.shapes.len()).find(|&k| is_twice(k)) {
            return refused("--shape", self.shapes[k].label(), "each shape once");
        }
        if self.shapes.is_empty() {
            return refused("--shape", "nothing".to_owned(), "at least one shape");
        }
        let is_rising = self.frictions.windows(2).all(|pair| pair[0] < pair[1]);
        if self.frictions.len() < 2 || !is_rising || self.frictions.iter().any(|x| !(0.0..=10.0).contains(x)) {
            let allowed = "at least two rising numbers, each 0 to 10";
            return refused("--preparation-friction", format!("{:?}", self.frictions), allowed);
        }
        for (option, value, most) in [
            ("--void-ratio", self.void_ratio, 10.0),
            ("--peak", self.peak, 10.0),
            ("--strain", self.strain, 1.0),
            ("--probe-at", self.probed_at, 10.0),
        ] {
            if !(value > 0.0 && value <= most) {
                return refused(option, value.to_string(), &format!("above 0 and at most {most}"));
            }
        }
        // before hours of assemblies, the scenes of all shapes
        self.shapes.iter().try_for_each(|shape| {
            let loaded = self.scene(shape, self.frictions[0], 1, self.clusters)?;
            builder::build_empty(&loaded).map(drop).map_err(StudyError::from)
        })
    }

    /// The scene of an assembly.
    ///
    /// # Errors
    /// A change that the scene refuses.
    pub fn scene(&self, shape: &Shape, friction: f64, seed: u64, clusters: u64) -> Result<LoadedScene, StudyError> {
        let mut changes = triaxial_with_spheres(clusters, seed);
        changes.extend([
            shape.change(),
            format!("contact.friction={friction}"),
            format!("stages.shear.until.strain.zz={}", self.strain),
        ]);
        changes.extend(self.set.iter().cloned());
        Ok(TRIAXIAL_CLUSTERS.load(&changes)?)
    }

    /// How courses are followed.
    pub fn triaxial(&self) -> triaxial::Options {
        triaxial::Options {
            strain: Some(self.strain),
            repeats: false,
            fractions: Vec::new(),
            points: POINTS,
            ..triaxial::Options::default()
        }
    }
}
