//! Size of the systems.

use dem_report::ReportError;
use dem_report::given::within;

/// The systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Free bodies, and spheres of the spinning cloud, 8 to 100,000.
    pub bodies: usize,
    /// Dimers of the packing, 8 to 100,000.
    pub dimers: usize,
    /// Steps over which free bodies drift, 100 to 10⁷; spheres take a tenth.
    pub steps: u64,
    /// Steps in which the packing settles, up to 10⁷; it goes on for a tenth of them.
    pub settling: u64,
}

impl Default for Runs {
    fn default() -> Self {
        Self { bodies: 1000, dimers: 300, steps: 10_000, settling: 20_000 }
    }
}

impl Runs {
    /// Refuses what is out of range.
    pub(in crate::rotation) fn check(&self) -> Result<(), ReportError> {
        within("--run-bodies", self.bodies as u64, 8, 100_000)?;
        within("--run-dimers", self.dimers as u64, 8, 100_000)?;
        within("--run-steps", self.steps, 100, 10_000_000)?;
        within("--run-settling", self.settling, 0, 10_000_000)
    }
}
