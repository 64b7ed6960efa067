//! How pairs that may touch are found.

use dem_broadphase::{Automatic, Broadphase, CellList, KdTree};
use dem_io::units::{Length, Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// How pairs that may touch are found: broadphase and skin of the Verlet list. Results do not depend on it, only the run time does.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactSearchScene {
    /// Broadphase. Default: automatic.
    #[serde(default)]
    pub broadphase: BroadphaseScene,
    /// Skin of the Verlet list: gap between surfaces up to which it holds pairs, at most the largest diameter. Default: adapted to the motion.
    pub skin: Option<Quantity<Length>>,
}

/// Finds the pairs of the contact list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BroadphaseScene {
    /// Chosen by the sizes and positions of the spheres: the hierarchical grid, or the k-d tree for clusters far apart.
    #[default]
    Automatic,
    /// Cells as wide as the largest spheres need.
    CellList,
    /// Cells for every octave of radii.
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
