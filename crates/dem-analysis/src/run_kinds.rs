//! Tables of what only some kinds of runs have: rigid bodies, the stress of a cell, pistons and what they press on, what flowed out, walls that were driven.

use dem_report::table::{Table, Value};
use serde_json::Value as Json;

use crate::run_record::RunRecord;

/// Quantities of a sample, and their units.
const SAMPLE: [(&str, &str); 8] = [
    ("mean_stress", "Pa"),
    ("deviator", "Pa"),
    ("q_over_p", "-"),
    ("volumetric_strain", "-"),
    ("axial_strain", "-"),
    ("height", "m"),
    ("porosity", "-"),
    ("void_ratio", "-"),
];
/// Tensors of a sample.
const TENSORS: [(&str, &str); 2] = [("stress", "Pa"), ("strain", "-")];

/// Titles and tables of what a run has.
pub fn tables(record: &RunRecord) -> Vec<(String, Table)> {
    let summary = &record.summary;
    let mut found = Vec::new();
    if let Some(bodies) = summary.get("bodies") {
        found.push(("Rigid bodies".to_owned(), of_bodies(bodies)));
    }
    if let Some(cell) = summary.get("cell") {
        let sense = cell.get("positive").and_then(Json::as_str).unwrap_or_default();
        found.push((format!("Cell, {sense}"), sample(cell)));
    }
    for piston in list(summary.get("pistons")) {
        found.push((format!("Piston {}, compression positive", name(piston)), of_piston(piston)));
    }
    if let Some(outflow) = summary.get("outflow") {
        let mut table = quantities(outflow, &[("particles", "-"), ("mass", "kg"), ("rate", "kg/s")]);
        for (row, end) in ["rate from", "rate to"].into_iter().zip(list(outflow.get("rate_between"))) {
            table.push([row.into(), number(end).into(), "s".into()]);
        }
        found.push(("Outflow".to_owned(), table));
    }
    let driven = list(summary.get("walls")).iter().filter_map(|wall| Some((name(wall), wall.get("driven")?)));
    found.extend(driven.map(|(name, driven)| (format!("Driven wall {name}"), of_driven(driven))));
    found
}

/// Whether a quantity of a bed says something of a run: cells and pistons have a porosity instead, and without gravity there is no bed.
pub fn has_meaning(record: &RunRecord, key: &str) -> bool {
    let summary = &record.summary;
    let is_pressed =
        list(summary.get("pistons")).iter().any(|piston| piston.get("sample").is_some_and(Json::is_object));
    match key {
        "packing_fraction" => summary.get("cell").is_none() && !is_pressed,
        "bed_height" => summary.get("weight").is_some_and(Json::is_number),
        _ => true,
    }
}

fn of_bodies(bodies: &Json) -> Table {
    let keys = ["count", "single_spheres", "neighbours", "rattlers", "contacts_of_no_rattler"].map(|key| (key, "-"));
    let mut table = quantities(bodies, &keys);
    let templates: Vec<&str> = list(bodies.get("templates")).iter().filter_map(Json::as_str).collect();
    table.push(["templates".into(), templates.join(", ").into(), "".into()]);
    table
}

fn of_piston(piston: &Json) -> Table {
    let mut table = quantities(piston, &[("force", "N"), ("pressure", "Pa"), ("way", "m")]);
    match (piston.get("sample"), piston.get("no_sample_because").and_then(Json::as_str)) {
        (Some(of), None) => sample(of).rows().iter().for_each(|row| table.push(row.clone())),
        (_, Some(why)) => table.push(["sample".into(), format!("not measured: {why}").into(), "".into()]),
        (None, None) => {}
    }
    table
}

fn of_driven(driven: &Json) -> Table {
    let mut table = empty();
    for (key, unit) in [("force", "N"), ("torque", "N m")] {
        for (axis, component) in ["x", "y", "z"].into_iter().zip(list(driven.get(key))) {
            table.push([format!("mean {key}, {axis}").into(), number(component).into(), unit.into()]);
        }
    }
    table.push(["mean power".into(), number(driven.get("power").unwrap_or(&Json::Null)).into(), "W".into()]);
    for (row, end) in ["mean from", "mean to"].into_iter().zip(list(driven.get("between"))) {
        table.push([row.into(), number(end).into(), "s".into()]);
    }
    table
}

/// Stress, strain and porosity.
fn sample(of: &Json) -> Table {
    let mut table = quantities(of, &SAMPLE);
    for (key, unit) in TENSORS {
        for (component, value) in of.get(key).and_then(Json::as_object).into_iter().flatten() {
            table.push([format!("{key} {component}").into(), number(value).into(), unit.into()]);
        }
    }
    table
}

fn empty() -> Table {
    Table::new("of_the_kind", &["quantity", "value", "unit"])
}

/// What is there of some quantities.
fn quantities(of: &Json, keys: &[(&str, &str)]) -> Table {
    let mut table = empty();
    for (key, unit) in keys {
        let Some(value) = of.get(*key).filter(|value| value.is_number()) else { continue };
        let value = value.as_u64().map_or_else(|| Value::Number(number(value)), Value::Count);
        table.push([key.replace('_', " ").into(), value, (*unit).into()]);
    }
    table
}

fn list(value: Option<&Json>) -> &[Json] {
    value.and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

fn name(of: &Json) -> &str {
    of.get("name").and_then(Json::as_str).unwrap_or_default()
}

fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
