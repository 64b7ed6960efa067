//! Panels and lines that the figures of several studies have in common.

use dem_view::{AxisScale, LinePlot, Series, SeriesStyle};

/// A panel with linear axes.
pub fn linear(title: impl Into<String>, x_label: &str, y_label: &str, series: Vec<Series>) -> LinePlot {
    LinePlot {
        title: title.into(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        series,
        ..LinePlot::default()
    }
}

/// A panel with two logarithmic axes.
pub fn logarithmic(title: impl Into<String>, x_label: &str, y_label: &str, series: Vec<Series>) -> LinePlot {
    LinePlot {
        x_scale: AxisScale::Logarithmic,
        y_scale: AxisScale::Logarithmic,
        ..linear(title, x_label, y_label, series)
    }
}

/// A curve.
pub fn line(label: impl Into<String>, points: Vec<[f64; 2]>, style: SeriesStyle) -> Series {
    Series { label: label.into(), points, style }
}

/// A dashed power law.
pub fn power_law(label: &str, factor: f64, power: i32, abscissae: impl Iterator<Item = f64>) -> Series {
    line(label, abscissae.map(|x| [x, factor * x.powi(power)]).collect(), SeriesStyle::Dashes)
}
