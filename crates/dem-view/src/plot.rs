//! Plots of series: one or several panels in a column, as PNG or SVG.

mod axis;
mod canvas;
pub mod line_plot;
mod panel;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::error::ViewError;
use crate::image::{Image, check_size};
use crate::typeface::register_for_plots;
use canvas::{Canvas, Joints};
use line_plot::{Axes, LinePlot};
use panel::{draw_panel, left_margin};

/// Most panels in one figure.
const MOST_PANELS: usize = 16;
/// Shortest side of a figure, and least height of a panel `[pixel]`.
const SMALLEST_SIDE: u32 = 100;
/// Samples along each side of a pixel of a PNG, as long as there are fewer than [`MOST_SAMPLES`] altogether.
const FINEST_SUBDIVISION: u32 = 3;
const MOST_SAMPLES: u64 = 1 << 26;
/// Units of an SVG for each of its pixels: the plotting library only knows whole units.
const SVG_SUBDIVISION: u32 = 10;

/// Size of a whole figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FigureSize {
    /// Width `[pixel]`, 100 to 8192.
    pub width: u32,
    /// Height of all panels together `[pixel]`, 100 to 8192, at least 100 for each.
    pub height: u32,
}

impl FigureSize {
    /// A size that suits a column of `panels` panels.
    pub fn for_panels(panels: usize) -> Self {
        let panels = panels.clamp(1, MOST_PANELS) as u32;
        Self { width: 1200, height: 120 + 400 * panels }
    }
}

/// Draws panels below each other and returns the figure as a raster.
///
/// # Errors
/// [`ViewError`] naming the panel and series that cannot be drawn, or the size that is out of range.
pub fn draw_png(panels: &[LinePlot], size: FigureSize) -> Result<Image, ViewError> {
    let axes = check(panels, size)?;
    let FigureSize { width, height } = size;
    let area = u64::from(width) * u64::from(height);
    let fits = |subdivision: &u32| area * u64::from(subdivision * subdivision) <= MOST_SAMPLES;
    let subdivision = (1..=FINEST_SUBDIVISION).rev().find(fits).unwrap_or(1);
    let (fine_width, fine_height) = (width * subdivision, height * subdivision);
    let mut fine = vec![255; fine_width as usize * fine_height as usize * 3];
    {
        let area = BitMapBackend::with_buffer(&mut fine, (fine_width, fine_height)).into_drawing_area();
        draw_figure(&area, f64::from(subdivision), Joints::Discs, panels, &axes, size)?;
    }
    Ok(Image::from_bytes(width, height, average(&fine, width as usize, height as usize, subdivision as usize)))
}

/// Draws panels below each other and returns the text of an SVG file. Text stays text, in the viewer's own typeface.
///
/// # Errors
/// As [`draw_png`].
pub fn draw_svg(panels: &[LinePlot], size: FigureSize) -> Result<String, ViewError> {
    let axes = check(panels, size)?;
    let fine = (size.width * SVG_SUBDIVISION, size.height * SVG_SUBDIVISION);
    let mut file = String::new();
    {
        let area = SVGBackend::with_string(&mut file, fine).into_drawing_area();
        draw_figure(&area, f64::from(SVG_SUBDIVISION), Joints::Viewer, panels, &axes, size)?;
    }
    // Sharp turns of noisy series must not grow spikes; text cannot contain a tag, it is escaped.
    let file = file.replace("<polyline ", "<polyline stroke-linejoin=\"round\" ");
    // The view box keeps the fine units; the nominal size is what was asked for.
    let nominal = |file: String, name: &str, fine: u32, pixels: u32| {
        file.replacen(&format!("{name}=\"{fine}\""), &format!("{name}=\"{pixels}\""), 1)
    };
    let file = nominal(file, "width", fine.0, size.width);
    Ok(nominal(file, "height", fine.1, size.height))
}

/// Refuses figures that cannot be drawn; returns the axes of the panels.
fn check(panels: &[LinePlot], size: FigureSize) -> Result<Vec<Axes>, ViewError> {
    check_size(size.width, size.height, SMALLEST_SIDE)?;
    let found = panels.len();
    if !(1..=MOST_PANELS).contains(&found) {
        return Err(ViewError::PanelCount { found, largest: MOST_PANELS });
    }
    if size.height < SMALLEST_SIDE * found as u32 {
        let value = format!("{} pixels for {found} panels", size.height);
        return Err(ViewError::Option { what: "figure height", value, allowed: "at least 100 pixels a panel" });
    }
    register_for_plots()?;
    panels.iter().enumerate().map(|(index, panel)| panel.find_axes(index)).collect()
}

fn draw_figure<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    scale: f64,
    joints: Joints,
    panels: &[LinePlot],
    axes: &[Axes],
    size: FigureSize,
) -> Result<(), ViewError> {
    area.fill(&WHITE).map_err(|error| ViewError::Drawing(error.to_string()))?;
    let canvas = Canvas { area, scale, joints };
    let panel_height = f64::from(size.height) / panels.len() as f64;
    let text = (f64::from(size.width) / 60.0).min(panel_height / 18.0).clamp(8.0, 40.0);
    // One margin for all panels: the same time is at the same column.
    let mut left = 0.0;
    for (panel, axes) in panels.iter().zip(axes) {
        left = left_margin(panel, axes, text)?.max(left);
    }
    let left = f64::min(left, 0.4 * f64::from(size.width));
    for (index, (panel, axes)) in panels.iter().zip(axes).enumerate() {
        let top = index as f64 * panel_height;
        let right = f64::from(size.width) - 1.2 * text;
        draw_panel(&canvas, panel, axes, [left, right], [top, top + panel_height], text)?;
    }
    area.present().map_err(|error| ViewError::Drawing(error.to_string()))
}

/// Averages squares of samples.
fn average(fine: &[u8], width: usize, height: usize, subdivision: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(width * height * 3);
    let count = (subdivision * subdivision) as u32;
    let offset = |row: usize, column: usize| (row * width * subdivision + column) * 3;
    for row in 0..height {
        for column in 0..width {
            for channel in 0..3 {
                let samples = (0..subdivision * subdivision).map(|k| {
                    let (down, across) = (k / subdivision, k % subdivision);
                    let place = offset(row * subdivision + down, column * subdivision + across) + channel;
                    u32::from(fine[place])
                });
                bytes.push(((samples.sum::<u32>() + count / 2) / count) as u8);
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::line_plot::{AxisScale, Series, SeriesStyle};

    fn panel(points: Vec<[f64; 2]>) -> LinePlot {
        let series = vec![Series { label: "a".into(), points, style: SeriesStyle::Line }];
        LinePlot { x_label: "time [s]".into(), y_label: "energy [J]".into(), series, ..LinePlot::default() }
    }

    const SMALL: FigureSize = FigureSize { width: 300, height: 200 };
    /// First colour of the palette.
    const BLUE: [u8; 3] = [0x00, 0x72, 0xb2];

    /// Columns and rows of pixels in the colour of the first series, below the legend.
    fn curve_pixels(image: &Image) -> Vec<(u32, u32)> {
        let near = |pixel: [u8; 3]| pixel.iter().zip(BLUE).all(|(a, b)| a.abs_diff(b) < 70);
        (30..image.height())
            .flat_map(|y| (0..image.width()).map(move |x| (x, y)))
            .filter(|&(x, y)| image.pixel(x, y).is_some_and(near))
            .collect()
    }

    #[test]
    fn rising_series_rises() {
        let image = draw_png(&[panel((0..50).map(|k| [f64::from(k), f64::from(k)]).collect())], SMALL).unwrap();
        let pixels = curve_pixels(&image);
        let (first, last) = (pixels.iter().min().unwrap(), pixels.iter().max().unwrap());
        assert!(last.0 > first.0 + 150 && last.1 + 80 < first.1, "{first:?} {last:?}");
    }

    #[test]
    fn gap_leaves_white_between_the_pieces() {
        let points = (0..100).map(|k| [f64::from(k), if (40..60).contains(&k) { f64::NAN } else { 1.0 }]).collect();
        let columns: Vec<u32> = curve_pixels(&draw_png(&[panel(points)], SMALL).unwrap()).iter().map(|p| p.0).collect();
        let gap = (0..300)
            .filter(|x| !columns.contains(x))
            .filter(|x| columns.iter().any(|c| c < x) && columns.iter().any(|c| c > x));
        assert!((20..80).contains(&gap.count()));
    }

    #[test]
    fn awkward_data_are_drawn() {
        for points in [
            vec![[0.0, 0.0]],
            vec![[1.0, 5.0]; 3],
            vec![[0.0, 1e-12], [1.0, 1.000_000_1e-12]],
            vec![[-1e300, 1e300], [1e300, -1e300]],
            vec![[f64::NAN, 1.0], [2.0, 1e-300]],
            (0..200_000).map(|k| [f64::from(k), f64::from(k * 7919 % 1000)]).collect(),
        ] {
            for y_scale in [AxisScale::Linear, AxisScale::Logarithmic] {
                let mut panel = panel(points.clone());
                panel.y_scale = y_scale;
                let drawn = draw_png(&[panel.clone()], SMALL).map(|image| curve_pixels(&image).len());
                match drawn {
                    Ok(count) => assert!(count > 0, "{:?}", points[0]),
                    Err(error) => assert_eq!((error, points[0][1]), (ViewError::NothingToPlot { panel: 0 }, 0.0)),
                }
            }
        }
    }

    #[test]
    fn svg_is_bounded_has_the_nominal_size_and_escapes_text() {
        let mut panel = panel((0..200_000).map(|k| [f64::from(k), f64::from(k * 7919 % 1000)]).collect());
        panel.title = "a < b & \u{0}c".into();
        let file = draw_svg(&[panel], SMALL).unwrap();
        assert!(file.starts_with("<svg width=\"300\" height=\"200\" viewBox=\"0 0 3000 2000\""), "{}", &file[..80]);
        assert!(file.contains("a &lt; b &amp;") && !file.contains('\u{0}'));
        // Four points of at most ten characters for each of 3000 columns.
        assert!(file.len() < 200_000, "{}", file.len());
    }

    #[test]
    fn panels_share_the_left_edge_of_their_axes() {
        let (mut wide, narrow) = (panel(vec![[0.0, 0.0], [1.0, 1.0]]), panel(vec![[0.0, 0.0], [1.0, 5.0]]));
        wide.series[0].points[1][1] = 1.000_001;
        wide.series[0].points[0][1] = 1.0;
        let image = draw_png(&[wide, narrow], FigureSize { width: 300, height: 400 }).unwrap();
        let first =
            |rows: std::ops::Range<u32>| curve_pixels(&image).iter().filter(|p| rows.contains(&p.1)).map(|p| p.0).min();
        assert!(first(30..200).unwrap().abs_diff(first(240..400).unwrap()) <= 1);
    }

    #[test]
    fn sizes_and_counts_are_checked() {
        let one = panel(vec![[0.0, 0.0]]);
        assert!(matches!(draw_png(&[], SMALL), Err(ViewError::PanelCount { found: 0, .. })));
        assert!(draw_png(&[one.clone(), one.clone(), one.clone()], SMALL).is_err());
        assert!(draw_png(&[one], FigureSize { width: 9000, height: 200 }).is_err());
    }
}
