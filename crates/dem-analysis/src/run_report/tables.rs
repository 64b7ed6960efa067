//! Tables that every run has.

use dem_report::table::{Table, Value};
use dem_sim::run::TimeByPhase;

use crate::methods::exact;
use crate::run_kinds;
use crate::run_record::RunRecord;

/// What the run came to.
pub(super) fn summary(record: &RunRecord) -> Table {
    let mut table = Table::new("summary", &["quantity", "value", "unit"]);
    let rows = [
        ("particles", "-"),
        ("contacts", "-"),
        ("wall_contacts", "-"),
        ("coordination", "-"),
        ("coordination_without_rattlers", "-"),
        ("packing_fraction", "-"),
        ("bed_height", "m"),
        ("max_overlap_ratio_final", "-"),
        ("max_overlap_ratio_peak", "-"),
        ("weight", "N"),
        ("wall_force_over_weight", "-"),
        ("steps", "-"),
        ("time", "s"),
        ("time_step", "s"),
        ("shortest_time_step", "s"),
        ("longest_time_step", "s"),
        ("wall_seconds", "s"),
        ("output_seconds", "s"),
        ("particle_steps_per_second", "1/s"),
        ("threads", "-"),
    ];
    for (key, unit) in rows {
        let value = record.number(&[key]);
        if value.is_nan() {
            // what has no meaning for this run is left out, what could not be measured says why
            let why = record.summary.get("not_measured").and_then(|reasons| reasons.get(key));
            let why = why.filter(|_| run_kinds::has_meaning(record, key));
            if let Some(why) = why.and_then(serde_json::Value::as_str) {
                table.push([key.replace('_', " ").into(), format!("not measured: {why}").into(), "".into()]);
            }
            continue;
        }
        // numbers of things have no decimals
        let is_whole = unit == "-" && value >= 0.0 && value.fract() == 0.0;
        let cell = if is_whole { Value::Count(value as u64) } else { Value::Number(value) };
        table.push([key.replace('_', " ").into(), cell, blank(unit).into()]);
    }
    for (key, name) in
        [("time_step_criterion", "criterion of the time step"), ("engine", "engine"), ("scene_fingerprint", "scene")]
    {
        table.push([name.into(), record.word(key).into(), "".into()]);
    }
    table
}

/// Where the wall time has gone; runs of earlier versions do not tell.
pub(super) fn times(record: &RunRecord) -> Option<TimeByPhase> {
    record.summary.get("time_by_phase").and_then(|times| serde_json::from_value(times.clone()).ok())
}

/// The phases that took any.
pub(super) fn time_by_phase(times: &TimeByPhase) -> Table {
    let mut table = Table::new("time_by_phase", &["phase", "time_s", "share_%", "per_particle_step_ns"]);
    for (name, time) in times.phases() {
        let each = time.ns_per_particle_step.unwrap_or(f64::NAN);
        table.push([name.into(), time.seconds.into(), (100.0 * time.share).into(), each.into()]);
    }
    table.without_zeros()
}

/// Energies that are not zero.
pub(super) fn energies(record: &RunRecord) -> Table {
    let mut table = Table::new("energies", &["energy", "amount_J", "share_of_dissipated_%"]);
    let dissipated = record.dissipated();
    let entries = record.summary.get("energies").and_then(serde_json::Value::as_object);
    for (name, value) in entries.into_iter().flatten() {
        let value = value.as_f64().unwrap_or(f64::NAN);
        table.push([name.replace('_', " ").into(), value.into(), (100.0 * value / dissipated).into()]);
    }
    table.push([
        "largest change of the balance".into(),
        record.imbalance().into(),
        (100.0 * record.imbalance() / dissipated).into(),
    ]);
    table.without_zeros()
}

/// Walls that bear anything.
pub(super) fn walls(record: &RunRecord) -> Table {
    let mut table = Table::new("walls", &["wall", "force_x_N", "force_y_N", "force_z_N", "work_J"]);
    for wall in record.summary.get("walls").and_then(serde_json::Value::as_array).into_iter().flatten() {
        let name = wall.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
        let force = |k: usize| {
            let component = wall.get("force").and_then(|force| force.get(k)).and_then(serde_json::Value::as_f64);
            Value::Number(component.unwrap_or(f64::NAN))
        };
        let work = wall.get("work").and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
        table.push([name.into(), force(0), force(1), force(2), work.into()]);
    }
    table.without_zeros()
}

/// Materials and what holds between them.
pub(super) fn parameters(record: &RunRecord) -> Table {
    let world = &record.simulation.world;
    let mut table = Table::new("parameters", &["of", "parameter", "value", "unit"]);
    for m in &world.materials {
        for (name, value, unit) in [
            ("density", m.density, "kg/m^3"),
            ("Young's modulus", m.young_modulus, "Pa"),
            ("Poisson's ratio", m.poisson_ratio, "-"),
        ] {
            table.push([m.name.as_str().into(), name.into(), exact(value).into(), blank(unit).into()]);
        }
    }
    for pair in record.simulation.contact.pairs() {
        let of = format!("{} - {}", world.materials[pair.first].name, world.materials[pair.second].name);
        table.push([of.as_str().into(), "law".into(), pair.law.into(), "".into()]);
        for (name, value) in &pair.parameters {
            table.push([of.as_str().into(), name.as_str().into(), value.to_string().into(), "".into()]);
        }
        let (a, b) = (pair.first as u16, pair.second as u16);
        for derived in world.kernels[world.laws.get(a, b) as usize].derived(a, b) {
            let value = Value::Number(derived.value).readable();
            table.push([of.as_str().into(), derived.name.into(), value.into(), blank(derived.unit).into()]);
        }
    }
    table
}

/// A unit as a table shows it: numbers without one have an empty cell.
fn blank(unit: &str) -> &str {
    if unit == "-" { "" } else { unit }
}
