//! The curves of a panel: styles, dashes, and no more points than can be seen.

use crate::plot::canvas::Canvas;
use crate::plot::clip::clip;
use crate::plot::line_plot::{Series, SeriesStyle};
use crate::plot::mark::{Colour, Place, UNITS, place};

/// Colours after M. Okabe and K. Ito (2008), distinct for colour-blind readers; without their yellow, which fades on
/// white.
const PALETTE: [Colour; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x40, 0x40, 0x40],
];
/// Width of a curve, length of a dash and radius of a marker, in text sizes.
const CURVE: f64 = 0.12;
const DASH: f64 = 0.5;
pub(crate) const MARKER: f64 = 0.19;

/// The rectangle between the axes `[mm]`.
pub(crate) struct Frame {
    pub x: [f64; 2],
    /// Top and bottom.
    pub y: [f64; 2],
}

impl Frame {
    pub fn column(&self, fraction: f64) -> f64 {
        self.x[0] + fraction * (self.x[1] - self.x[0])
    }

    pub fn row(&self, fraction: f64) -> f64 {
        self.y[1] + fraction * (self.y[0] - self.y[1])
    }
}

/// Colour and style; colours that come round again are dashed.
pub(crate) fn appearance(index: usize, series: &Series) -> (Colour, SeriesStyle) {
    let style = match series.style {
        SeriesStyle::Line if index / PALETTE.len() % 2 == 1 => SeriesStyle::Dashes,
        style => style,
    };
    (PALETTE[index % PALETTE.len()], style)
}

/// Width of a curve `[mm]`; thinner ones pale between two rows of pixels at 200 dots an inch.
pub(crate) fn curve_width(text: f64) -> f64 {
    (CURVE * text).max(0.19)
}

/// Draws what can be seen of one uninterrupted piece of a series, given in fractions of the axes.
pub(crate) fn draw_piece(
    canvas: &mut Canvas,
    piece: &[[f64; 2]],
    frame: &Frame,
    style: SeriesStyle,
    colour: Colour,
    text: f64,
) {
    let at = |&[x, y]: &[f64; 2]| place([frame.column(x), frame.row(y)]);
    let shows = |point: &&[f64; 2]| point.iter().all(|fraction| (0.0..=1.0).contains(fraction));
    if style == SeriesStyle::Markers {
        let points = thin_out(piece.iter().filter(shows).map(at));
        points.into_iter().for_each(|point| canvas.disc(point, MARKER * text, colour));
        return;
    }
    if let [point] = piece {
        // A lone point has no line, but must be seen.
        if shows(&point) {
            canvas.disc(at(point), 0.8 * MARKER * text, colour);
        }
        return;
    }
    for part in clip(piece) {
        let points = thin_out(part.iter().map(at));
        match points[..] {
            [point] => canvas.disc(point, 0.8 * MARKER * text, colour),
            _ if style == SeriesStyle::Dashes => draw_dashes(canvas, &points, colour, text),
            _ => canvas.polyline(&points, curve_width(text), colour),
        }
    }
}

/// Keeps, of successive points in one column of places, the first, lowest, highest and last: the others would be
/// covered by the line. Bounds the work and the size of a file by the width of the figure for ordered series.
fn thin_out(points: impl Iterator<Item = Place>) -> Vec<Place> {
    fn close(column: &[Place], kept: &mut Vec<Place>) {
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
    let mut column: Vec<Place> = Vec::new();
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

/// Draws a dashed line.
pub(crate) fn draw_dashes(canvas: &mut Canvas, points: &[Place], colour: Colour, text: f64) {
    let length = (DASH * text * UNITS).max(2.0);
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
                canvas.polyline(&dash, curve_width(text), colour);
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
    if dash.len() > 1 {
        canvas.polyline(&dash, curve_width(text), colour);
    }
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
