//! Pictures of frames.

use dem_core::wall::Wall;
use dem_io::snapshot::Frame;
use dem_view::{ColourBar, ColourMap, PictureOptions, PictureScene, SphereCloud, ValueRange, ViewError, WallSurface};
use glam::DVec3;

use super::body_colours;
use super::field_values::{magnitudes, unit_of};
use super::request::{FIELDS, PictureRequest, body_field, unknown_colour};
use crate::frames::body_rows::{BODY, TABLE};
use crate::frames::wall_surface::{reach, wall_triangles};

/// PNG of a frame. `up` is the vertical of the picture.
///
/// # Errors
/// A field that the frame does not have, or values that cannot be drawn.
pub fn render_frame(
    frame: &Frame,
    walls: &[Wall],
    up: DVec3,
    title: &str,
    request: &PictureRequest,
) -> Result<Vec<u8>, ViewError> {
    let radii = scalar(frame, "radius").unwrap_or_default();
    let (values, unit) = match request.colour.as_str() {
        "height" => (frame.positions.iter().map(|x| x.dot(up)).collect(), "m".to_owned()),
        "speed" => (scalar(frame, "velocity").unwrap_or_default(), "m/s".to_owned()),
        name => {
            let found = body_colours::field(frame, name).or_else(|| {
                let column = frame.point_data.iter().find(|column| column.spec.name == name)?;
                Some((magnitudes(column), unit_of(column)))
            });
            found.ok_or_else(|| unknown_colour(name, &known_fields(frame)))?
        }
    };
    let surfaces: Vec<WallSurface> = if request.walls {
        let extent = reach(frame);
        let active = walls.iter().filter(|wall| wall.active);
        active.map(|wall| WallSurface { triangles: wall_triangles(wall, extent), lines: Vec::new() }).collect()
    } else {
        Vec::new()
    };
    let scene = PictureScene {
        spheres: SphereCloud { positions: &frame.positions, radii: &radii, values: Some(&values) },
        walls: &surfaces,
    };
    let of_bodies = request.colour == BODY;
    let categorical = of_bodies || matches!(request.colour.as_str(), "material" | "group");
    let options = PictureOptions {
        width: request.size.0,
        height: request.size.1,
        view: request.view(up),
        cut: request.cut_plane(),
        colour_map: if categorical { ColourMap::Categorical } else { ColourMap::Viridis },
        value_range: match request.range {
            Some((min, max)) => ValueRange::Fixed { min, max },
            None => ValueRange::Automatic,
        },
        // ids of bodies say nothing, and are many
        colour_bar: (!values.is_empty() && !of_bodies).then(|| ColourBar {
            label: request.colour.replace(['_', '/'], " "),
            unit,
            categories: Vec::new(),
        }),
        title: title.to_owned(),
        caption: caption(frame),
        ..PictureOptions::default()
    };
    if frame.positions.is_empty() && surfaces.iter().all(|s| s.triangles.is_empty() && s.lines.is_empty()) {
        return Err(ViewError::NothingToFrame);
    }
    dem_view::render(&scene, &options)?.encode_png()
}

fn caption(frame: &Frame) -> String {
    let bodies = frame.tables.iter().find(|table| table.name == TABLE).map_or(0, |table| table.rows);
    let bodies = if bodies > 0 { format!(", {bodies} bodies") } else { String::new() };
    format!("t = {:.4} s, {} particles{bodies}", frame.time, frame.positions.len())
}

/// What a frame can be coloured by.
fn known_fields(frame: &Frame) -> Vec<String> {
    let columns = frame.point_data.iter().map(|column| column.spec.name.to_string());
    let bodies = frame.tables.iter().filter(|table| table.name == TABLE).flat_map(|table| &table.columns);
    let of_bodies = bodies.map(|column| body_field(&column.spec.name));
    FIELDS.iter().map(|&name| name.to_owned()).chain(columns).chain(of_bodies).collect()
}

fn scalar(frame: &Frame, name: &str) -> Option<Vec<f64>> {
    frame.point_data.iter().find(|column| column.spec.name == name).map(magnitudes)
}
