//! What a picture shows.

use dem_view::{CutPlane, PictureOptions, PictureScene, Projection, SphereCloud, View, ViewError, WallLook};
use glam::DVec3;

use crate::frames::body_rows;
use crate::frames::frame::columns_of;
use crate::scene;

/// Fields in addition to the columns of a frame.
pub(crate) const FIELDS: &[&str] = &["height", "speed"];

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureRequest {
    /// Field that colours the spheres: `height`, `speed`, a column of the frame (magnitude of a vector), or one of its rigid bodies as in `bodies/mass`,
    /// by which all spheres of a body have one colour.
    pub colour: String,
    /// Angle of the eye about the vertical \[degree\]; 0 looks from the +x side.
    pub azimuth: f64,
    /// Angle of the eye above the horizontal \[degree\].
    pub elevation: f64,
    /// Magnification.
    pub zoom: f64,
    /// Point in the middle of the picture.
    pub look_at: Option<DVec3>,
    /// Parallel projection.
    pub orthographic: bool,
    /// Half of space to take away: point and normal towards it.
    pub cut: Option<(DVec3, DVec3)>,
    /// Range of the colours; automatic if not given.
    pub range: Option<(f64, f64)>,
    /// Size of the image \[pixel\].
    pub size: (u32, u32),
    /// Whether walls are drawn.
    pub walls: bool,
    /// Looks of walls by their names, none to leave one out. Without any, moving parts that do not hide the particles are opaque, other walls translucent.
    pub wall_looks: Vec<(String, Option<WallLook>)>,
}

impl Default for PictureRequest {
    fn default() -> Self {
        Self {
            colour: "height".to_owned(),
            azimuth: -60.0,
            elevation: 20.0,
            zoom: 1.0,
            look_at: None,
            orthographic: false,
            cut: None,
            range: None,
            size: (1600, 1200),
            walls: true,
            wall_looks: Vec::new(),
        }
    }
}

impl PictureRequest {
    pub(crate) fn from_scene(given: &scene::PictureScene) -> Self {
        let mut request = Self { orthographic: given.orthographic, ..Self::default() };
        if let Some(colour) = &given.colour {
            request.colour.clone_from(colour);
        }
        if let Some(angle) = given.azimuth {
            request.azimuth = angle.si().to_degrees();
        }
        if let Some(angle) = given.elevation {
            request.elevation = angle.si().to_degrees();
        }
        if let Some(zoom) = given.zoom {
            request.zoom = zoom.si();
        }
        request.look_at = given.look_at.map(dem_io::units::Quantity::vector);
        if let Some(cut) = &given.cut {
            request.cut = Some((dem_io::units::Quantity::vector(cut.point), DVec3::from_array(cut.normal)));
        }
        request
    }

    /// Checks the request for a run with some output, and rigid bodies or not, before there is anything to draw.
    pub(crate) fn check(
        &self,
        output: &scene::OutputScene,
        with_bodies: bool,
        with_films: bool,
    ) -> Result<(), ViewError> {
        let mut known: Vec<String> =
            FIELDS.iter().copied().chain(columns_of(output, with_bodies, with_films)).map(str::to_owned).collect();
        if with_bodies {
            known.extend(body_rows::COLUMNS.map(body_field));
        }
        if !known.contains(&self.colour) {
            return Err(unknown_colour(&self.colour, &known));
        }
        let scene = PictureScene {
            spheres: SphereCloud { positions: &[DVec3::ZERO], radii: &[1.0], values: None },
            walls: &[],
        };
        self.options(DVec3::Z).fit_camera(&scene).map(|_| ())
    }

    /// Options of pictures with this vertical.
    pub(super) fn options(&self, up: DVec3) -> PictureOptions {
        PictureOptions {
            width: self.size.0,
            height: self.size.1,
            view: self.view(up),
            cut: self.cut_plane(),
            ..PictureOptions::default()
        }
    }

    fn view(&self, up: DVec3) -> View {
        View {
            azimuth_degrees: self.azimuth,
            elevation_degrees: self.elevation,
            up,
            zoom: self.zoom,
            projection: if self.orthographic { Projection::Orthographic } else { View::default().projection },
            look_at: self.look_at,
        }
    }

    fn cut_plane(&self) -> Option<CutPlane> {
        self.cut.map(|(point, normal)| CutPlane { point, normal })
    }
}

/// Name of a column of rigid bodies as a field: that of its dataset in the snapshots.
pub(crate) fn body_field(column: &str) -> String {
    format!("{}/{column}", body_rows::TABLE)
}

pub(crate) fn unknown_colour(name: &str, known: &[String]) -> ViewError {
    let meant = dem_io::nearest(name, known.iter().map(String::as_str));
    let meant = meant.map_or_else(String::new, |meant| format!("did you mean {meant}? "));
    ViewError::Option {
        what: "colour",
        value: format!("\"{name}\" ({meant}known: {})", known.join(", ")),
        allowed: "a field of the frame",
    }
}
