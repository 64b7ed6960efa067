//! Checks of values of the scene, and the words of what is refused.

use dem_core::DVec3;
use dem_io::document::{KeyPath, SceneDocument, SceneError};

/// Checks a number of the scene against what is allowed.
pub(super) fn in_range<P: Into<KeyPath>>(
    document: &SceneDocument,
    path: P,
    value: f64,
    unit: &str,
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<f64, SceneError> {
    if admissible(value) { Ok(value) } else { Err(document.range_error(path, unit, allowed)) }
}

/// Checks that a number of the scene is above zero.
pub(super) fn positive<P: Into<KeyPath>>(
    document: &SceneDocument,
    path: P,
    value: f64,
    unit: &str,
) -> Result<f64, SceneError> {
    in_range(document, path, value, unit, "value > 0", |x| x > 0.0)
}

/// Message about a parameter without the value: the document prints it as it was written.
pub(super) fn without_value(message: &str) -> String {
    match message.split_once(", ") {
        Some((value, rest)) if value.starts_with("= ") => rest.to_owned(),
        _ => message.to_owned(),
    }
}

/// Unit vector of a given direction.
pub(super) fn direction<P: Into<KeyPath>>(
    document: &SceneDocument,
    path: P,
    given: Option<[f64; 3]>,
) -> Result<DVec3, SceneError> {
    let v = given.map_or(DVec3::Z, DVec3::from_array);
    if v.is_finite() && v.length() > 0.0 {
        Ok(v.normalize())
    } else {
        Err(document.error_at(path, "expected a vector that is not zero"))
    }
}

/// Key path of an entry of a list of tables.
pub(super) fn entry_path(list: &str, index: usize, keys: &[&str]) -> KeyPath {
    let mut segments = vec![list.to_owned(), index.to_string()];
    segments.extend(keys.iter().map(|key| (*key).to_owned()));
    KeyPath::from(segments)
}
