//! Particles of a scene: sources, regions, guides.

pub(crate) mod frozen;
pub(crate) mod guides;
pub(crate) mod regions;
pub(crate) mod requests;
pub(crate) mod source_path;
pub(crate) mod sources;
