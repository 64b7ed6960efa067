//! Tables of the study.

use dem_core::lanes::Width;
use dem_core::rotation::{IncrementMap, Parameterization, UnitQuaternion};
use dem_report::statistics::{median, median_ratio};
use dem_report::table::{Table, Value};

use super::accuracy::{ConstantSpin, SHOWN_ANGLE};
use super::cost::{BLOCK_COLUMN, Cost, Measurement};
use super::results::Results;
use super::runs::Outcome;

/// All tables, the summary first.
pub fn all(results: &Results) -> Vec<Table> {
    let mut tables =
        vec![summary(results), single_steps(results), constant_spin(results), growth(results), precession(results)];
    if let Some(measurement) = &results.measurement {
        tables.push(cost(measurement));
        tables.push(engine(results, measurement));
    }
    tables.extend(results.runs.iter().flat_map(Outcome::tables));
    tables
}

fn summary(results: &Results) -> Table {
    let mut table = Table::new(
        "rotation",
        &[
            "parameterization",
            "map",
            "numbers",
            "first_turn_error_rad",
            "error_per_turn_rad",
            "defect",
            "precession_order",
            "cost_ns",
            "cost_ratio_to_quaternion",
            "share_of_dense_step",
        ],
    );
    for contestant in &results.contestants {
        for map in IncrementMap::ALL {
            let cases: Vec<&ConstantSpin> = results
                .constant_spin
                .iter()
                .filter(|case| case.contestant.key == contestant.key && case.map == map)
                .collect();
            let first_turn = cases.iter().find(|case| case.angle == SHOWN_ANGLE).and_then(|case| case.first_turn);
            // the angle of the literal map falls behind by whole turns: its distance then means nothing
            let per_turn = match map {
                IncrementMap::Exact => cases.iter().map(|case| case.error_per_turn()).fold(0.0, f64::max),
                IncrementMap::Literal => f64::NAN,
            };
            let order = results
                .precession
                .iter()
                .find(|case| case.contestant.key == contestant.key && case.map == map)
                .map_or(f64::NAN, |case| case.order());
            let [cost, ratio, share] = cost_of(results, contestant.key, map);
            table.push([
                contestant.key.into(),
                map.key().into(),
                contestant.numbers.into(),
                first_turn.map_or(f64::NAN, |sample| sample.error).into(),
                per_turn.into(),
                cases.iter().map(|case| case.end().defect).fold(0.0, f64::max).into(),
                order.into(),
                cost.into(),
                ratio.into(),
                share.into(),
            ]);
        }
    }
    table
}

/// Nanoseconds, ratio to the quaternion with the exact map, share of a step in a dense packing.
fn cost_of(results: &Results, key: &str, map: IncrementMap) -> [f64; 3] {
    let nothing = [f64::NAN; 3];
    let Some(measurement) = &results.measurement else { return nothing };
    let (Some(own), Some(reference)) = (
        measurement.of(key, map, BLOCK_COLUMN),
        measurement.of(UnitQuaternion::KEY, IncrementMap::Exact, BLOCK_COLUMN),
    ) else {
        return nothing;
    };
    let share = measurement.engine.first().map_or(f64::NAN, |dense| median_ratio(&own.rounds, &dense.rounds));
    [median(&own.rounds), median_ratio(&own.rounds, &reference.rounds), share]
}

fn single_steps(results: &Results) -> Table {
    let mut table =
        Table::new("rotation_literal_step", &["angle_rad", "error_rad", "minus_twelfth_of_cube_rad", "ratio"]);
    for &[angle, error] in &results.single_steps {
        let expected = -angle * angle * angle / 12.0;
        table.push([angle.into(), error.into(), expected.into(), (error / expected).into()]);
    }
    table
}

fn constant_spin(results: &Results) -> Table {
    let mut table = Table::new(
        "rotation_constant_spin",
        &[
            "parameterization",
            "map",
            "angle_per_step_rad",
            "steps",
            "turns",
            "first_turn_error_rad",
            "end_error_rad",
            "end_error_per_turn_rad",
            "defect",
        ],
    );
    for case in &results.constant_spin {
        table.push([
            case.contestant.key.into(),
            case.map.key().into(),
            case.angle.into(),
            case.end().steps.into(),
            case.turns().into(),
            case.first_turn.map_or(f64::NAN, |sample| sample.error).into(),
            case.end().error.into(),
            case.error_per_turn().into(),
            case.end().defect.into(),
        ]);
    }
    table
}

fn growth(results: &Results) -> Table {
    let mut table = Table::new(
        "rotation_growth",
        &["parameterization", "map", "angle_per_step_rad", "steps", "error_rad", "defect"],
    );
    for case in &results.constant_spin {
        for sample in &case.samples {
            table.push([
                case.contestant.key.into(),
                case.map.key().into(),
                case.angle.into(),
                sample.steps.into(),
                sample.error.into(),
                sample.defect.into(),
            ]);
        }
    }
    table
}

fn precession(results: &Results) -> Table {
    let mut table = Table::new("rotation_precession", &["parameterization", "map", "angle_per_step_rad", "error_rad"]);
    for case in &results.precession {
        for &[angle, error] in &case.errors {
            table.push([case.contestant.key.into(), case.map.key().into(), angle.into(), error.into()]);
        }
    }
    table
}

fn cost(measurement: &Measurement) -> Table {
    let mut table = Table::new(
        "rotation_cost",
        &["parameterization", "map", "instructions", "particles", "cost_ns", "least_ns", "ratio_to_quaternion"],
    );
    for own in &measurement.turns {
        let reference = measurement.turns.iter().find(|c| is_reference_of(c, own));
        let ratio = reference.map_or(f64::NAN, |r| median_ratio(&own.rounds, &r.rounds));
        let least = own.rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let cells: [Value; 7] = [
            own.key.into(),
            own.map.key().into(),
            own.width.name().into(),
            own.particles.into(),
            median(&own.rounds).into(),
            least.into(),
            ratio.into(),
        ];
        table.push(cells);
    }
    table
}

/// Whether a measurement is that of the quaternion with the exact map in the conditions of another one.
fn is_reference_of(reference: &Cost, own: &Cost) -> bool {
    reference.key == UnitQuaternion::KEY
        && reference.map == IncrementMap::Exact
        && reference.width == own.width
        && reference.particles == own.particles
}

/// Cost of a step of the engine, and what it would be with each parameterization as the state.
fn engine(results: &Results, measurement: &Measurement) -> Table {
    let mut table = Table::new(
        "rotation_engine",
        &[
            "run",
            "particles",
            "coordination",
            "instructions",
            "step_ns",
            "parameterization",
            "turn_ns",
            "share_of_step",
            "step_ratio_to_quaternion",
        ],
    );
    for run in &measurement.engine {
        for contestant in &results.contestants {
            let Some(change) = measurement.step_change(run, contestant.key) else { continue };
            table.push([
                run.run.name.into(),
                run.run.particles.into(),
                run.run.coordination.into(),
                Width::fastest().name().into(),
                median(&run.rounds).into(),
                contestant.key.into(),
                change.turn.into(),
                change.share.into(),
                (1.0 + change.relative).into(),
            ]);
        }
    }
    table
}
