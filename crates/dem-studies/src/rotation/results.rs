//! What the study finds out.

use super::accuracy::{ConstantSpin, Precession};
use super::contestants::Contestant;
use super::cost::Measurement;
use super::runs::Outcome;

/// Everything that was found out.
pub struct Results {
    /// Parameterizations and maps.
    pub contestants: Vec<Contestant>,
    /// Angle and error of a single step with the literal map, in rad.
    pub single_steps: Vec<[f64; 2]>,
    /// Errors under a constant spin.
    pub constant_spin: Vec<ConstantSpin>,
    /// Errors under a precessing spin.
    pub precession: Vec<Precession>,
    /// Costs, if they were timed.
    pub measurement: Option<Measurement>,
    /// What whole runs showed, if there were any.
    pub runs: Option<Outcome>,
}
