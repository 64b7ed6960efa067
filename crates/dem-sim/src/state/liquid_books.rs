//! Liquid that came and went with particles.

use serde::{Deserialize, Serialize};

/// Volumes that do not follow from the present state \[m³\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiquidBooks {
    /// Brought in with particles so far.
    pub brought: f64,
    /// Taken out with particles so far.
    pub removed: f64,
}
