//! What the colours of the spheres show.

use std::collections::BTreeSet;

use dem_io::snapshot::Frame;
use dem_view::{ColourBar, ColourMap, PictureOptions, ValueRange, ViewError};
use glam::DVec3;

use super::body_colours;
use super::field_values::{magnitudes, unit_of};
use super::request::{FIELDS, PictureRequest, body_field, unknown_colour};
use super::scenery::Scenery;
use crate::frames::body_rows::{BODY, TABLE};

/// Most categories that are kept for a legend, more than one lists.
const MOST_CATEGORIES: usize = 64;
/// Column of the index of the material.
const MATERIAL: &str = "material";

/// Values by the spheres of a frame, and their unit.
pub(super) fn values(frame: &Frame, up: DVec3, name: &str) -> Result<(Vec<f64>, String), ViewError> {
    let scalar = |name: &str| frame.point_data.iter().find(|column| column.spec.name == name).map(magnitudes);
    match name {
        "height" => Ok((frame.positions.iter().map(|x| x.dot(up)).collect(), "m".to_owned())),
        "speed" => Ok((scalar("velocity").unwrap_or_default(), "m/s".to_owned())),
        name => {
            let found = body_colours::field(frame, name).or_else(|| {
                let column = frame.point_data.iter().find(|column| column.spec.name == name)?;
                Some((magnitudes(column), unit_of(column)))
            });
            found.ok_or_else(|| unknown_colour(name, &known_fields(frame)))
        }
    }
}

/// Whether a column, of a table or of the particles, is needed to colour by a field.
pub(super) fn needs(field: &str, table: Option<&str>, column: &str) -> bool {
    let of_bodies = field.strip_prefix(TABLE).and_then(|name| name.strip_prefix('/'));
    match (table, field) {
        (None, "speed") => column == "velocity",
        (None, BODY) => matches!(column, BODY | "id"),
        (None, field) => column == field || of_bodies.is_some_and(|name| column == BODY || column == name),
        (Some(TABLE), _) => column == "id" || of_bodies == Some(column),
        (Some(_), _) => false,
    }
}

/// What a frame can be coloured by.
fn known_fields(frame: &Frame) -> Vec<String> {
    let columns = frame.point_data.iter().map(|column| column.spec.name.to_string());
    let bodies = frame.tables.iter().filter(|table| table.name == TABLE).flat_map(|table| &table.columns);
    let of_bodies = bodies.map(|column| body_field(&column.spec.name));
    FIELDS.iter().map(|&name| name.to_owned()).chain(columns).chain(of_bodies).collect()
}

/// Values of all frames that are shown.
#[derive(Debug, Default)]
pub(super) struct Colouring {
    unit: String,
    /// Least and greatest finite value.
    range: Option<[f64; 2]>,
    categories: BTreeSet<i64>,
}

impl Colouring {
    /// Takes the values of a frame in.
    pub fn add(&mut self, frame: &Frame, up: DVec3, name: &str) -> Result<(), ViewError> {
        let (values, unit) = values(frame, up, name)?;
        self.unit = unit;
        for value in values.into_iter().filter(|value| value.is_finite()) {
            let [least, greatest] = self.range.unwrap_or([value; 2]);
            self.range = Some([least.min(value), greatest.max(value)]);
            if is_categorical(name) && self.categories.len() < MOST_CATEGORIES {
                self.categories.insert(value.round() as i64);
            }
        }
        Ok(())
    }

    /// Map, range and legend of pictures.
    pub fn set(&self, request: &PictureRequest, scenery: &Scenery, options: &mut PictureOptions) {
        let name = request.colour.as_str();
        options.colour_map = if is_categorical(name) { ColourMap::Categorical } else { ColourMap::Viridis };
        options.value_range = match (request.range, self.range) {
            (Some((min, max)), _) => ValueRange::Fixed { min, max },
            (None, Some([min, max])) if min < max => ValueRange::Fixed { min, max },
            _ => ValueRange::Automatic,
        };
        // ids of bodies say nothing, and are many
        options.colour_bar = (name != BODY).then(|| ColourBar {
            label: name.replace(['_', '/'], " "),
            unit: self.unit.clone(),
            categories: if name == MATERIAL { scenery.materials.clone() } else { Vec::new() },
            beyond: match (request.range, self.range) {
                (Some((min, max)), Some([least, greatest])) => [least < min, greatest > max],
                _ => [false; 2],
            },
            listed: self.categories.iter().map(|&category| category as f64).collect(),
        });
    }
}

fn is_categorical(name: &str) -> bool {
    matches!(name, BODY | MATERIAL | "group")
}
