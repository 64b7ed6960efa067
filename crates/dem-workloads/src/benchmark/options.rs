//! What a user asks of a benchmark.

use std::path::PathBuf;

use dem_report::ReportError;

use crate::error::WorkloadError;

/// What to time.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Name of the case.
    pub case: String,
    /// Spheres, a multiple of those of the shipped packing; that many if not given.
    pub size: Option<usize>,
    /// A packing of one's own instead: columns x, y, z, r and perhaps vx, vy, vz, gzip or not; positions from zero to the period.
    pub particles: Option<PathBuf>,
    /// Periods of such a packing along x, y and z \[m\]; z for `periodic` only.
    pub period: Vec<f64>,
    /// Threads, of each rank if there are several; all if not given, shared among the ranks.
    pub threads: Option<usize>,
    /// Ranks in threads that share the spheres; one if not given.
    pub ranks: Option<usize>,
    /// Whether the speed on up to 1,024 ranks is predicted.
    pub forecast: bool,
    /// Steps before the timing, that of the case if not given.
    pub warm_up: Option<u64>,
    /// Timed steps, those of the case if not given.
    pub steps: Option<u64>,
    /// Contact law, that of the case if not given.
    pub law: Option<String>,
    /// Whether to keep the works of contacts; otherwise laws that can do without keep none, like other codes.
    pub works: bool,
    /// Whether orientations follow; otherwise they stay as they are, like those of spheres in other codes.
    pub orientations: bool,
    /// How pairs are found, one of `BROADPHASES`; `automatic` if not given.
    pub broadphase: Option<String>,
    /// Facets of the mesh of `hopper`: 288, `FACETS` or, for analytic walls, 0; `FACETS` if not given.
    pub facets: Option<usize>,
    /// How many contacts are computed side by side, by the key of a width that the machine has; as many as it can if not given.
    pub lanes: Option<String>,
}

/// An option that is refused.
pub fn refused(option: &'static str, value: &str, allowed: &str) -> WorkloadError {
    ReportError::Option { option, value: value.to_owned(), allowed: allowed.to_owned() }.into()
}
