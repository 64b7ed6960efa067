//! One panel: axes, legend and curves.

use crate::error::ViewError;
use crate::plot::canvas::{Anchor, Canvas};
use crate::plot::curve::{Frame, MARKER, appearance, curve_width, draw_dashes, draw_piece};
use crate::plot::line_plot::{Axes, LinePlot, SeriesStyle};
use crate::plot::mark::{Colour, place};
use crate::text_line::TextLine;
use crate::tick::Label;
use crate::typeset::{runs, runs_of_label};

const INK: Colour = [0x14, 0x18, 0x1c];
const FAINT: Colour = [0xe3, 0xe6, 0xea];

fn label_width(label: &Label, size: f64) -> Result<f64, ViewError> {
    Ok(TextLine::set(&runs_of_label(label), size, f64::INFINITY)?.width)
}

/// Room for the ordinate's labels `[mm]`.
pub(crate) fn left_margin(panel: &LinePlot, axes: &Axes, text: f64) -> Result<f64, ViewError> {
    let mut widest = 0f64;
    for tick in &axes.y.ticks.ticks {
        widest = widest.max(label_width(&tick.label, 0.9 * text)?);
    }
    let name = if panel.y_label.is_empty() { 0.0 } else { 1.5 * text };
    Ok(widest + name + 1.3 * text)
}

/// Draws a panel whose axes span the columns `x` and which, with its text, fills the rows `y` `[mm]`.
pub(crate) fn draw_panel(
    canvas: &mut Canvas,
    panel: &LinePlot,
    axes: &Axes,
    x: [f64; 2],
    y: [f64; 2],
    text: f64,
) -> Result<(), ViewError> {
    let mut top = y[0] + 0.9 * text;
    if !panel.title.is_empty() {
        let size = 1.12 * text;
        canvas.text(&panel.title, [x[0], top + 0.4 * text], size, x[1] - x[0], Anchor::Left, INK)?;
        top += 1.6 * text;
    }
    let factor = axes.y.ticks.factor();
    let mut indent = 0.0;
    if let Some(factor) = &factor {
        canvas.label(factor, [x[0], top + 0.2 * text], 0.9 * text, Anchor::Left, INK)?;
        indent = label_width(factor, 0.9 * text)? + 1.2 * text;
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
            draw_piece(canvas, &piece, &frame, style, colour, text);
        }
    }
    Ok(())
}

/// Draws the names of the series in at most `most_rows` rows; returns the number of rows used.
fn draw_legend(
    canvas: &mut Canvas,
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
        let room = (x[1] - x[0] - sample - 0.5 * text).max(0.0);
        let width = sample + 0.5 * text + TextLine::set(&runs(&series.label), size, room)?.width;
        if left > x[0] && left + width > x[1] {
            (left, row) = (x[0], row + 1);
        }
        let middle = y + 1.4 * text * row as f64;
        if row == most_rows {
            break;
        }
        let (colour, style) = appearance(index, series);
        let ends = [[left, middle], [left + sample, middle]].map(place);
        match style {
            SeriesStyle::Line => canvas.polyline(&ends, curve_width(text), colour),
            SeriesStyle::Dashes => draw_dashes(canvas, &ends, colour, text),
            SeriesStyle::Markers => canvas.disc(place([left + 0.5 * sample, middle]), MARKER * text, colour),
        }
        canvas.text(&series.label, [left + sample + 0.5 * text, middle], size, room, Anchor::Left, INK)?;
        left += width + gap;
        used = row + 1;
    }
    Ok(used)
}

fn draw_axes(canvas: &mut Canvas, panel: &LinePlot, axes: &Axes, frame: &Frame, text: f64) -> Result<(), ViewError> {
    let (thin, size) = (0.06 * text, 0.9 * text);
    let [left, right] = frame.x;
    let [top, bottom] = frame.y;
    for tick in &axes.x.ticks.ticks {
        let x = frame.column(axes.x.fraction(tick.value));
        canvas.line([x, top], [x, bottom], thin, FAINT);
        canvas.line([x, bottom], [x, bottom + 0.3 * text], thin, INK);
        canvas.label(&tick.label, [x, bottom + 1.0 * text], size, Anchor::Middle, INK)?;
    }
    for tick in &axes.y.ticks.ticks {
        let y = frame.row(axes.y.fraction(tick.value));
        canvas.line([left, y], [right, y], thin, FAINT);
        canvas.line([left - 0.3 * text, y], [left, y], thin, INK);
        canvas.label(&tick.label, [left - 0.5 * text, y], size, Anchor::Right, INK)?;
    }
    for &value in &axes.x.ticks.minor {
        let x = frame.column(axes.x.fraction(value));
        canvas.line([x, bottom], [x, bottom + 0.16 * text], thin, INK);
    }
    for &value in &axes.y.ticks.minor {
        let y = frame.row(axes.y.fraction(value));
        canvas.line([left - 0.16 * text, y], [left, y], thin, INK);
    }
    canvas.line([left, bottom], [right, bottom], thin, INK);
    canvas.line([left, top], [left, bottom], thin, INK);
    let below = bottom + 2.3 * text;
    canvas.text(&panel.x_label, [0.5 * (left + right), below], text, right - left, Anchor::Middle, INK)?;
    if let Some(factor) = axes.x.ticks.factor() {
        canvas.label(&factor, [right, below], size, Anchor::Right, INK)?;
    }
    canvas.upright_text(&panel.y_label, [text, 0.5 * (top + bottom)], text, bottom - top + 2.0 * text, INK)
}
