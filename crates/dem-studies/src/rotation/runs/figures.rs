//! The figure of the runs.

use dem_core::rotation::carried::Carried;
use dem_report::drawing::{line, logarithmic, power_law};
use dem_report::report::Figure;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::free_bodies::{ANGLES, Drift, FOLLOWED, LONG};
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
    let series_of = |label: &str, carried: Carried, is_rounded: bool| {
        let of_run = |row: &&Drift| row.carried == carried && row.is_rounded == is_rounded;
        let rows = outcome.drift.iter().filter(of_run).filter(|row| row.from_quaternion[1] > 0.0);
        let points = rows.map(|row| [row.steps as f64, row.from_quaternion[1]]).collect();
        line(label, points, SeriesStyle::Line)
    };
    let choices = Carried::ALL[1..].iter().map(|&carried| series_of(carried.key(), carried, false));
    let control = series_of("quaternion, start rounded", Carried::Quaternion, true);
    let series: Vec<Series> = choices.chain([control]).filter(|series| !series.points.is_empty()).collect();
    let title = format!("Free bodies at {LONG} rad per step, rms distance from the run with quaternions");
    logarithmic(title, "steps", "angle between orientations [rad]", series)
}
