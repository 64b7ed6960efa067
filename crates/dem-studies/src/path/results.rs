//! What the study finds out.

use dem_reference::oblique_impact::ElasticPair;

use super::driven_contact::Answer;
use super::histories::{Scale, View};

/// A path with what the foundation and the laws answer.
pub struct Followed {
    /// Its name.
    pub name: String,
    /// Name of its figure.
    pub figure: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// How it is drawn.
    pub view: View,
    /// Overlap, force of the foundation and its distance from sliding at every point.
    pub foundation: Vec<[f64; 2]>,
    /// Answers of the laws, by their labels.
    pub laws: Vec<(String, Vec<Answer>)>,
}

/// Everything that the tables and figures are made of.
pub struct Results {
    /// The bodies.
    pub pair: ElasticPair,
    /// Coefficient of friction, which may be zero; that of the pair is not.
    pub friction: f64,
    /// What named paths are scaled by.
    pub scale: Scale,
    /// All paths.
    pub paths: Vec<Followed>,
    /// Turns of the sliding force, of every law.
    pub turns: Vec<Turn>,
}

/// Angles of the sliding force after one step across it.
pub struct Turn {
    /// Label of the law.
    pub law: String,
    /// Movement in `μN/k_t`, angle \[degrees\].
    pub angles: Vec<[f64; 2]>,
}

/// Angle between the movement and the sliding force after it, from a right angle before it \[degrees\]; the movement in `μN/k_t`. The
/// solution of the tractrix, `tan(θ/2) = exp(−x)`.
pub fn exact_turn(length: f64) -> f64 {
    2.0 * (-length).exp().atan().to_degrees()
}
