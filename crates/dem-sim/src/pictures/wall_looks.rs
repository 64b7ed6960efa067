//! How each wall looks in pictures.

use dem_core::wall::Wall;
use dem_view::{ViewError, WallLook};

use super::hiding::Hidden;
use super::request::PictureRequest;
use super::scenery::Scenery;

/// Part of the particles that a moving wall may hide and still be opaque by default: what hides more is a container, or one of its sides, as a drum and
/// the plates of a test are.
const MOST_HIDDEN: f64 = 0.2;

/// Looks that are asked for, by walls; the outer none is the default.
pub(super) fn given(request: &PictureRequest, scenery: &Scenery) -> Result<Vec<Option<Option<WallLook>>>, ViewError> {
    let names = || scenery.walls.iter().map(|wall| wall.name.as_str());
    if let Some((name, _)) = request.wall_looks.iter().find(|(name, _)| !names().any(|known| known == name)) {
        let meant = dem_io::nearest(name, names()).map_or_else(String::new, |meant| format!("did you mean {meant}? "));
        let known = names().collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "none" } else { &known };
        return Err(ViewError::Option {
            what: "wall",
            value: format!("\"{name}\" ({meant}known: {known})"),
            allowed: "the name of a wall of the scene",
        });
    }
    let look_of = |wall: &Wall| match request.wall_looks.iter().rev().find(|(name, _)| *name == wall.name) {
        _ if !request.walls => Some(None),
        Some((_, look)) => Some(*look),
        None => None,
    };
    Ok(scenery.walls.iter().map(look_of).collect())
}

/// Looks by walls, none of those that are left out.
pub(super) fn decided(
    given: &[Option<Option<WallLook>>],
    scenery: &Scenery,
    hidden: &[Hidden],
) -> Vec<Option<WallLook>> {
    let by_default = |(wall, hidden): (&Wall, &Hidden)| {
        if scenery.moves(wall) && hidden.share() <= MOST_HIDDEN { WallLook::Opaque } else { WallLook::Translucent }
    };
    let defaults = scenery.walls.iter().zip(hidden).map(by_default);
    given.iter().zip(defaults).map(|(given, default)| given.unwrap_or(Some(default))).collect()
}
