//! Frames of the snapshots: what is recorded of a world, and what is drawn from it.

pub(crate) mod body_rows;
pub(crate) mod body_surface;
pub(crate) mod columns;
pub(crate) mod contact_rows;
pub(crate) mod facet_rows;
pub(crate) mod frame;
pub(crate) mod geometry;
pub(crate) mod wall_poses;
pub(crate) mod wall_surface;
