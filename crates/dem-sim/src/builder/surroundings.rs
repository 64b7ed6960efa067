//! What a scene puts around its particles, for the evaluation of snapshots.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::wall::Wall;
use dem_io::document::SceneError;

use super::{ContactDefinition, LoadedScene, build_cell, walls};

/// What surrounds the particles of a scene at its start.
pub struct Surroundings {
    /// Walls.
    pub walls: Vec<Wall>,
    /// Upward direction; z without gravity.
    pub up: DVec3,
    /// The cell, with its periodic directions.
    pub cell: Cell,
    /// Whether any pair of materials has friction.
    pub has_friction: bool,
}

/// Surroundings of the particles of a scene; reads no file.
///
/// # Errors
/// As [`super::build`].
pub fn surroundings(loaded: &LoadedScene) -> Result<Surroundings, SceneError> {
    let LoadedScene { document, scene, .. } = loaded;
    let contact = ContactDefinition::new(document, scene)?;
    let walls = walls::build(loaded, &contact)?;
    let cell = build_cell(document, scene, &walls)?;
    let gravity = scene.fields.gravity();
    let up = if gravity.length() > 0.0 { -gravity.normalize() } else { DVec3::Z };
    Ok(Surroundings { walls, up, cell, has_friction: contact.has_friction() })
}
