//! Figures of the study.

use std::f64::consts::TAU;

use dem_core::rotation::{IncrementMap, Parameterization, UnitQuaternion};
use dem_report::drawing::{line, logarithmic, power_law};
use dem_report::report::Figure;
use dem_report::statistics::median;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::accuracy::{ANGLES, SHOWN_ANGLE};
use super::cost::{COLUMNS, INCREMENT_ONLY, Measurement};
use super::results::Results;
use super::runs::Outcome;

/// All figures.
pub fn all(results: &Results) -> Vec<Figure> {
    let mut figures = vec![
        Figure { name: "rotation_constant_spin", panels: vec![growth(results), first_turn(results)] },
        Figure { name: "rotation_orders", panels: vec![single_step(results), precession(results)] },
    ];
    if let Some(measurement) = &results.measurement {
        figures.push(Figure { name: "rotation_cost", panels: vec![cost(results, measurement)] });
    }
    figures.extend(results.runs.iter().map(Outcome::figure));
    figures
}

fn growth(results: &Results) -> LinePlot {
    let shown = results.constant_spin.iter().filter(|c| c.map == IncrementMap::Exact && c.angle == SHOWN_ANGLE);
    let series = shown.map(|case| {
        let points = case.samples.iter().map(|sample| [sample.steps as f64, sample.error]).collect();
        line(case.contestant.key, points, SeriesStyle::Line)
    });
    let title = format!("Constant spin, exact map, {SHOWN_ANGLE} rad per step");
    logarithmic(title, "steps", "error of orientation [rad]", series.collect())
}

fn first_turn(results: &Results) -> LinePlot {
    let of = |key: Option<&str>, map| {
        let cases =
            results.constant_spin.iter().filter(|c| c.map == map && key.is_none_or(|key| key == c.contestant.key));
        cases.filter_map(|c| Some([c.angle, c.first_turn?.error])).collect::<Vec<_>>()
    };
    let exact =
        |key: &'static str| line(format!("{key}, exact"), of(Some(key), IncrementMap::Exact), SeriesStyle::Line);
    let mut series: Vec<Series> = results.contestants.iter().map(|c| exact(c.key)).collect();
    series.push(line("all, literal", of(None, IncrementMap::Literal), SeriesStyle::Markers));
    // a run that is too short for a turn has no points
    series.retain(|series| !series.points.is_empty());
    series.push(power_law("angle²/12 of a turn", TAU / 12.0, 2, ANGLES.into_iter()));
    let title = "Error after the first turn".to_owned();
    logarithmic(title, "angle per step [rad]", "error of orientation [rad]", series)
}

fn single_step(results: &Results) -> LinePlot {
    let points: Vec<[f64; 2]> = results.single_steps.iter().map(|&[angle, error]| [angle, -error]).collect();
    let expected = power_law("angle³/12", 1.0 / 12.0, 3, points.iter().map(|p| p[0]));
    let series = vec![line("literal map", points, SeriesStyle::Markers), expected];
    logarithmic("One step: how much too little the literal map turns", "angle [rad]", "angle missing [rad]", series)
}

fn precession(results: &Results) -> LinePlot {
    // all parameterizations lie on each other
    let (first, others): (Vec<_>, Vec<_>) =
        results.precession.iter().partition(|case| case.contestant.key == UnitQuaternion::KEY);
    let mut series: Vec<Series> = first
        .into_iter()
        .map(|case| line(format!("quaternion, {}", case.map.key()), case.errors.clone(), SeriesStyle::Line))
        .collect();
    let points = others.into_iter().flat_map(|case| case.errors.iter().copied()).collect();
    series.push(line("other parameterizations", points, SeriesStyle::Markers));
    let title = "Precessing spin, largest error in four turns".to_owned();
    logarithmic(title, "angle per step [rad]", "error of orientation [rad]", series)
}

fn cost(results: &Results, measurement: &Measurement) -> LinePlot {
    let names = std::iter::once(INCREMENT_ONLY).chain(results.contestants.iter().map(|c| c.key));
    let mut series: Vec<Series> = names
        .map(|key| {
            let point = |&particles: &usize| {
                let cost = measurement.of(key, IncrementMap::Exact, particles);
                [particles as f64, cost.map_or(f64::NAN, |cost| median(&cost.rounds))]
            };
            line(key, COLUMNS.iter().map(point).collect(), SeriesStyle::Line)
        })
        .collect();
    for run in measurement.engine.iter().filter(|run| run.run.particles > COLUMNS[0]) {
        let step = median(&run.rounds);
        let ends = [COLUMNS[0], COLUMNS[COLUMNS.len() - 1]].map(|x| [x as f64, step]);
        series.push(line(format!("whole step, {} packing", run.run.name), ends.to_vec(), SeriesStyle::Dashes));
    }
    let title = "Cost of a turn with the exact map, one thread".to_owned();
    logarithmic(title, "particles in the column", "time per particle-step [ns]", series)
}
