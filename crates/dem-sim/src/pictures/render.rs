//! Pictures of frames.

use dem_core::wall::Wall;
use dem_io::snapshot::{ColumnData, Frame};
use dem_view::{ColourBar, ColourMap, PictureOptions, PictureScene, SphereCloud, ValueRange, ViewError, WallSurface};
use glam::DVec3;

use super::request::{FIELDS, PictureRequest, unknown_colour};
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
            let found = frame.point_data.iter().find(|c| c.spec.name == name);
            let known = FIELDS.iter().copied().chain(frame.point_data.iter().map(|c| c.spec.name.as_ref()));
            let column = found.ok_or_else(|| unknown_colour(name, &known.collect::<Vec<_>>()))?;
            let unit = if column.spec.unit == "1" { String::new() } else { column.spec.unit.to_string() };
            (scalar(frame, name).unwrap_or_default(), unit)
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
    let categorical = matches!(request.colour.as_str(), "material" | "group");
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
        colour_bar: (!values.is_empty()).then(|| ColourBar {
            label: request.colour.replace('_', " "),
            unit,
            categories: Vec::new(),
        }),
        title: title.to_owned(),
        caption: format!("t = {:.4} s, {} particles", frame.time, frame.positions.len()),
        ..PictureOptions::default()
    };
    if frame.positions.is_empty() && surfaces.iter().all(|s| s.triangles.is_empty() && s.lines.is_empty()) {
        return Err(ViewError::NothingToFrame);
    }
    dem_view::render(&scene, &options)?.encode_png()
}

/// A column as numbers; the magnitude of a vector.
fn scalar(frame: &Frame, name: &str) -> Option<Vec<f64>> {
    let column = frame.point_data.iter().find(|c| c.spec.name == name)?;
    let values: Vec<f64> = match &column.data {
        ColumnData::F64(v) => v.clone(),
        ColumnData::U64(v) => v.iter().map(|&x| x as f64).collect(),
        ColumnData::I64(v) => v.iter().map(|&x| x as f64).collect(),
        ColumnData::U32(v) => v.iter().map(|&x| f64::from(x)).collect(),
        ColumnData::U8(v) => v.iter().map(|&x| f64::from(x)).collect(),
    };
    if column.spec.width <= 1 {
        return Some(values);
    }
    Some(values.chunks_exact(column.spec.width).map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt()).collect())
}
