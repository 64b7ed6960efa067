//! How pairs that may touch are found.

use dem_broadphase::{Automatic, Broadphase, CellList, KdTree};
use dem_io::units::{Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// How pairs that may touch are found. No result depends on it, only the time that a run takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactSearchScene {
    /// Broadphase. Default: automatic.
    #[serde(default)]
    pub broadphase: BroadphaseScene,
    /// Gap up to which the contact list holds pairs, at most the largest diameter. Default: follows the motion.
    pub skin: Option<Quantity<Length>>,
}

/// Finds the pairs of the contact list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BroadphaseScene {
    /// By the sizes and places of the spheres: the hierarchical grid, or the k-d tree for clusters far apart.
    #[default]
    Automatic,
    /// Bins as wide as the largest spheres need.
    CellList,
    /// Bins for every octave of radii.
    HierarchicalGrid,
    /// k-d tree.
    KdTree,
}

impl BroadphaseScene {
    /// The broadphase.
    pub fn build(self) -> Box<dyn Broadphase> {
        match self {
            Self::Automatic => Box::new(Automatic::default()),
            Self::CellList => Box::new(CellList::default()),
            Self::HierarchicalGrid => Box::new(CellList::hierarchical()),
            Self::KdTree => Box::new(KdTree::default()),
        }
    }
}
