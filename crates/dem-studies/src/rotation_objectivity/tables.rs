//! Tables of the study.

use dem_core::DMat3;
use dem_report::table::{Table, Value};

use super::results::{Outcome, Results};

/// All tables.
pub fn all(results: &Results) -> Vec<Table> {
    vec![side_by_side(results), errors(results)]
}

const COMPONENTS: [(&str, usize, usize); 9] = [
    ("11", 0, 0),
    ("12", 0, 1),
    ("13", 0, 2),
    ("21", 1, 0),
    ("22", 1, 1),
    ("23", 1, 2),
    ("31", 2, 0),
    ("32", 2, 1),
    ("33", 2, 2),
];

/// The tensors in the frame of the start, in kPa, positive in compression.
fn side_by_side(results: &Results) -> Table {
    const COLUMNS: [&str; 7] = [
        "before_kPa",
        "none_kPa",
        "projection_kPa",
        "scaled_projection_kPa",
        "projection_twirl_kPa",
        "averaged_spin_kPa",
        "exact_kPa",
    ];
    const KEYS: [&str; 3] = ["axis", "increments", "compression"];
    const NAMES: [&str; 6] = ["none", "projection", "scaled-projection", "projection-twirl", "averaged-spin", "exact"];
    let columns: Vec<&'static str> = KEYS.into_iter().chain(COLUMNS).collect();
    let mut table = Table::new("rotation_objectivity", &columns);
    for group in results.outcomes.chunk_by(|a, b| a.axis == b.axis && a.increments == b.increments) {
        let of = |name: &str| group.iter().find(|o| o.choice.transport == name).map(|o| o.stress);
        for (component, row, column) in COMPONENTS {
            let value = |stress: Option<DMat3>| Value::Number(stress.map_or(f64::NAN, |s| -1e-3 * s.col(column)[row]));
            let mut cells: Vec<Value> = vec![group[0].axis.name.into(), group[0].increments.into(), component.into()];
            cells.push(value(Some(results.before)));
            cells.extend(NAMES.map(|name| value(of(name))));
            table.push(cells);
        }
    }
    table
}

fn errors(results: &Results) -> Table {
    let columns = ["transport", "slip", "lever", "axis", "axis_x", "axis_y", "axis_z", "increments", "relative_error"];
    let mut table = Table::new("rotation_objectivity_errors", &columns);
    for Outcome { choice, axis, increments, error, .. } in &results.outcomes {
        let mut cells: Vec<Value> =
            vec![choice.transport.into(), choice.slip.into(), choice.lever.into(), axis.name.into()];
        cells.extend(axis.direction.to_array().map(Value::from));
        cells.extend([(*increments).into(), (*error).into()]);
        table.push(cells);
    }
    table
}
