//! Spheres of Yade: lines `x y z r` of one clump, or `x y z r id` of any number of clumps.

use super::clump_shape::{ClumpShape, ClumpSphere};
use super::error::{ClumpFileError, FileFault, LineFault, Origin};
use super::fields::{Field, fields, lines, place_and_radius, shown};

const NAMES: [&str; 5] = ["x", "y", "z", "r", "id"];
const WITHOUT_ID: &str = "4 as in the lines before: x y z r";
const WITH_ID: &str = "5 as in the lines before: x y z r id";
const EITHER: &str = "4 or 5: x y z r and, of files with many clumps, its number";
/// What the first line of Yade's files may say.
const FORMATS: [&str; 2] = ["x_y_z_r", "x_y_z_r_clumpId"];

pub(super) fn read(origin: Origin, text: &str) -> Result<Vec<ClumpShape>, ClumpFileError> {
    if let Some((line, found)) = announced(text)
        && !FORMATS.contains(&found)
    {
        return Err(origin.line(line, LineFault::OtherFormat { found: shown(found) }));
    }
    let mut shapes: Vec<ClumpShape> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (number, line) in lines(text).filter(|(_, line)| !line.is_empty()) {
        let refuse = |fault| origin.line(number, fault);
        let has_id = shapes.first().map(|shape| shape.id.is_some());
        let (sphere, id) = sphere(line, has_id).map_err(refuse)?;
        match shapes.last_mut().filter(|shape| shape.id == id) {
            Some(shape) => shape.spheres.push(sphere),
            None => {
                if let Some(id) = id
                    && !seen.insert(id)
                {
                    return Err(refuse(LineFault::ClumpAgain { id }));
                }
                shapes.push(ClumpShape { id, ..ClumpShape::of_spheres(vec![sphere]) });
            }
        }
    }
    if shapes.is_empty() {
        return Err(origin.file(FileFault::Empty { expected: "lines `x y z r` or `x y z r id`" }));
    }
    Ok(shapes)
}

/// The format that a comment at the beginning names, and its line.
fn announced(text: &str) -> Option<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut comments = text.lines().enumerate().take_while(|(_, line)| line.starts_with('#'));
    comments.find_map(|(k, line)| Some((k + 1, line.strip_prefix("#format")?.trim())))
}

fn sphere(line: &str, has_id: Option<bool>) -> Result<(ClumpSphere, Option<i64>), LineFault> {
    let has_id = has_id.or(match line.split_whitespace().count() {
        4 => Some(false),
        5 => Some(true),
        found => return Err(LineFault::FieldCount { found, expected: EITHER }),
    });
    let [x, y, z, r, ..] = NAMES;
    let (place, id): ([Field; 4], Option<Field>) = if has_id == Some(true) {
        let [x, y, z, r, id] = fields(line, NAMES, WITH_ID)?;
        ([x, y, z, r], Some(id))
    } else {
        (fields(line, [x, y, z, r], WITHOUT_ID)?, None)
    };
    Ok((ClumpSphere::new(place_and_radius(place)?), id.map(Field::whole).transpose()?))
}
