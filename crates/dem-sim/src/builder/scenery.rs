//! What a scene puts into its pictures besides the particles.

use std::collections::BTreeSet;

use dem_io::document::SceneError;

use super::loaded_scene::LoadedScene;
use super::surroundings::surroundings;
use crate::pictures::scenery::Scenery;
use crate::scene::{ActionScene, MotionScene, Scene};
use crate::state::contact_parameters::ContactDefinition;

/// What stands around the particles of a scene in its pictures, at its start.
///
/// # Errors
/// As [`super::build`].
pub fn scenery(loaded: &LoadedScene) -> Result<Scenery, SceneError> {
    let around = surroundings(loaded)?;
    let contact = ContactDefinition::new(&loaded.document, &loaded.scene)?;
    Ok(Scenery {
        walls: around.walls,
        moving: moving_walls(&loaded.scene),
        up: around.up,
        title: loaded.scene.title.clone(),
        materials: contact.materials.into_iter().map(|material| material.name).collect(),
    })
}

/// Names of the walls of a scene that move at some time, by themselves or in a stage.
pub fn moving_walls(scene: &Scene) -> BTreeSet<String> {
    let moved = |action: &ActionScene| match action {
        ActionScene::MoveWall { wall, motion } if moves(motion) => Some(wall.clone()),
        _ => None,
    };
    let by_themselves = scene.walls.iter().filter(|wall| wall.motion.as_ref().is_some_and(moves));
    let in_stages = scene.stages.iter().flat_map(|stage| &stage.actions).filter_map(moved);
    by_themselves.map(|wall| wall.name.clone()).chain(in_stages).collect()
}

fn moves(motion: &MotionScene) -> bool {
    let MotionScene { velocity, amplitude, angular_velocity, table, servo, .. } = motion;
    velocity.is_some_and(|velocity| velocity.iter().any(|x| x.si() != 0.0))
        || amplitude.is_some_and(|amplitude| amplitude.iter().any(|x| x.si() != 0.0))
        || angular_velocity.is_some_and(|velocity| velocity.iter().any(|x| x.si() != 0.0))
        || table.is_some()
        || servo.is_some()
}
