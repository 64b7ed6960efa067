//! How far a particle may move and turn in a step that resolves its motion.

/// Displacement per step in proportion to the radius.
pub(crate) const LARGEST_MOVE: f64 = 0.01;
/// Rotation per step \[rad\]: the velocity of a point of the surface then turns little within it.
pub(crate) const LARGEST_TURN: f64 = 0.05;
