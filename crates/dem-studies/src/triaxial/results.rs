//! What a test finds out.

use super::bounds::Bounds;
use super::point::{Course, PreparedSample, SavedPoint};

/// Courses of a test.
pub struct Results {
    /// What the sample was before.
    pub prepared: PreparedSample,
    /// The test.
    pub test: Course,
    /// At a third of the rate.
    pub slower: Option<Course>,
    /// With stiffer contacts.
    pub stiffer: Option<Course>,
    /// Under other laws.
    pub under_laws: Vec<Course>,
    /// States that were saved on the way.
    pub saved: Vec<SavedPoint>,
    /// Stages of the preparation that ended before what they wait for had come.
    pub in_vain: Vec<String>,
    /// What the test must keep.
    pub bounds: Bounds,
    /// Strain that was asked for.
    pub strain: Option<f64>,
    /// Fractions of the peak at which states were to be saved.
    pub fractions: Vec<f64>,
}
