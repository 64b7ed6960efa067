//! How a run carries orientations.

use dem_core::rotation::IncrementMap;
use dem_core::rotation::carried::{Carried, HalfTurn, RotationScheme};
use dem_io::document::{SceneDocument, SceneError};

use crate::scene::document::Scene;
use crate::scene::time::{HalfTurnName, RotationIncrementName, RotationName};

/// The choices of a scene.
///
/// # Errors
/// Choices that nothing follows from.
pub(super) fn build(document: &SceneDocument, scene: &Scene) -> Result<RotationScheme, SceneError> {
    let time = &scene.time;
    let carried = match time.rotation {
        None | Some(RotationName::Quaternion) => Carried::Quaternion,
        Some(RotationName::Rodrigues) => Carried::Rodrigues,
        Some(RotationName::RotationVector) => Carried::RotationVector,
        Some(RotationName::Matrix) => Carried::Matrix,
    };
    if time.rotation.is_some() && scene.output.orientations == Some(false) {
        let message = "nothing is carried with output.orientations = false";
        return Err(document.error_at(&["time", "rotation"], message));
    }
    if time.half_turn.is_some() && carried != Carried::Rodrigues {
        let message = "only a Rodrigues vector has no half turn: expected time.rotation = \"rodrigues\" beside it";
        return Err(document.error_at(&["time", "half_turn"], message));
    }
    Ok(RotationScheme {
        carried,
        increment: match time.rotation_increment {
            None | Some(RotationIncrementName::Exact) => IncrementMap::Exact,
            Some(RotationIncrementName::Literal) => IncrementMap::Literal,
        },
        half_turn: match time.half_turn {
            None | Some(HalfTurnName::Pass) => HalfTurn::Pass,
            Some(HalfTurnName::Stop) => HalfTurn::Stop,
        },
    })
}
