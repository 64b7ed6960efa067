//! Why facets cannot be a wall.

use glam::DVec3;

use super::limits::{MOST_AT_SIDE, MOST_CORNERS_IN_SIDES, MOST_FACETS};

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
    /// Facets without area only.
    #[error("none of {found} facets has an area, expected one at least whose corners are not on a line")]
    NoArea {
        /// Facets given.
        found: usize,
    },
    /// Corners in the middle of sides of other facets, more than any sound mesh has.
    #[error(
        "{corners} corners of {facets} facets lie in the middle of sides of others, expected at most {MOST_CORNERS_IN_SIDES} for each facet"
    )]
    Tangled {
        /// Corners found so far.
        corners: usize,
        /// Facets given.
        facets: usize,
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
