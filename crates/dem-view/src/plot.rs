//! Plots of series: one or several panels in a column, as PNG, SVG or PDF.

mod axis;
mod canvas;
mod clip;
mod curve;
pub mod figure_size;
pub mod line_plot;
mod mark;
mod panel;
mod pdf;
mod raster;
mod svg;

use crate::error::ViewError;
use crate::image::Image;
use canvas::Canvas;
use figure_size::FigureSize;
use line_plot::{Axes, LinePlot};
use mark::Mark;
use panel::{draw_panel, left_margin};

/// Height of a line of text, in type sizes.
const LINE: f64 = 1.121;
/// Coarsest and finest raster [dots an inch].
const RESOLUTIONS: [f64; 2] = [20.0, 2400.0];

/// Draws panels below each other and returns the figure as a raster of `resolution` dots an inch.
///
/// # Errors
/// [`ViewError`] naming the panel and series that cannot be drawn, or the size that is out of range.
pub fn draw_png(panels: &[LinePlot], size: FigureSize, resolution: f64) -> Result<Image, ViewError> {
    if !(RESOLUTIONS[0]..=RESOLUTIONS[1]).contains(&resolution) {
        let (what, value) = ("resolution", format!("{resolution} dots an inch"));
        return Err(ViewError::Option { what, value, allowed: "20 to 2400 dots an inch" });
    }
    let image = raster::paint(&draw_figure(panels, size)?, [size.width, size.height], resolution / 25.4)?;
    Ok(image.with_resolution(resolution))
}

/// Draws panels below each other and returns the text of an SVG file.
///
/// # Errors
/// As [`draw_png`].
pub fn draw_svg(panels: &[LinePlot], size: FigureSize) -> Result<String, ViewError> {
    svg::write(&draw_figure(panels, size)?, [size.width, size.height], LINE * size.text)
}

/// Draws panels below each other and returns a PDF file of one page of this size.
///
/// # Errors
/// As [`draw_png`].
pub fn draw_pdf(panels: &[LinePlot], size: FigureSize) -> Result<Vec<u8>, ViewError> {
    pdf::write(&draw_figure(panels, size)?, [size.width, size.height])
}

/// What the figure consists of.
fn draw_figure(panels: &[LinePlot], size: FigureSize) -> Result<Vec<Mark>, ViewError> {
    size.check(panels.len())?;
    let axes = panels.iter().enumerate().map(|(index, panel)| panel.find_axes(index));
    let axes: Vec<Axes> = axes.collect::<Result<_, _>>()?;
    let mut canvas = Canvas::default();
    let panel_height = size.height / panels.len() as f64;
    let text = LINE * size.text;
    // One margin for all panels: the same time is at the same column.
    let mut left = 0.0;
    for (panel, axes) in panels.iter().zip(&axes) {
        left = left_margin(panel, axes, text)?.max(left);
    }
    let left = f64::min(left, 0.4 * size.width);
    for (index, (panel, axes)) in panels.iter().zip(&axes).enumerate() {
        let top = index as f64 * panel_height;
        draw_panel(&mut canvas, panel, axes, [left, size.width - 1.2 * text], [top, top + panel_height], text)?;
    }
    Ok(canvas.marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::figure_size::{DEFAULT_RESOLUTION, POINT};
    use crate::plot::line_plot::{AxisScale, Series, SeriesStyle};

    fn panel(points: Vec<[f64; 2]>) -> LinePlot {
        let series = vec![Series { label: "a".into(), points, style: SeriesStyle::Line }];
        LinePlot { x_label: "time [s]".into(), y_label: "energy [J]".into(), series, ..LinePlot::default() }
    }

    /// 300 x 200 pixels.
    const SMALL: FigureSize = FigureSize { width: 38.1, height: 25.4, text: 3.2 * POINT };

    fn raster(panels: &[LinePlot], size: FigureSize) -> Result<Image, ViewError> {
        draw_png(panels, size, DEFAULT_RESOLUTION)
    }

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
        let image = raster(&[panel((0..50).map(|k| [f64::from(k), f64::from(k)]).collect())], SMALL).unwrap();
        let pixels = curve_pixels(&image);
        let (first, last) = (pixels.iter().min().unwrap(), pixels.iter().max().unwrap());
        assert!(last.0 > first.0 + 150 && last.1 + 80 < first.1, "{first:?} {last:?}");
    }

    #[test]
    fn gap_leaves_white_between_the_pieces() {
        let points = (0..100).map(|k| [f64::from(k), if (40..60).contains(&k) { f64::NAN } else { 1.0 }]).collect();
        let columns: Vec<u32> = curve_pixels(&raster(&[panel(points)], SMALL).unwrap()).iter().map(|p| p.0).collect();
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
                let drawn = raster(&[panel.clone()], SMALL).map(|image| curve_pixels(&image).len());
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
        assert!(file.contains("width=\"38.1mm\" height=\"25.4mm\" viewBox=\"0 0 3810 2540\""), "{}", &file[..120]);
        assert!(file.contains("a &lt; b &amp;") && !file.contains('\u{0}'));
        // Four points of at most ten characters for each of 3810 columns, and the outlines of letters.
        assert!(file.len() < 200_000, "{}", file.len());
    }

    #[test]
    fn svg_names_its_labels_and_has_a_curve_for_each_series() {
        let mut panel = panel(vec![[0.0, 0.0], [1.0, 1.0]]);
        panel.y_label = "v_z [m s^-1]".into();
        panel.series.push(Series { label: "b".into(), ..panel.series[0].clone() });
        let file = draw_svg(&[panel], SMALL).unwrap();
        for label in ["time [s]", "v_z [m s^−1]", "a", "b", "0.5"] {
            assert!(file.contains(&format!("aria-label=\"{label}\"")), "{label}");
        }
        // two colours, each in the legend and between the axes
        for colour in ["#0072b2", "#d55e00"] {
            assert_eq!(file.matches(&format!("stroke=\"{colour}\"")).count(), 2, "{colour}");
        }
        assert!(!file.contains("<text") && !file.contains("font"));
    }

    #[test]
    fn pdf_has_the_size_in_points_and_its_glyphs() {
        let file = draw_pdf(&[panel(vec![[0.0, 0.0], [1.0, 1.0]])], FigureSize::with_sides(85.0, 60.0, 1)).unwrap();
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-1.7") && text.trim_end().ends_with("%%EOF"));
        // 85 mm and 60 mm
        assert!(text.contains("/MediaBox [0 0 240.94") && text.contains(" 170.078"), "{text}");
        assert!(text.contains("/FontFile2") && text.contains("/ToUnicode") && text.contains("+Ubuntu-Light"));
        // the typeface alone has 360,000 bytes
        assert!(file.len() < 30_000, "{}", file.len());
    }

    #[test]
    fn curves_beyond_the_given_ends_are_cut_there() {
        let mut plot = panel((0..=10).map(|k| [f64::from(k), f64::from(k * k)]).collect());
        let whole = curve_pixels(&raster(&[plot.clone()], SMALL).unwrap());
        plot.x_ends = [Some(2.0), Some(4.0)];
        let part = curve_pixels(&raster(&[plot.clone()], SMALL).unwrap());
        // the ordinate follows what is shown: 4 to 16 fill it
        let height = |pixels: &[(u32, u32)]| {
            pixels.iter().map(|p| p.1).max().unwrap() - pixels.iter().map(|p| p.1).min().unwrap()
        };
        assert!(height(&part) + 12 > height(&whole), "{} {}", height(&part), height(&whole));
        plot.y_ends = [Some(100.0), Some(200.0)];
        assert!(curve_pixels(&raster(&[plot.clone()], SMALL).unwrap()).is_empty());
        plot.y_ends = [Some(3.0), Some(3.0)];
        let message = raster(&[plot], SMALL).unwrap_err().to_string();
        assert!(message.starts_with("the ordinate from 3:3 has no length"), "{message}");
    }

    #[test]
    fn finer_raster_has_more_pixels_of_the_same_figure() {
        let panel = panel(vec![[0.0, 0.0], [1.0, 1.0]]);
        let [coarse, fine] = [100.0, 400.0].map(|dots| draw_png(std::slice::from_ref(&panel), SMALL, dots).unwrap());
        assert_eq!((coarse.width(), fine.width(), fine.height()), (150, 600, 400));
        assert!(draw_png(&[panel], SMALL, 1e6).is_err());
    }

    #[test]
    fn panels_share_the_left_edge_of_their_axes() {
        let (mut wide, narrow) = (panel(vec![[0.0, 0.0], [1.0, 1.0]]), panel(vec![[0.0, 0.0], [1.0, 5.0]]));
        wide.series[0].points[1][1] = 1.000_001;
        wide.series[0].points[0][1] = 1.0;
        let image = raster(&[wide, narrow], FigureSize { height: 50.8, ..SMALL }).unwrap();
        let first =
            |rows: std::ops::Range<u32>| curve_pixels(&image).iter().filter(|p| rows.contains(&p.1)).map(|p| p.0).min();
        assert!(first(30..200).unwrap().abs_diff(first(240..400).unwrap()) <= 1);
    }

    #[test]
    fn sizes_and_counts_are_checked() {
        let one = panel(vec![[0.0, 0.0]]);
        assert!(matches!(raster(&[], SMALL), Err(ViewError::PanelCount { found: 0, .. })));
        assert!(raster(&[one.clone(), one.clone(), one.clone()], SMALL).is_err());
        assert!(raster(std::slice::from_ref(&one), FigureSize { width: 9000.0, ..SMALL }).is_err());
        assert!(raster(std::slice::from_ref(&one), FigureSize { text: 5.0, ..SMALL }).is_err());
        // 2000 mm at 2400 dots an inch
        assert!(draw_png(&[one], FigureSize { width: 2000.0, ..SMALL }, 2400.0).is_err());
    }
}
