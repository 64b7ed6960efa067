//! Curves and panels from the columns of a series.

use std::path::Path;

use dem_io::series::{Series as SeriesTable, SeriesError};
use dem_view::{AxisScale, LinePlot, Series};

/// Parts of a run over which a rate is taken: fewer rows would show single particles.
const RATES: usize = 50;

/// The series of a run.
pub(super) struct SeriesCurves {
    table: SeriesTable,
}

impl SeriesCurves {
    pub fn read(directory: &Path) -> Result<Self, SeriesError> {
        Ok(Self { table: SeriesTable::read(directory.join("series.csv"))? })
    }

    /// The values of a column; none without it.
    pub fn column(&self, name: &str) -> &[f64] {
        self.table.column(name).unwrap_or_default()
    }

    /// What stands between two parts of names of columns.
    pub fn names_between<'a>(&'a self, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
        self.table.names().iter().filter_map(move |name| name.strip_prefix(start)?.strip_suffix(end))
    }

    /// Rows of the last stage.
    pub fn last_stage(&self) -> std::ops::Range<usize> {
        let stage = self.column("stage");
        let first = stage.iter().position(|number| Some(number) == stage.last()).unwrap_or(0);
        first..self.table.len()
    }

    /// Whether a column is there and anything in it differs from zero.
    pub fn tells(&self, name: &str) -> bool {
        self.column(name).iter().any(|value| value.is_finite() && *value != 0.0)
    }

    /// Panels over time that all span the whole run: a rate has its points between the rows.
    pub fn aligned(&self, mut panels: Vec<LinePlot>) -> Vec<LinePlot> {
        let time = self.column("time");
        if let (Some(&first), Some(&last)) = (time.first(), time.last())
            && last > first
        {
            panels.iter_mut().for_each(|panel| panel.x_ends = [Some(first), Some(last)]);
        }
        panels
    }

    /// A column over time.
    pub fn line(&self, name: &str, label: &str) -> Series {
        self.curve(label, self.column("time"), self.column(name))
    }

    /// A curve through pairs of numbers. What a diverged run leaves behind interrupts it.
    pub fn curve(&self, label: &str, x: &[f64], y: &[f64]) -> Series {
        let sound = |value: f64| if value.abs() < 1e300 { value } else { f64::NAN };
        let points = x.iter().zip(y).map(|(&x, &y)| [sound(x), sound(y)]).collect();
        Series { label: label.to_owned(), points, ..Series::default() }
    }

    /// The rate of a column over time, each over a fiftieth of the run or a row.
    pub fn rate(&self, name: &str, label: &str) -> Series {
        let (time, values) = (self.column("time"), self.column(name));
        let step = (time.len() / RATES).max(1);
        let rows: Vec<usize> = (0..time.len().min(values.len())).step_by(step).collect();
        let rate = |pair: &[usize]| {
            let elapsed = time[pair[1]] - time[pair[0]];
            let rate = if elapsed > 0.0 { (values[pair[1]] - values[pair[0]]) / elapsed } else { f64::NAN };
            (0.5 * (time[pair[0]] + time[pair[1]]), rate)
        };
        let (x, y): (Vec<f64>, Vec<f64>) = rows.windows(2).map(rate).unzip();
        self.curve(label, &x, &y)
    }
}

/// A panel over time.
pub(super) fn over_time(title: &str, y_label: &str, y_scale: AxisScale, series: Vec<Series>) -> LinePlot {
    LinePlot { y_scale, ..panel(title, "time [s]", y_label, series) }
}

/// A panel.
pub(super) fn panel(title: &str, x_label: &str, y_label: &str, series: Vec<Series>) -> LinePlot {
    LinePlot {
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        series,
        ..LinePlot::default()
    }
}

/// Whether a panel shows anything: a series that is zero throughout leaves nothing on a logarithmic axis.
pub(super) fn shows(panel: &LinePlot) -> bool {
    let visible = |[x, y]: [f64; 2]| x.is_finite() && y.is_finite() && (panel.y_scale == AxisScale::Linear || y > 0.0);
    !panel.series.is_empty()
        && panel.series.iter().all(|series| !series.points.is_empty())
        && panel.series.iter().any(|series| series.points.iter().any(|point| visible(*point)))
}
