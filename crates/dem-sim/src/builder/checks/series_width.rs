//! Whether the rows of the series are short enough for whoever reads them: a run must not end with an unreadable table.

use dem_io::document::{SceneDocument, SceneError};
use dem_io::series::{LONGEST_LINE, longest_line};

use crate::measure::series::series_columns;
use crate::scene::document::Scene;
use crate::state::world::World;

/// Refuses a scene with too many columns, by the list that brings the most of them.
pub(crate) fn check(document: &SceneDocument, scene: &Scene, world: &World) -> Result<(), SceneError> {
    let columns = series_columns(world);
    let length = longest_line(&columns);
    if length <= LONGEST_LINE {
        return Ok(());
    }
    let lists = [
        (vec!["walls"], scene.walls.len()),
        (vec!["guides"], scene.guides.len()),
        (vec!["output", "regions"], scene.output.regions.len()),
        (vec!["output", "mixing"], scene.output.mixing.len()),
        (vec!["output", "materials"], scene.output.materials.len()),
    ];
    let (path, entries) = lists.into_iter().max_by_key(|(_, entries)| *entries).unwrap_or_default();
    let message = format!(
        "{entries} entries give series.csv {} columns in lines of up to {length} bytes, expected at most {LONGEST_LINE}, for it to be read",
        columns.len()
    );
    Err(document.error_at(path.as_slice(), message))
}
