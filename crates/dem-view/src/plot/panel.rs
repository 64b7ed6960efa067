//! One panel: axes, legend and curves.

use plotters::prelude::{DrawingBackend, RGBColor};

use crate::error::ViewError;
use crate::plot::canvas::{Anchor, Canvas};
use crate::plot::line_plot::{Axes, LinePlot, Series, SeriesStyle};
use crate::typeface::{fit_line, label_width, text_width};

const INK: RGBColor = RGBColor(0x14, 0x18, 0x1c);
const FAINT: RGBColor = RGBColor(0xe3, 0xe6, 0xea);
/// Colours after M. Okabe and K. Ito (2008), distinct for colour-blind readers; without their yellow, which fades on
/// white.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x40, 0x40, 0x40),
];
/// Width of a curve, length of a dash and radius of a marker, in text sizes.
const CURVE: f64 = 0.12;
const DASH: f64 = 0.5;
const MARKER: f64 = 0.19;

/// Room for the ordinate's labels `[pixel]`.
pub(crate) fn left_margin(panel: &LinePlot, axes: &Axes, text: f64) -> Result<f64, ViewError> {
    let mut widest = 0f32;
    for tick in &axes.y.ticks.ticks {
        widest = widest.max(label_width(&tick.label, (0.9 * text) as f32)?);
    }
    let name = if panel.y_label.is_empty() { 0.0 } else { 1.5 * text };
    Ok(f64::from(widest) + name + 1.3 * text)
}

/// Draws a panel whose axes span the columns `x` and which, with its text, fills the rows `y` `[pixel]`.
pub(crate) fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &LinePlot,
    axes: &Axes,
    x: [f64; 2],
    y: [f64; 2],
    text: f64,
) -> Result<(), ViewError> {
    let room = (x[1] - x[0]) as f32;
    let mut top = y[0] + 0.9 * text;
    if !panel.title.is_empty() {
        let size = 1.12 * text;
        let title = fit_line(&panel.title, size as f32, room)?;
        canvas.text(&title, [x[0], top + 0.4 * text], size, Anchor::Left, INK)?;
        top += 1.6 * text;
    }
    let factor = axes.y.ticks.factor();
    let mut indent = 0.0;
    if let Some(factor) = &factor {
        canvas.label(factor, [x[0], top + 0.2 * text], 0.9 * text, Anchor::Left, INK)?;
        indent = f64::from(label_width(factor, (0.9 * text) as f32)?) + 1.2 * text;
    }
    // The legend stands above the axes, where there are no data.
    let most_rows = ((0.3 * (y[1] - y[0]) / (1.4 * text)) as usize).max(1);
    let rows = draw_legend(canvas, panel, [x[0] + indent, x[1]], top + 0.2 * text, text, most_rows)?;
    top += 1.4 * text * rows.max(usize::from(factor.is_some())) as f64;
    let name = if panel.x_label.is_empty() && axes.x.ticks.common_exponent.is_none() { 0.0 } else { 1.4 * text };
    let bottom = (y[1] - name - 2.0 * text).max(top + text);
    let frame = Frame { x, y: [top, bottom] };
    draw_axes(canvas, panel, axes, &frame, text)?;
    for (index, series) in panel.series.iter().enumerate() {
        let (colour, style) = appearance(index, series);
        for piece in panel.pieces(series, axes) {
            draw_piece(canvas, &piece, &frame, style, colour, text)?;
        }
    }
    Ok(())
}

/// The rectangle between the axes `[pixel]`.
struct Frame {
    x: [f64; 2],
    /// Top and bottom.
    y: [f64; 2],
}

impl Frame {
    fn column(&self, fraction: f64) -> f64 {
        self.x[0] + fraction * (self.x[1] - self.x[0])
    }

    fn row(&self, fraction: f64) -> f64 {
        self.y[1] + fraction * (self.y[0] - self.y[1])
    }
}

/// Colour and style; colours that come round again are dashed.
fn appearance(index: usize, series: &Series) -> (RGBColor, SeriesStyle) {
    let style = match series.style {
        SeriesStyle::Line if index / PALETTE.len() % 2 == 1 => SeriesStyle::Dashes,
        style => style,
    };
    (PALETTE[index % PALETTE.len()], style)
}

/// Width of a curve `[pixel]`; thinner ones pale between two rows of pixels.
fn curve_width(text: f64) -> f64 {
    (CURVE * text).max(1.5)
}

/// Draws the names of the series in at most `most_rows` rows; returns the number of rows used.
fn draw_legend<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &LinePlot,
    x: [f64; 2],
    y: f64,
    text: f64,
    most_rows: usize,
) -> Result<usize, ViewError> {
    let size = 0.95 * text;
    let (sample, gap) = (1.8 * text, 1.4 * text);
    let (mut left, mut row, mut used) = (x[0], 0, 0);
    for (index, series) in panel.series.iter().enumerate().filter(|(_, series)| !series.label.is_empty()) {
        let name = fit_line(&series.label, size as f32, (x[1] - x[0] - sample - 0.5 * text).max(0.0) as f32)?;
        // A tenth more: viewers of an SVG bring a typeface of their own.
        let width = sample + 0.5 * text + 1.1 * f64::from(text_width(&name, size as f32)?);
        if left > x[0] && left + width > x[1] {
            (left, row) = (x[0], row + 1);
        }
        let middle = y + 1.4 * text * row as f64;
        if row == most_rows {
            break;
        }
        let (colour, style) = appearance(index, series);
        let ends = [[left, middle], [left + sample, middle]].map(|end| canvas.device(end));
        match style {
            SeriesStyle::Line => canvas.polyline(&ends, curve_width(text), colour)?,
            SeriesStyle::Dashes => draw_dashes(canvas, &ends, colour, text)?,
            SeriesStyle::Markers => canvas.disc(canvas.device([left + 0.5 * sample, middle]), MARKER * text, colour)?,
        }
        canvas.text(&name, [left + sample + 0.5 * text, middle], size, Anchor::Left, INK)?;
        left += width + gap;
        used = row + 1;
    }
    Ok(used)
}

fn draw_axes<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &LinePlot,
    axes: &Axes,
    frame: &Frame,
    text: f64,
) -> Result<(), ViewError> {
    let (thin, size) = (0.06 * text, 0.9 * text);
    let [left, right] = frame.x;
    let [top, bottom] = frame.y;
    for tick in &axes.x.ticks.ticks {
        let x = frame.column(axes.x.fraction(tick.value));
        canvas.line([x, top], [x, bottom], thin, FAINT)?;
        canvas.line([x, bottom], [x, bottom + 0.3 * text], thin, INK)?;
        canvas.label(&tick.label, [x, bottom + 1.0 * text], size, Anchor::Middle, INK)?;
    }
    for tick in &axes.y.ticks.ticks {
        let y = frame.row(axes.y.fraction(tick.value));
        canvas.line([left, y], [right, y], thin, FAINT)?;
        canvas.line([left - 0.3 * text, y], [left, y], thin, INK)?;
        canvas.label(&tick.label, [left - 0.5 * text, y], size, Anchor::Right, INK)?;
    }
    for &value in &axes.x.ticks.minor {
        let x = frame.column(axes.x.fraction(value));
        canvas.line([x, bottom], [x, bottom + 0.16 * text], thin, INK)?;
    }
    for &value in &axes.y.ticks.minor {
        let y = frame.row(axes.y.fraction(value));
        canvas.line([left - 0.16 * text, y], [left, y], thin, INK)?;
    }
    canvas.line([left, bottom], [right, bottom], thin, INK)?;
    canvas.line([left, top], [left, bottom], thin, INK)?;
    let below = bottom + 2.3 * text;
    let x_label = fit_line(&panel.x_label, text as f32, (right - left) as f32)?;
    canvas.text(&x_label, [0.5 * (left + right), below], text, Anchor::Middle, INK)?;
    if let Some(factor) = axes.x.ticks.factor() {
        canvas.label(&factor, [right, below], size, Anchor::Right, INK)?;
    }
    let y_label = fit_line(&panel.y_label, text as f32, (bottom - top + 2.0 * text) as f32)?;
    canvas.upright_text(&y_label, [1.0 * text, 0.5 * (top + bottom)], text, INK)
}

/// Draws one uninterrupted piece of a series, given in fractions of the axes.
fn draw_piece<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    piece: &[[f64; 2]],
    frame: &Frame,
    style: SeriesStyle,
    colour: RGBColor,
    text: f64,
) -> Result<(), ViewError> {
    let points = thin_out(piece.iter().map(|&[x, y]| canvas.device([frame.column(x), frame.row(y)])));
    if style == SeriesStyle::Markers {
        return points.iter().try_for_each(|&point| canvas.disc(point, MARKER * text, colour));
    }
    match points[..] {
        // A lone point has no line, but must be seen.
        [point] => canvas.disc(point, 0.8 * MARKER * text, colour),
        _ if style == SeriesStyle::Dashes => draw_dashes(canvas, &points, colour, text),
        _ => canvas.polyline(&points, curve_width(text), colour),
    }
}

/// Keeps, of successive points in one column of the device, the first, lowest, highest and last: the others would be
/// covered by the line. Bounds the work and the size of a file by the width of the figure for ordered series.
fn thin_out(points: impl Iterator<Item = (i32, i32)>) -> Vec<(i32, i32)> {
    fn close(column: &[(i32, i32)], kept: &mut Vec<(i32, i32)>) {
        let extreme = |order: fn(&i32, &i32) -> bool| {
            (0..column.len()).reduce(|best, k| if order(&column[k].1, &column[best].1) { k } else { best })
        };
        let mut chosen = [Some(0), extreme(i32::lt), extreme(i32::gt), column.len().checked_sub(1)];
        chosen.sort_unstable();
        for index in chosen.into_iter().flatten() {
            if let Some(&point) = column.get(index)
                && kept.last() != Some(&point)
            {
                kept.push(point);
            }
        }
    }
    let mut kept = Vec::new();
    let mut column: Vec<(i32, i32)> = Vec::new();
    for point in points {
        if column.last().is_some_and(|last| last.0 != point.0) {
            close(&column, &mut kept);
            column.clear();
        }
        column.push(point);
    }
    close(&column, &mut kept);
    kept
}

/// Draws a dashed line through device points.
fn draw_dashes<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    points: &[(i32, i32)],
    colour: RGBColor,
    text: f64,
) -> Result<(), ViewError> {
    let length = (DASH * text * canvas.scale).max(2.0);
    let mut dash = Vec::new();
    // Distance walked since the start of the current dash or gap.
    let (mut walked, mut is_dash) = (0.0, true);
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| [f64::from(x), f64::from(y)]);
        let distance = (to[0] - from[0]).hypot(to[1] - from[1]);
        let at = |along: f64| {
            let part = along / distance;
            let mix = |k: usize| (from[k] + part * (to[k] - from[k])).round() as i32;
            (mix(0), mix(1))
        };
        let mut along = 0.0;
        if is_dash && dash.is_empty() {
            dash.push(pair[0]);
        }
        while distance - along > length - walked {
            along += length - walked;
            walked = 0.0;
            if is_dash {
                dash.push(at(along));
                canvas.polyline(&dash, curve_width(text), colour)?;
                dash.clear();
            } else {
                dash.push(at(along));
            }
            is_dash = !is_dash;
        }
        walked += distance - along;
        if is_dash {
            dash.push(pair[1]);
        }
    }
    if dash.len() > 1 { canvas.polyline(&dash, curve_width(text), colour) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_ends_and_extremes_of_each_column() {
        let points = [(0, 5), (0, 9), (0, 4), (0, 1), (0, 6), (1, 6), (2, 0), (2, 0), (1, 3)];
        let kept = thin_out(points.into_iter());
        assert_eq!(kept, [(0, 5), (0, 9), (0, 1), (0, 6), (1, 6), (2, 0), (1, 3)]);
        assert_eq!(thin_out(std::iter::empty()), []);
        assert!(thin_out((0..100_000).map(|k| (k / 1000, k * 31 % 977))).len() <= 400);
    }

    #[test]
    fn colours_that_repeat_are_dashed() {
        let series = Series::default();
        assert_eq!(appearance(0, &series).1, SeriesStyle::Line);
        assert_eq!(appearance(7, &series), (PALETTE[0], SeriesStyle::Dashes));
    }
}
