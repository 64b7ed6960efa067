//! Columns of a frame that its picture needs.

use dem_io::snapshot::Frame;

use super::colouring;
use super::field_values::magnitudes;
use super::request::PictureRequest;
use crate::frames::wall_poses::WALLS;

/// Column of the radii.
const RADIUS: &str = "radius";

/// Whether a column, of a table or of the particles, is needed to draw a frame.
pub(super) fn needs(request: &PictureRequest, table: Option<&str>, column: &str) -> bool {
    needs_to_fit(table, column) || colouring::needs(&request.colour, table, column)
}

/// Whether it is needed to fit the camera to the frame.
pub(super) fn needs_to_fit(table: Option<&str>, column: &str) -> bool {
    match table {
        None => column == RADIUS,
        Some(table) => table == WALLS,
    }
}

/// Radii of the spheres of a frame.
pub(super) fn radii(frame: &Frame) -> Vec<f64> {
    frame.point_data.iter().find(|column| column.spec.name == RADIUS).map(magnitudes).unwrap_or_default()
}
