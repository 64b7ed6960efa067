//! Pictures of frames and plots of series.

use std::path::{Path, PathBuf};

use dem_core::wall::Wall;
use dem_io::atomic;
use dem_io::series::Series as SeriesTable;
use dem_io::snapshot::{ColumnData, Frame};
use dem_view::{
    AxisScale, ColourBar, ColourMap, CutPlane, FigureSize, LinePlot, PictureOptions, PictureScene, Projection, Series,
    SphereCloud, ValueRange, View, ViewError, WallSurface, draw_png,
};
use glam::DVec3;

use super::RunError;
use super::wall_surface::{reach, wall_triangles};
use crate::scene;

/// Fields beside the columns of a frame.
const FIELDS: &[&str] = &["height", "speed"];

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureRequest {
    /// Field that colours the spheres: `height`, `speed`, or a column of the frame (magnitude of a vector).
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

    /// Checks the request for a run with some output before there is anything to draw.
    pub(crate) fn check(&self, output: &scene::OutputScene) -> Result<(), ViewError> {
        let known = [FIELDS.to_vec(), super::frame::columns_of(output)].concat();
        if !known.contains(&self.colour.as_str()) {
            return Err(unknown_colour(&self.colour, &known));
        }
        let scene = PictureScene {
            spheres: SphereCloud { positions: &[DVec3::ZERO], radii: &[1.0], values: None },
            walls: &[],
        };
        let options = PictureOptions {
            width: self.size.0,
            height: self.size.1,
            view: self.view(DVec3::Z),
            cut: self.cut_plane(),
            ..PictureOptions::default()
        };
        options.fit_camera(&scene).map(|_| ())
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

fn unknown_colour(name: &str, known: &[&str]) -> ViewError {
    let meant = dem_io::nearest(name, known.iter().copied());
    let meant = meant.map_or_else(String::new, |meant| format!("did you mean {meant}? "));
    ViewError::Option {
        what: "colour",
        value: format!("\"{name}\" ({meant}known: {})", known.join(", ")),
        allowed: "a field of the frame",
    }
}

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

/// Draws `energy.png` and `coordination.png` from the series of a run directory, and `profiles.png` if it has wall probes.
///
/// # Errors
/// A series that cannot be read, plots that cannot be written.
pub fn plot_series(directory: &Path) -> Result<Vec<PathBuf>, RunError> {
    plot_series_of(directory, false)
}

/// The same, or those of the plots that are missing.
pub(super) fn plot_series_of(directory: &Path, only_missing: bool) -> Result<Vec<PathBuf>, RunError> {
    let mut written = Vec::new();
    for (name, panels) in series_figures(directory)? {
        let path = directory.join(format!("{name}.png"));
        if only_missing && path.exists() {
            continue;
        }
        let image = draw_png(&panels, FigureSize::for_panels(panels.len()))?.encode_png()?;
        atomic::write_atomically(&path, &image)?;
        written.push(path);
    }
    Ok(written)
}

/// Names and panels of the plots of the series of a run directory; what has nothing to show is left out.
///
/// # Errors
/// A series that cannot be read.
pub fn series_figures(directory: &Path) -> Result<Vec<(&'static str, Vec<LinePlot>)>, RunError> {
    let table = SeriesTable::read(directory.join("series.csv"))?;
    let time = table.column("time").unwrap_or_default();
    let line = |name: &str, label: &str| Series {
        label: label.to_owned(),
        // what a diverged run leaves behind interrupts the line
        points: time
            .iter()
            .zip(table.column(name).unwrap_or_default())
            .map(|(&t, &y)| [t, if y.abs() < 1e300 { y } else { f64::NAN }])
            .collect(),
        ..Series::default()
    };
    let panel = |title: &str, y_label: &str, y_scale, series| LinePlot {
        title: title.to_owned(),
        x_label: "time [s]".to_owned(),
        y_label: y_label.to_owned(),
        y_scale,
        series,
        ..LinePlot::default()
    };
    let energy = [
        panel(
            "Energy",
            "energy [J]",
            AxisScale::Linear,
            vec![
                line("kinetic_energy", "kinetic"),
                line("gravity_energy", "gravity"),
                line("friction_work", "friction"),
                line("viscous_work", "damping"),
                line("exchanged_energy", "brought in"),
            ],
        ),
        panel(
            "Kinetic energy",
            "energy [J]",
            AxisScale::Logarithmic,
            vec![line("kinetic_translation", "translation"), line("kinetic_rotation", "rotation")],
        ),
    ];
    let coordination = [
        panel(
            "Coordination",
            "coordination number [-]",
            AxisScale::Linear,
            vec![line("coordination", "all"), line("coordination_without_rattlers", "without rattlers")],
        ),
        panel(
            "Particles",
            "number [-]",
            AxisScale::Linear,
            vec![line("particles", "present"), line("rattlers", "rattlers")],
        ),
    ];
    let mut figures = Vec::new();
    let profiles = super::profile_plots::panels(directory)?;
    for (name, panels) in [("energy", energy.to_vec()), ("coordination", coordination.to_vec()), ("profiles", profiles)]
    {
        // a series that is zero throughout leaves nothing on a logarithmic axis
        let shows = |panel: &LinePlot, y: f64| y.is_finite() && (panel.y_scale == AxisScale::Linear || y > 0.0);
        let drawable: Vec<LinePlot> = panels
            .into_iter()
            .filter(|panel| panel.series.iter().any(|s| s.points.iter().any(|p| shows(panel, p[1]))))
            .collect();
        if !drawable.is_empty() {
            figures.push((name, drawable));
        }
    }
    Ok(figures)
}
