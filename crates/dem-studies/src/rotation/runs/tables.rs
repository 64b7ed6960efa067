//! Tables of the runs.

use dem_report::statistics::median;
use dem_report::table::{Table, Value};

use super::cost::quartiles_of_ratio;
use super::free_bodies::FOLLOWED;
use super::outcome::Outcome;

/// All tables; that of run times only if they were taken.
pub fn all(outcome: &Outcome) -> Vec<Table> {
    let mut tables =
        vec![accuracy(outcome), drift(outcome), stops(outcome), packing(outcome), spheres(outcome), literal(outcome)];
    if !outcome.cost.is_empty() {
        tables.push(cost(outcome));
    }
    tables
}

fn accuracy(outcome: &Outcome) -> Table {
    let columns = [
        "rotation",
        "angle_per_step_rad",
        "steps",
        "turned_rad",
        "max_error_rad",
        "rms_error_rad",
        "from_quaternion_rad",
    ];
    let mut table = Table::new("rotation_runs_free_bodies", &columns);
    for row in &outcome.accuracy {
        table.push([
            row.carried.key().into(),
            row.angle.into(),
            row.steps.into(),
            FOLLOWED.into(),
            row.error[0].into(),
            row.error[1].into(),
            row.from_quaternion.into(),
        ]);
    }
    table
}

fn drift(outcome: &Outcome) -> Table {
    let columns = [
        "rotation",
        "start",
        "steps",
        "max_from_quaternion_rad",
        "rms_from_quaternion_rad",
        "share_below_1e-9_rad",
        "defect",
        "largest_number",
    ];
    let mut table = Table::new("rotation_runs_drift", &columns);
    for row in &outcome.drift {
        table.push([
            row.carried.key().into(),
            if row.is_rounded { "rounding_error" } else { "same" }.into(),
            row.steps.into(),
            row.from_quaternion[0].into(),
            row.from_quaternion[1].into(),
            row.close.into(),
            row.defect.into(),
            row.size.into(),
        ]);
    }
    table
}

fn stops(outcome: &Outcome) -> Table {
    let mut table = Table::new(
        "rotation_runs_half_turn",
        &["rotation", "half_turn", "start", "steps_asked", "stopped_at", "particle"],
    );
    for row in &outcome.stops {
        // a run that came through has no step at which it stopped
        let or_nothing = |number: Option<u64>| number.map_or(Value::Number(f64::NAN), Value::from);
        table.push([
            "rodrigues".into(),
            "stop".into(),
            row.start.into(),
            row.asked.into(),
            or_nothing(row.stopped.map(|(step, _)| step)),
            or_nothing(row.stopped.map(|(_, particle)| particle)),
        ]);
    }
    table
}

fn packing(outcome: &Outcome) -> Table {
    let columns =
        ["rotation", "start", "steps", "contacts_per_dimer", "max_from_quaternion_rad", "rms_from_quaternion_rad"];
    let mut table = Table::new("rotation_runs_packing", &columns);
    for row in &outcome.packing {
        table.push([
            row.carried.key().into(),
            if row.is_settled { "settled" } else { "falling" }.into(),
            row.steps.into(),
            row.contacts.into(),
            row.from_quaternion[0].into(),
            row.from_quaternion[1].into(),
        ]);
    }
    table
}

fn spheres(outcome: &Outcome) -> Table {
    let columns = ["rotation", "steps", "contact_steps", "spheres", "equal_to_the_bit", "max_from_quaternion_rad"];
    let mut table = Table::new("rotation_runs_spheres", &columns);
    for row in &outcome.spheres {
        table.push([
            row.carried.key().into(),
            row.steps.into(),
            row.contact_steps.into(),
            row.count.into(),
            row.equal.into(),
            row.from_quaternion.into(),
        ]);
    }
    table
}

fn literal(outcome: &Outcome) -> Table {
    let columns = ["rotation", "rotation_increment", "angle_per_step_rad", "error_per_turn_rad", "expected_rad"];
    let mut table = Table::new("rotation_runs_increments", &columns);
    for row in &outcome.literal {
        table.push([
            row.carried.key().into(),
            row.increment.key().into(),
            row.angle.into(),
            row.error_per_turn.into(),
            row.expected().into(),
        ]);
    }
    table
}

fn cost(outcome: &Outcome) -> Table {
    let columns = [
        "system",
        "rotation",
        "bodies",
        "rounds",
        "step_ns_per_body",
        "ratio_to_quaternion",
        "ratio_lower_quartile",
        "ratio_upper_quartile",
    ];
    let mut table = Table::new("rotation_runs_cost", &columns);
    for own in &outcome.cost {
        let Some(reference) = outcome.cost.iter().find(|cost| cost.system == own.system) else { continue };
        let [lower, middle, upper] = quartiles_of_ratio(own, reference);
        table.push([
            own.system.into(),
            own.carried.key().into(),
            own.count.into(),
            own.rounds.len().into(),
            median(&own.rounds).into(),
            middle.into(),
            lower.into(),
            upper.into(),
        ]);
    }
    table
}
