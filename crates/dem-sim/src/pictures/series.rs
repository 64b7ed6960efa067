//! Pictures of several frames by one camera, with one range of colours.

use dem_io::snapshot::Frame;
use dem_view::{Image, PictureOptions, PictureScene, SphereCloud, ViewError, WallLook, WallSurface};
use glam::DVec3;

use super::colouring;
use super::columns::{self, radii};
use super::request::PictureRequest;
use super::scenery::Scenery;
use super::time_label::TimeLabel;
use crate::frames::body_rows::TABLE;
use crate::frames::wall_surface::wall_triangles;

/// Pictures by one camera, with one range of colours and one look of each wall.
pub struct PictureSeries<'a> {
    pub(super) request: &'a PictureRequest,
    pub(super) scenery: &'a Scenery,
    pub(super) options: PictureOptions,
    pub(super) looks: Vec<Option<WallLook>>,
    /// Lower and upper corner of all centres, as far as unlimited walls are drawn.
    pub(super) extent: (DVec3, DVec3),
    pub(super) time: TimeLabel,
}

impl PictureSeries<'_> {
    /// Whether a column, of a table or of the particles, is needed to draw a frame.
    pub fn needs(&self, table: Option<&str>, column: &str) -> bool {
        columns::needs(self.request, table, column)
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// A field that the frame does not have, or values that cannot be drawn.
    pub fn draw(&self, frame: &Frame) -> Result<Image, ViewError> {
        let radii = radii(frame);
        let (values, _) = colouring::values(frame, self.scenery.up, &self.request.colour)?;
        let walls = self.scenery.walls_in(frame);
        let seen = walls.iter().zip(&self.looks).filter(|(wall, _)| wall.active);
        let surface = |(wall, look): (_, &Option<WallLook>)| {
            Some(WallSurface { look: (*look)?, triangles: wall_triangles(wall, self.extent), lines: Vec::new() })
        };
        let walls: Vec<WallSurface> = seen.filter_map(surface).collect();
        let scene = PictureScene {
            spheres: SphereCloud { positions: &frame.positions, radii: &radii, values: Some(&values) },
            walls: &walls,
        };
        let options = PictureOptions { caption: self.caption(frame), ..self.options.clone() };
        dem_view::render(&scene, &options)
    }

    fn caption(&self, frame: &Frame) -> String {
        let bodies = frame.tables.iter().find(|table| table.name == TABLE).map_or(0, |table| table.rows);
        let bodies = if bodies > 0 { format!(", {bodies} bodies") } else { String::new() };
        format!("{}, {} particles{bodies}", self.time.of(frame.time), frame.positions.len())
    }
}
