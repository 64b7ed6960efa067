//! Everything about a run on one page.

use dem_report::drawing::{line, linear};
use dem_report::page::Page;
use dem_report::report::Figure;
use dem_report::table::{Table, Value};
use dem_sim::run::{TimeByPhase, series_figures};
use dem_sim::simulation::StopReason;
use dem_view::{AxisScale, LinePlot, Series as Curve, SeriesStyle};
use serde_json::Value as Json;

use crate::error::AnalysisError;
use crate::interactive::page_within;
use crate::methods::{Methods, exact};
use crate::run_kinds;
use crate::run_record::RunRecord;

/// Overlap above which contacts are no longer small, in proportion to the radius: Hertz's theory and the geometry of two touching spheres.
const LARGE_OVERLAP: f64 = 0.05;
/// Change of the energy balance that is worth a warning, in proportion to the energy dissipated.
const LARGE_IMBALANCE: f64 = 0.01;
/// Figures of `dem profile` in the run directory that go onto the page.
const PROFILES: [&str; 4] = ["profile", "near_wall", "radial_distribution", "contact_numbers"];

/// The page of a run.
///
/// # Errors
/// Files of the directory that cannot be read, figures that cannot be drawn.
pub fn html(record: &RunRecord) -> Result<String, AnalysisError> {
    let mut page = Page::new(&record.title());
    let warnings = warnings(record);
    let (time, reason) = (Value::Number(record.number(&["time"])).readable(), record.word("stop_reason"));
    page.paragraph(&format!("{}: {reason} at t = {time} s.", record.directory.display()));
    for warning in &warnings {
        page.verdict(false, &format!("Warning: {warning}."));
    }
    if warnings.is_empty() {
        page.verdict(true, "No warnings.");
    }
    match dem_io::regular_file::read(&record.directory.join("picture.png")) {
        Ok(png) => page.picture(&png, "final state"),
        Err(_) => page.paragraph("There is no picture."),
    }
    // a run without snapshots, or whose snapshots are damaged, has a report all the same
    if let Ok(Some(picture)) = page_within(&record.directory.join("snapshots.vtkhdf")) {
        page.section("Interactive picture");
        page.embedded(&picture, "interactive picture");
    }
    page.section("Result");
    page.table(&summary(record), 0);
    for (title, table) in run_kinds::tables(record) {
        page.section(&title);
        page.table(&table, 0);
    }
    if let Some(times) = times(record) {
        page.section("Time by phase");
        page.table(&time_by_phase(&times), 0);
        times.notes().iter().for_each(|note| page.paragraph(note));
    }
    page.section("Energies");
    page.table(&energies(record), 0);
    page.section("Walls");
    page.table(&walls(record), 0);
    page.section("Contact parameters");
    page.table(&parameters(record), 0);
    page.section("Over time");
    for (name, panels) in series_figures(&record.directory)? {
        page.figure(&Figure { name, panels })?;
    }
    let contacts = contact_panels(record);
    if !contacts.is_empty() {
        page.figure(&Figure { name: "contacts", panels: contacts })?;
    }
    profiles(record, &mut page)?;
    page.section("Methods");
    let methods = Methods::of(record);
    page.paragraph(&methods.paragraph);
    let references = methods.references.iter().enumerate().map(|(k, reference)| format!("[{}] {reference}", k + 1));
    page.list(&references.collect::<Vec<_>>());
    page.section("Scene");
    page.folded("scene.resolved.toml", &record.loaded.document.resolved().to_string());
    Ok(page.finish())
}

/// What a reader should know before trusting the numbers.
fn warnings(record: &RunRecord) -> Vec<String> {
    let mut found = Vec::new();
    let reason = record.word("stop_reason");
    if reason == StopReason::NotAtRest.describe() {
        found.push(format!("the result does not meet the request: {reason}"));
    } else if !StopReason::ALL.iter().any(|own| own.describe() == reason) {
        found.push(format!("the run has not come to its own end ({reason})"));
    }
    let sources = record.summary.get("pouring").and_then(Json::as_array).into_iter().flatten();
    for source in sources.filter(|source| source.get("lacks_room").and_then(Json::as_bool) == Some(true)) {
        let name = source.get("source").and_then(Json::as_str).unwrap_or_default();
        found.push(format!("source \"{name}\" found no room for all that it was to pour"));
    }
    let peak = record.number(&["max_overlap_ratio_peak"]);
    if peak > LARGE_OVERLAP {
        let limit = 100.0 * LARGE_OVERLAP;
        found.push(format!(
            "an overlap reached {:.1} % of the radius, contact laws suppose less than {limit} %",
            100.0 * peak
        ));
    }
    let (imbalance, dissipated) = (record.imbalance(), record.dissipated());
    if imbalance > LARGE_IMBALANCE * dissipated.abs() && dissipated != 0.0 {
        let share = 100.0 * imbalance / dissipated.abs();
        found.push(format!("the energy balance changed by {imbalance:.3e} J, {share:.2} % of the energy dissipated: try a shorter time step"));
    }
    let carried = record.number(&["wall_force_over_weight"]);
    if (carried - 1.0).abs() > 0.01 {
        found.push(format!("the walls carry {:.2} % of the weight in the final rest", 100.0 * carried));
    }
    let removed = record.number(&["removed"]);
    if removed > 0.0 {
        found.push(format!("{removed} particles left the domain"));
    }
    if record.series.is_torn() {
        found.push("the last line of series.csv is incomplete".to_owned());
    }
    found
}

fn summary(record: &RunRecord) -> Table {
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
        table.push([key.replace('_', " ").into(), cell, unit.into()]);
    }
    for (key, name) in
        [("time_step_criterion", "criterion of the time step"), ("engine", "engine"), ("scene_fingerprint", "scene")]
    {
        table.push([name.into(), record.word(key).into(), "".into()]);
    }
    table
}

/// Where the wall time has gone; runs of earlier versions do not tell.
fn times(record: &RunRecord) -> Option<TimeByPhase> {
    record.summary.get("time_by_phase").and_then(|times| serde_json::from_value(times.clone()).ok())
}

fn time_by_phase(times: &TimeByPhase) -> Table {
    let mut table = Table::new("time_by_phase", &["phase", "s", "share_%", "ns_per_particle_step"]);
    for (name, time) in times.phases() {
        let each = time.ns_per_particle_step.unwrap_or(f64::NAN);
        table.push([name.into(), time.seconds.into(), (100.0 * time.share).into(), each.into()]);
    }
    table
}

fn energies(record: &RunRecord) -> Table {
    let mut table = Table::new("energies", &["energy", "J", "share_of_dissipated_%"]);
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
    table
}

fn walls(record: &RunRecord) -> Table {
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
    table
}

/// Materials and what holds between them.
fn parameters(record: &RunRecord) -> Table {
    let world = &record.simulation.world;
    let mut table = Table::new("parameters", &["of", "parameter", "value", "unit"]);
    for m in &world.materials {
        for (name, value, unit) in [
            ("density", m.density, "kg/m^3"),
            ("Young's modulus", m.young_modulus, "Pa"),
            ("Poisson's ratio", m.poisson_ratio, "-"),
        ] {
            table.push([m.name.as_str().into(), name.into(), exact(value).into(), unit.into()]);
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
            table.push([of.as_str().into(), derived.name.into(), value.into(), derived.unit.into()]);
        }
    }
    table
}

/// Friction and balance of the contacts over time.
fn contact_panels(record: &RunRecord) -> Vec<LinePlot> {
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

/// What `dem profile` has left in the directory.
fn profiles(record: &RunRecord, page: &mut Page) -> Result<(), AnalysisError> {
    let folder = record.directory.join("profile");
    for name in PROFILES {
        let path = folder.join(format!("{name}.png"));
        if path.is_file() {
            page.heading(name);
            page.picture(&dem_io::regular_file::read(&path).map_err(dem_io::Error::system("read", &path))?, name);
        }
    }
    Ok(())
}
