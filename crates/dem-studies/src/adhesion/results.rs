//! What the study finds out.

use super::bridges::Bridge;
use super::curves::PullCurve;
use super::impacts::Impact;
use super::setup::Setup;

/// Everything that the tables and figures are made of.
pub struct Results<'a> {
    /// The bodies.
    pub setup: Setup<'a>,
    /// Pull-off curves.
    pub curves: Vec<PullCurve>,
    /// Impacts.
    pub impacts: Vec<Impact>,
    /// Liquid bridges.
    pub bridges: Vec<Bridge>,
}
