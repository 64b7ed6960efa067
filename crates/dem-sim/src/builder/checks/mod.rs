//! What a scene that can be built must keep to besides.

pub(crate) mod contact_memory;
pub(crate) mod liquid_bridges;
pub(crate) mod periodic_walls;
pub(crate) mod resolution;
pub(crate) mod rigid_bodies;
pub(crate) mod series_width;
pub(crate) mod table_overlaps;
