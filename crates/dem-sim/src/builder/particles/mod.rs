//! Particles of a scene: clumps, sources, regions, guides.

pub(crate) mod clump_files;
pub(crate) mod clump_spheres;
pub(crate) mod clumps;
pub(crate) mod frozen;
pub(crate) mod guides;
pub(crate) mod mixing;
pub(crate) mod orientations;
pub(crate) mod placement;
pub(crate) mod pouring;
pub(crate) mod regions;
pub(crate) mod requests;
pub(crate) mod site;
pub(crate) mod source_path;
pub(crate) mod sources;
pub(crate) mod table_source;
pub(crate) mod wetness;
