//! The figure of the runs.

use dem_core::rotation::carried::Carried;
use dem_report::drawing::{line, logarithmic, power_law};
use dem_report::report::Figure;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::free_bodies::{ANGLES, FOLLOWED, LONG};
use super::outcome::Outcome;

/// Error against the step, and drift from the run with quaternions.
pub fn figure(outcome: &Outcome) -> Figure {
    Figure { name: "rotation_runs", panels: vec![errors(outcome), drift(outcome)] }
}

fn errors(outcome: &Outcome) -> LinePlot {
    let of = |carried: Carried| {
        let rows = outcome.accuracy.iter().filter(|row| row.carried == carried);
        rows.map(|row| [row.angle, row.error[1]]).collect::<Vec<_>>()
    };
    // all lie on each other
    let others = Carried::ALL[1..].iter().flat_map(|&carried| of(carried)).collect();
    let finest = of(Carried::Quaternion).last().copied().unwrap_or([1.0, f64::NAN]);
    let series = vec![
        line("quaternion", of(Carried::Quaternion), SeriesStyle::Line),
        line("other choices", others, SeriesStyle::Markers),
        power_law("second order", finest[1] / (finest[0] * finest[0]), 2, ANGLES.into_iter()),
    ];
    let title = format!("Free bodies after {FOLLOWED} rad, root mean square error");
    logarithmic(title, "angle per step [rad]", "error of orientation [rad]", series)
}

fn drift(outcome: &Outcome) -> LinePlot {
    let series = Carried::ALL[1..].iter().map(|&carried| {
        let rows = outcome.drift.iter().filter(|row| row.carried == carried && row.from_quaternion[0] > 0.0);
        let points = rows.map(|row| [row.steps as f64, row.from_quaternion[0]]).collect();
        line(carried.key(), points, SeriesStyle::Line)
    });
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    let title = format!("Free bodies at {LONG} rad per step, largest distance from the run with quaternions");
    logarithmic(title, "steps", "angle between orientations [rad]", series)
}
