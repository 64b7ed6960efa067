//! What stages did, for users who read results.

use serde::{Deserialize, Serialize};

use super::stage::Action;
use crate::state::world::World;

/// Something that a stage did when it began; part of the checkpoint and of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Name of the stage.
    pub stage: String,
    /// What was done.
    pub what: String,
}

/// An action in words.
pub(super) fn describe(action: &Action, world: &World) -> String {
    let wall = |number: &usize| world.walls[*number].name.as_str();
    match action {
        Action::RemoveWall(number) => format!("wall \"{}\" removed", wall(number)),
        Action::AddWall(number) => format!("wall \"{}\" put in place", wall(number)),
        Action::MoveWall(number, _) => format!("wall \"{}\" given another motion", wall(number)),
        Action::SetContact(_) => "contact parameters changed".to_owned(),
        Action::SetFields(fields) => {
            let g = fields.gravity;
            format!("fields changed, gravity ({}, {}, {}) m/s^2", g.x, g.y, g.z)
        }
        Action::RemoveParticles(_) => "particles of a region removed".to_owned(),
        Action::DriveGuide(name, velocity, _) => format!("guide \"{name}\" driven at {velocity} m/s"),
        Action::StartPouring(name) => format!("source \"{name}\" started"),
        Action::StopPouring(name) => format!("source \"{name}\" stopped"),
    }
}
