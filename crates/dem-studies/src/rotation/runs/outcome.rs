//! What the runs showed, for tables, figures and sentences.

use super::cost::RunCost;
use super::extent::Runs;
use super::free_bodies::{Accuracy, Drift, Stop};
use super::packing::Departure;
use super::spheres::{LiteralTurn, SphereRun};

/// What the runs showed.
pub struct Outcome {
    pub(super) runs: Runs,
    pub(super) accuracy: Vec<Accuracy>,
    pub(super) drift: Vec<Drift>,
    pub(super) stops: Vec<Stop>,
    pub(super) packing: Vec<Departure>,
    pub(super) spheres: Vec<SphereRun>,
    pub(super) literal: Vec<LiteralTurn>,
    pub(super) cost: Vec<RunCost>,
}
