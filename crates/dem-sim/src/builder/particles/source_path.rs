//! Where a source stands in a scene.

use dem_io::document::KeyPath;

use crate::builder::values::entry_path;
use crate::scene::document::Scene;

/// Path of a source's key, for messages about pouring.
pub(crate) fn source_path(scene: &Scene, name: &str) -> Option<KeyPath> {
    scene.particles.iter().position(|s| s.name == name).map(|index| entry_path("particles", index, &["fill"]))
}
