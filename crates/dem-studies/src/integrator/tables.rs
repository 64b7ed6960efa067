//! Tables of the study.

use dem_report::statistics::{median, median_ratio};
use dem_report::table::{Table, Value};

use super::order::Motion;
use super::results::Results;
use super::rolling::{ROLLING_EXPECTED, SPINNING_EXPECTED};

/// All tables, the summary first.
pub fn all(results: &Results) -> Vec<Table> {
    let mut tables = vec![summary(results), errors(results), energy(results), rolling(results)];
    if !results.costs.is_empty() {
        tables.push(cost(results));
    }
    tables
}

fn summary(results: &Results) -> Table {
    let mut table = Table::new(
        "integrator",
        &[
            "scheme",
            "order_spring",
            "order_hertz",
            "order_dashpot",
            "order_stick_slip",
            "energy_drift",
            "energy_ripple",
            "gas_energy_drift",
            "cost_ns",
            "cost_ratio_to_default",
        ],
    );
    for (k, scheme) in results.schemes.iter().enumerate() {
        let mut row: Vec<Value> = vec![scheme.to_string().into()];
        row.extend(Motion::ALL.map(|motion| {
            let case = results.convergence.iter().find(|case| case.motion == motion && case.scheme == *scheme);
            case.map_or(f64::NAN, |case| case.order()).into()
        }));
        let (oscillation, gas) = (&results.oscillation[k], &results.gas[k]);
        row.extend([oscillation.drift(), oscillation.ripple, gas.drift()].map(Value::from));
        let cost = results
            .costs
            .get(k)
            .map_or([f64::NAN; 2], |cost| [median(&cost.rounds), median_ratio(&cost.rounds, &results.costs[0].rounds)]);
        row.extend(cost.map(Value::from));
        table.push(row);
    }
    table
}

fn errors(results: &Results) -> Table {
    let mut table = Table::new("integrator_order", &["motion", "scheme", "step_over_period", "error"]);
    for case in &results.convergence {
        for &[step, error] in &case.errors {
            table.push([case.motion.key().into(), case.scheme.to_string().into(), step.into(), error.into()]);
        }
    }
    table
}

fn energy(results: &Results) -> Table {
    let mut table = Table::new("integrator_energy", &["motion", "scheme", "steps", "relative_change"]);
    for (motion, courses) in [("oscillation", &results.oscillation), ("gas", &results.gas)] {
        for course in courses {
            for &[steps, change] in &course.changes {
                table.push([motion.into(), course.scheme.to_string().into(), steps.into(), change.into()]);
            }
        }
    }
    table
}

fn rolling(results: &Results) -> Table {
    let mut table =
        Table::new("integrator_rolling", &["example", "quantity", "unit", "scheme", "found", "expected", "relative"]);
    for case in &results.rolling {
        let one = SPINNING_EXPECTED.iter().zip(case.spinning).map(|(expected, found)| ("5.1", expected, found));
        let three = ROLLING_EXPECTED.iter().zip(case.three).map(|(expected, found)| ("5.2", expected, found));
        for (example, &(quantity, unit, expected), found) in one.chain(three) {
            table.push([
                example.into(),
                quantity.into(),
                unit.into(),
                case.scheme.to_string().into(),
                found.into(),
                expected.into(),
                (found / expected - 1.0).into(),
            ]);
        }
        table.push([
            "5.1".into(),
            "ringing".into(),
            "m/s".into(),
            case.scheme.to_string().into(),
            case.ringing.into(),
            f64::NAN.into(),
            f64::NAN.into(),
        ]);
    }
    table
}

fn cost(results: &Results) -> Table {
    let mut table = Table::new(
        "integrator_cost",
        &["scheme", "particles", "coordination", "cost_ns", "least_ns", "ratio_to_default", "iterations_per_step"],
    );
    for cost in &results.costs {
        table.push([
            cost.scheme.to_string().into(),
            cost.run.particles.into(),
            cost.run.coordination.into(),
            median(&cost.rounds).into(),
            cost.rounds.iter().copied().fold(f64::INFINITY, f64::min).into(),
            median_ratio(&cost.rounds, &results.costs[0].rounds).into(),
            cost.iterations.unwrap_or(f64::NAN).into(),
        ]);
    }
    table
}
