//! What the study finds out.

use super::laws::{Bodies, PlasticLaw};
use crate::head_on::Rebound;

/// An impact.
pub struct Impact {
    /// Place of its law.
    pub law: usize,
    /// Speed \[m/s\].
    pub speed: f64,
    /// What was left.
    pub rebound: Rebound,
}

/// Everything that the tables and figures are made of.
pub struct Results<'a> {
    /// The bodies.
    pub bodies: Bodies<'a>,
    /// The laws.
    pub laws: Vec<PlasticLaw>,
    /// Impacts of all laws at all speeds.
    pub impacts: Vec<Impact>,
}
