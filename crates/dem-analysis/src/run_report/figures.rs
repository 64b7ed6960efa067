//! Figures of a run beside those that it draws by itself.

use dem_report::drawing::{line, linear};
use dem_view::{AxisScale, LinePlot, Series as Curve, SeriesStyle};

use crate::run_record::RunRecord;

/// Friction and balance of the contacts over time.
pub(super) fn contact_panels(record: &RunRecord) -> Vec<LinePlot> {
    let time = record.series.column("time").unwrap_or_default();
    let curve = |name: &str| -> Curve {
        let values = record.series.column(name).unwrap_or_default();
        let points = time.iter().zip(values).map(|(&t, &y)| [t, if y.abs() < 1e300 { y } else { f64::NAN }]);
        line(name.replace('_', " "), points.collect(), SeriesStyle::Line)
    };
    let share = linear("Friction", "time [s]", "share [-]", vec![curve("sliding_share"), curve("mobilised_friction")]);
    let mut balance =
        linear("Balance", "time [s]", "share [-]", vec![curve("unbalanced_force"), curve("overlap_ratio")]);
    balance.y_scale = AxisScale::Logarithmic;
    let shows = |panel: &LinePlot| {
        let visible = |y: f64| y.is_finite() && (panel.y_scale == AxisScale::Linear || y > 0.0);
        panel.series.iter().all(|series| !series.points.is_empty())
            && panel.series.iter().any(|series| series.points.iter().any(|point| visible(point[1])))
    };
    [share, balance].into_iter().filter(shows).collect()
}
