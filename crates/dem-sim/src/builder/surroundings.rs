//! What a scene puts around its particles, for the evaluation of snapshots.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::wall::Wall;
use dem_io::document::SceneError;
use dem_io::snapshot::Frame;

use super::loaded_scene::LoadedScene;
use crate::builder::boundaries::domain::build_cell;
use crate::builder::boundaries::walls;
use crate::frames::wall_poses;
use crate::state::contact_parameters::ContactDefinition;

/// What surrounds the particles of a scene at its start.
#[derive(Clone)]
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
    let cell = build_cell(loaded, &walls, false)?;
    let gravity = scene.fields.gravity();
    let up = if gravity.length() > 0.0 { -gravity.normalize() } else { DVec3::Z };
    Ok(Surroundings { walls, up, cell, has_friction: contact.has_friction() })
}

impl Surroundings {
    /// Takes the walls to where they are in a frame, with their velocities and the forces on them.
    pub fn place_walls(&mut self, frame: &Frame) {
        wall_poses::place_walls(&mut self.walls, frame);
    }
}
