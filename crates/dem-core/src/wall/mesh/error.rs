//! Why facets cannot be a wall.

use glam::DVec3;

use super::{MOST_AT_SIDE, MOST_FACETS};

/// A mesh that cannot be a wall.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// No facet.
    #[error("no facets, expected at least one")]
    Empty,
    /// Too many facets.
    #[error("{found} facets, expected at most {MOST_FACETS}")]
    TooMany {
        /// Facets given.
        found: usize,
    },
    /// A corner that is not a point.
    #[error("facet {facet} has a corner that is not finite, expected three finite coordinates")]
    NotFinite {
        /// Number of the facet, from 1.
        facet: usize,
    },
    /// A facet without area.
    #[error("facet {facet} at {corner} has no area, expected three corners that are not on a line")]
    Degenerate {
        /// Number of the facet, from 1.
        facet: usize,
        /// One of its corners.
        corner: DVec3,
    },
    /// A side that too many facets share.
    #[error("{found} facets share a side at {corner}, expected at most {MOST_AT_SIDE}")]
    Crowded {
        /// Facets there.
        found: usize,
        /// One end of the side.
        corner: DVec3,
    },
}
