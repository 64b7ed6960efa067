//! The content of a plot, and what of it can be drawn.

use crate::error::ViewError;
use crate::plot::axis::Axis;
pub use crate::plot::axis::AxisScale;

/// Most series in one panel.
pub(crate) const MOST_SERIES: usize = 64;

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeriesStyle {
    /// A continuous line.
    #[default]
    Line,
    /// A dashed line, for references and limits.
    Dashes,
    /// A disc at each point and no line.
    Markers,
}

/// One curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Name in the legend; empty to leave it out there.
    pub label: String,
    /// Points `[x, y]` in the order in which the line joins them. A coordinate that is NaN or infinite
    /// interrupts the line.
    pub points: Vec<[f64; 2]>,
    /// Style.
    pub style: SeriesStyle,
}

/// One panel of a figure: axes and curves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinePlot {
    /// Line above the panel; empty for none.
    pub title: String,
    /// Name and unit of the abscissa, as in `time [s]`.
    pub x_label: String,
    /// Name and unit of the ordinate.
    pub y_label: String,
    /// Curves, at least one with at least one point.
    pub series: Vec<Series>,
    /// Scale of the abscissa.
    pub x_scale: AxisScale,
    /// Scale of the ordinate.
    pub y_scale: AxisScale,
    /// Ends of the abscissa where they are not those of the points.
    pub x_ends: [Option<f64>; 2],
    /// Ends of the ordinate where they are not those of the points.
    pub y_ends: [Option<f64>; 2],
}

/// The axes that hold all points of one panel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axes {
    pub x: Axis,
    pub y: Axis,
}

impl LinePlot {
    /// Refuses panels that cannot be drawn and finds the axes of the others. `panel` is the index to name in errors.
    pub(crate) fn find_axes(&self, panel: usize) -> Result<Axes, ViewError> {
        let found = self.series.len();
        if !(1..=MOST_SERIES).contains(&found) {
            return Err(ViewError::SeriesCount { panel, found, largest: MOST_SERIES });
        }
        let mut bounds: Option<[[f64; 2]; 2]> = None;
        for (axis, ends) in [("abscissa", self.x_ends), ("ordinate", self.y_ends)] {
            if let [Some(from), Some(to)] = ends
                && from >= to
            {
                return Err(refused_ends(axis, ends));
            }
        }
        for (index, series) in self.series.iter().enumerate() {
            if series.points.is_empty() {
                return Err(ViewError::EmptySeries { panel, series: index, label: series.label.clone() });
            }
            for (point, coordinates) in series.points.iter().enumerate() {
                let extreme = coordinates.iter().find(|value| value.is_finite() && value.abs() > 1e300);
                if let Some(value) = extreme {
                    return Err(ViewError::SeriesValue { panel, series: index, point, value: value.to_string() });
                }
                // the ordinate holds what the abscissa shows
                let lies_aside = (self.x_ends[0].is_some_and(|end| coordinates[0] < end))
                    || self.x_ends[1].is_some_and(|end| coordinates[0] > end);
                if self.is_drawable(*coordinates) && !lies_aside {
                    let [x, y] = *coordinates;
                    let [across, up] = bounds.unwrap_or([[x, x], [y, y]]);
                    bounds = Some([[across[0].min(x), across[1].max(x)], [up[0].min(y), up[1].max(y)]]);
                }
            }
        }
        let [x, y] = bounds.ok_or(ViewError::NothingToPlot { panel })?;
        Ok(Axes {
            x: Axis::between(self.x_ends, x, self.x_scale, 0.02, 8)
                .ok_or_else(|| refused_ends("abscissa", self.x_ends))?,
            y: Axis::between(self.y_ends, y, self.y_scale, 0.06, 5)
                .ok_or_else(|| refused_ends("ordinate", self.y_ends))?,
        })
    }

    /// Pieces of a series between interruptions, in units of the length of the axes.
    pub(crate) fn pieces(&self, series: &Series, axes: &Axes) -> Vec<Vec<[f64; 2]>> {
        series
            .points
            .split(|point| !self.is_drawable(*point))
            .filter(|piece| !piece.is_empty())
            .map(|piece| piece.iter().map(|&[x, y]| [axes.x.fraction(x), axes.y.fraction(y)]).collect())
            .collect()
    }

    fn is_drawable(&self, [x, y]: [f64; 2]) -> bool {
        self.x_scale.shows(x) && self.y_scale.shows(y)
    }
}

fn refused_ends(axis: &'static str, ends: [Option<f64>; 2]) -> ViewError {
    let [from, to] = ends.map(|end| end.map_or_else(String::new, |end| end.to_string()));
    ViewError::Ends { axis, ends: format!("{from}:{to}") }
}

impl AxisScale {
    fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value >= 1e-300)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<[f64; 2]>, y_scale: AxisScale) -> LinePlot {
        let series = vec![Series { label: "a".into(), points, style: SeriesStyle::Line }];
        LinePlot { series, y_scale, ..LinePlot::default() }
    }

    fn piece_lengths(plot: &LinePlot) -> Vec<usize> {
        let axes = plot.find_axes(0).unwrap();
        plot.pieces(&plot.series[0], &axes).iter().map(Vec::len).collect()
    }

    #[test]
    fn undefined_points_interrupt_the_line() {
        let gap = [2.0, f64::NAN];
        let points = vec![[0.0, 1.0], [1.0, 2.0], gap, [3.0, 1.0], [4.0, f64::INFINITY], gap, [5.0, 3.0]];
        assert_eq!(piece_lengths(&plot(points, AxisScale::Linear)), [2, 1, 1]);
    }

    #[test]
    fn values_that_are_not_positive_leave_a_logarithmic_plot() {
        let points = vec![[0.0, 1.0], [1.0, 0.0], [2.0, 1e-3], [3.0, -5.0], [4.0, 1e-2]];
        let logarithmic = plot(points.clone(), AxisScale::Logarithmic);
        assert_eq!(piece_lengths(&logarithmic), [1, 1, 1]);
        assert_eq!(piece_lengths(&plot(points, AxisScale::Linear)), [5]);
        let nothing = plot(vec![[0.0, 0.0], [1.0, -1.0]], AxisScale::Logarithmic);
        assert_eq!(nothing.find_axes(3), Err(ViewError::NothingToPlot { panel: 3 }));
    }

    #[test]
    fn pieces_stay_between_the_ends_of_the_axes() {
        for y_scale in [AxisScale::Linear, AxisScale::Logarithmic] {
            for scale in [1e-300, 1e-6, 1.0, 1e290] {
                let points = (1..50).map(|k| [f64::from(k) * scale, f64::from(k * k) * scale]).collect();
                let plot = plot(points, y_scale);
                let axes = plot.find_axes(0).unwrap();
                let pieces = plot.pieces(&plot.series[0], &axes);
                assert!(pieces.iter().flatten().flatten().all(|f| (0.0..=1.0).contains(f)), "{scale}");
            }
        }
    }

    #[test]
    fn empty_and_extreme_series_are_named() {
        let mut both = plot(vec![[0.0, 0.0]], AxisScale::Linear);
        both.series.push(Series { label: "force".into(), ..Series::default() });
        let message = both.find_axes(2).unwrap_err().to_string();
        assert_eq!(message, "series 1 (\"force\") of panel 2 has no points, expected at least one");
        let message = plot(vec![[0.0, 0.0], [1e305, 0.0]], AxisScale::Linear).find_axes(0).unwrap_err().to_string();
        assert!(message.starts_with("point 1 of series 0 of panel 0 is 1"), "{message}");
        assert!(matches!(LinePlot::default().find_axes(0), Err(ViewError::SeriesCount { found: 0, .. })));
    }
}
