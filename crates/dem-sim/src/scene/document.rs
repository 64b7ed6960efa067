//! A scene as it is written.

use std::collections::BTreeMap;

use dem_io::units::{Quantity, Ratio};
use schemars::JsonSchema;
use serde::Deserialize;

use super::cell::CellScene;
use super::clump::ClumpScene;
use super::contact::{ContactScene, MaterialScene, PairScene};
use super::contact_search::ContactSearchScene;
use super::domain::DomainScene;
use super::fields::FieldsScene;
use super::group::GroupScene;
use super::guide::GuideScene;
use super::output::OutputScene;
use super::source::SourceScene;
use super::stage::{AtRestScene, StageScene};
use super::time::TimeScene;
use super::wall::WallScene;

/// A simulation: materials, contact law, walls, particles, stages, output.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Title, shown in pictures and summaries.
    #[serde(default)]
    pub title: String,
    /// Seed of all random numbers. Same seed, same bits.
    #[serde(default)]
    pub seed: u64,
    /// Time step, end and integrator.
    #[serde(default)]
    pub time: TimeScene,
    /// Box in which particles may be. Default: around everything in the scene, open on all sides.
    pub domain: Option<DomainScene>,
    /// Measures the stress of the periodic cell, and lets stages deform it.
    pub cell: Option<CellScene>,
    /// Gravity, drag, damping.
    #[serde(default)]
    pub fields: FieldsScene,
    /// Materials by name.
    pub materials: BTreeMap<String, MaterialScene>,
    /// Contact law and its parameters for all pairs of materials.
    pub contact: ContactScene,
    /// Other parameters, or another law, for single pairs of materials.
    #[serde(default)]
    pub pairs: Vec<PairScene>,
    /// Groups of particles with frozen degrees of freedom.
    #[serde(default)]
    pub groups: BTreeMap<String, GroupScene>,
    /// Walls.
    #[serde(default)]
    pub walls: Vec<WallScene>,
    /// Rigid bodies made of spheres, by name.
    #[serde(default)]
    pub clumps: BTreeMap<String, ClumpScene>,
    /// Where particles come from, in order.
    #[serde(default)]
    pub particles: Vec<SourceScene>,
    /// Paths that particles follow.
    #[serde(default)]
    pub guides: Vec<GuideScene>,
    /// Stages, one after the other. Default: one stage until at rest or the end of time.
    #[serde(default)]
    pub stages: Vec<StageScene>,
    /// When the assembly counts as at rest.
    #[serde(default)]
    pub at_rest: AtRestScene,
    /// Limits that stop a run.
    #[serde(default)]
    pub limits: LimitsScene,
    /// How pairs that may touch are found.
    #[serde(default)]
    pub contact_search: ContactSearchScene,
    /// What is written, and when.
    #[serde(default)]
    pub output: OutputScene,
}

/// Limits that stop a run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsScene {
    /// Largest overlap in proportion to the smaller radius; beyond it the run stops. Default: 0.1.
    pub overlap: Option<Quantity<Ratio>>,
    /// Largest growth of the energy balance, as a share of the energy that particles hold and have dissipated; beyond it the run stops. 1
    /// disables the check. Default: 0.5.
    pub created_energy: Option<Quantity<Ratio>>,
}
