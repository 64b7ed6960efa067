//! Clumps of DEM-Engine: a table of `x`, `y`, `z` and `r` with a header, separated by commas.

use super::clump_shape::{ClumpShape, ClumpSphere};
use super::error::{ClumpFileError, FileFault, LineFault, Origin};
use super::fields::{Field, lines, place_and_radius, shown};

const NAMES: [&str; 4] = ["x", "y", "z", "r"];

pub(super) fn read(origin: Origin, text: &str) -> Result<Vec<ClumpShape>, ClumpFileError> {
    let mut rows = lines(text).filter(|(_, line)| !line.is_empty());
    let empty = || origin.file(FileFault::Empty { expected: "a header `x,y,z,r` and a line for each sphere" });
    let (number, line) = rows.next().ok_or_else(empty)?;
    let places = header(line).map_err(|fault| origin.line(number, fault))?;
    let mut spheres = Vec::new();
    for (number, line) in rows {
        let sphere = row(line, places).map_err(|fault| origin.line(number, fault))?;
        spheres.push(ClumpSphere::new(sphere));
    }
    if spheres.is_empty() { Err(empty()) } else { Ok(vec![ClumpShape::of_spheres(spheres)]) }
}

/// In which column each of the names stands.
fn header(line: &str) -> Result<[usize; 4], LineFault> {
    let mut places = [None; 4];
    for (column, text) in line.split(',').map(str::trim).enumerate() {
        let unknown = || LineFault::UnknownColumn { column: column + 1, name: shown(text) };
        let name = NAMES.iter().position(|name| text.eq_ignore_ascii_case(name)).ok_or_else(unknown)?;
        if places[name].replace(column).is_some() {
            return Err(LineFault::RepeatedColumn { name: NAMES[name] });
        }
    }
    let mut found = [0; 4];
    for (k, place) in places.into_iter().enumerate() {
        found[k] = place.ok_or(LineFault::MissingColumn { name: NAMES[k] })?;
    }
    Ok(found)
}

fn row(line: &str, places: [usize; 4]) -> Result<[f64; 4], LineFault> {
    let texts: Vec<&str> = line.split(',').map(str::trim).collect();
    if texts.len() != NAMES.len() {
        return Err(LineFault::RowLength { found: texts.len(), expected: NAMES.len() });
    }
    place_and_radius(std::array::from_fn(|k| Field { column: places[k] + 1, name: NAMES[k], text: texts[places[k]] }))
}
