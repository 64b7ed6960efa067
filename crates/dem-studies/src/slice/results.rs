//! What the study finds out.

use super::course::Pair;

/// Everything that was found out.
pub struct Results {
    /// Under the scheme that was asked for, seed by seed.
    pub pairs: Vec<Pair>,
    /// The first seed under the other integrators.
    pub others: Vec<Pair>,
}
