//! Liquid on the particles of a source.

use dem_io::document::{KeyPath, SceneDocument, SceneError};

use crate::builder::values::in_range;
use crate::insertion::wetness::Wetness;
use crate::scene::source::SourceScene;
use crate::state::contact_parameters::ContactDefinition;

/// How wet the particles of a source are; `path` is that of one of its keys.
pub(super) fn build(
    document: &SceneDocument,
    contact: &ContactDefinition,
    source: &SourceScene,
    path: &dyn Fn(&'static str) -> KeyPath,
) -> Result<Wetness, SceneError> {
    let given = [
        ("liquid_film", source.liquid_film.map(|x| x.si()), "m"),
        ("liquid_content", source.liquid_content.map(|x| x.si()), "-"),
    ];
    let mut wetness = Wetness::Dry;
    for (key, value, unit) in given {
        let Some(value) = value else { continue };
        if wetness != Wetness::Dry {
            return Err(document.error_at(path(key), "expected either liquid_film or liquid_content, not both"));
        }
        if !contact.shares_films() {
            let message =
                "expected none: no two materials have near_field = \"liquid-bridge\" with bridge_liquid = \"films\"";
            return Err(document.error_at(path(key), message));
        }
        let value = in_range(document, path(key), value, unit, "value > 0", |x| x > 0.0)?;
        wetness = if key == "liquid_film" { Wetness::Film(value) } else { Wetness::Content(value) };
    }
    Ok(wetness)
}
