//! Tables of a campaign. Stresses and strains are positive in compression, components as in [`super::plane`].

use dem_report::table::{Table, Value};

use super::analysis::{Results, Series, Split};
use super::plane::{COMPONENTS, Plane};

/// Unbalanced force above which a probe is flagged.
pub const UNBALANCED: f64 = 1e-4;

/// All tables.
pub fn all(results: &Results) -> Vec<Table> {
    let (circles, differences) = (circles(results), differences(results));
    let mut tables = vec![increments(results), stiffness(results), quality(results), failures(results)];
    if results.description.plane == Plane::General {
        // the question of such a campaign is the stiffness
        tables.swap(0, 1);
    } else {
        tables.splice(0..0, [circles, differences]);
    }
    tables
}

/// What tells series apart.
const KEYS: [&str; 4] = ["law", "steps", "relax", "strain_length"];

fn keys(results: &Results, series: &Series) -> Vec<Value> {
    let procedure = series.procedure;
    vec![
        results.label(series).into(),
        u64::from(procedure.steps).into(),
        u64::from(procedure.relax).into(),
        procedure.magnitude.into(),
    ]
}

fn table(name: &'static str, further: &[&'static str]) -> Table {
    Table::new(name, &[&KEYS, further].concat())
}

fn circles(results: &Results) -> Table {
    let mut table = table(
        "probe",
        &[
            "irreversible_by",
            "side",
            "points",
            "plastic_modulus_MPa",
            "plastic_modulus_low_MPa",
            "plastic_modulus_high_MPa",
            "yield_direction_deg",
            "flow_direction_deg",
            "flow_spread_deg",
            "misfit_over_diameter",
            "origin_over_diameter",
            "remark",
        ],
    );
    for found in &results.circles {
        let mut cells = keys(results, &results.series[found.series]);
        let c = &found.circle;
        cells.extend([found.split.name().into(), found.side.name().into(), c.points.into()]);
        cells.extend([c.plastic_modulus(), found.interval[0], found.interval[1]].map(|h| Value::Number(1e-6 * h)));
        cells.extend([c.yield_direction(), c.flow, c.flow_spread].map(|angle| Value::Number(angle.to_degrees())));
        cells.extend([c.misfit.into(), c.origin.into()]);
        cells.push(results.remark(&results.series[found.series]).into());
        table.push(cells);
    }
    table
}

fn differences(results: &Results) -> Table {
    let mut table = table(
        "probe_differences",
        &[
            "irreversible_by",
            "against",
            "relative_difference",
            "relative_difference_low",
            "relative_difference_high",
            "remark",
        ],
    );
    for difference in &results.differences {
        let mut cells = keys(results, &results.series[difference.series]);
        cells.extend([difference.split.name().into(), results.description.laws[0].0.as_str().into()]);
        cells.extend([difference.relative, difference.interval[0], difference.interval[1]].map(Value::from));
        cells.push(results.remark(&results.series[difference.series]).into());
        table.push(cells);
    }
    table
}

/// Six numbers, of which a plane has two.
fn coordinates(values: Option<&Vec<f64>>, factor: f64) -> impl Iterator<Item = Value> {
    let numbers: Vec<f64> = values.cloned().unwrap_or_default();
    (0..6).map(move |k| Value::Number(numbers.get(k).map_or(f64::NAN, |x| factor * x)))
}

fn increments(results: &Results) -> Table {
    let mut table = table(
        "probe_increments",
        &[
            "direction",
            "strain_1",
            "strain_2",
            "strain_3",
            "strain_4",
            "strain_5",
            "strain_6",
            "stress_1_Pa",
            "stress_2_Pa",
            "stress_3_Pa",
            "stress_4_Pa",
            "stress_5_Pa",
            "stress_6_Pa",
            "unload_irreversible_1",
            "unload_irreversible_2",
            "unload_irreversible_3",
            "unload_irreversible_4",
            "unload_irreversible_5",
            "unload_irreversible_6",
            "elastic_irreversible_1",
            "elastic_irreversible_2",
            "elastic_irreversible_3",
            "elastic_irreversible_4",
            "elastic_irreversible_5",
            "elastic_irreversible_6",
            "stress_out_of_plane",
        ],
    );
    for series in &results.series {
        for increment in &series.increments {
            let mut cells = keys(results, series);
            cells.push(increment.direction.into());
            cells.extend(coordinates(Some(&increment.strain), 1.0));
            cells.extend(coordinates(Some(&increment.stress), 1.0));
            for split in [Split::Unload, Split::Elastic] {
                cells.extend(coordinates(increment.irreversible[split as usize].as_ref(), 1.0));
            }
            cells.push(increment.out_of_plane.into());
            table.push(cells);
        }
    }
    table
}

/// Names of the coordinates.
fn names(plane: Plane) -> Vec<&'static str> {
    match plane {
        Plane::Rendulic => vec!["volumetric", "deviatoric"],
        Plane::Deviatoric => vec!["axial", "lateral"],
        Plane::General => COMPONENTS.to_vec(),
    }
}

fn stiffness(results: &Results) -> Table {
    let columns = ["stress", "per_1_MPa", "per_2_MPa", "per_3_MPa", "per_4_MPa", "per_5_MPa", "per_6_MPa"];
    let mut table =
        table("probe_stiffness", &[columns.as_slice(), &["condition_of_strains", "residual", "remark"]].concat());
    for series in &results.series {
        let Some(fit) = &series.stiffness else { continue };
        for (name, row) in names(results.description.plane).into_iter().zip(&fit.matrix) {
            let mut cells = keys(results, series);
            cells.push(name.into());
            cells.extend(coordinates(Some(row), 1e-6));
            cells.extend([fit.condition.into(), fit.residual.into(), results.remark(series).into()]);
            table.push(cells);
        }
    }
    table
}

fn quality(results: &Results) -> Table {
    let mut table = table(
        "probe_quality",
        &[
            "probes",
            "failed",
            "null_stress_over_smallest",
            "largest_unbalanced_force",
            "flagged",
            "largest_unload_error",
            "largest_out_of_plane",
            "sliding_share",
            "mobilised_share",
            "steps_per_probe",
            "law_evaluations_per_probe",
            "histories_dropped",
            "remark",
        ],
    );
    for series in &results.series {
        let responses = &series.responses;
        let count = responses.len() as f64;
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NAN, f64::max);
        let mean = |term: &dyn Fn(usize) -> f64| (0..responses.len()).map(term).sum::<f64>() / count;
        let mut cells = keys(results, series);
        cells.extend([responses.len().into(), series.failures.len().into(), series.null_stress.into()]);
        cells.extend([
            most(&mut responses.iter().map(|r| r.unbalanced_force)).into(),
            responses.iter().filter(|r| r.unbalanced_force >= UNBALANCED).count().into(),
            most(&mut responses.iter().filter_map(|r| r.unload_error)).into(),
            most(&mut series.increments.iter().map(|i| i.out_of_plane)).into(),
            mean(&|k| responses[k].sliding_share).into(),
            mean(&|k| responses[k].mobilised_share).into(),
            mean(&|k| responses[k].steps as f64).into(),
            mean(&|k| responses[k].steps as f64 * responses[k].contacts as f64).into(),
            results.description.dropped(series.law).into(),
            results.remark(series).into(),
        ]);
        table.push(cells);
    }
    table
}

fn failures(results: &Results) -> Table {
    let mut table = Table::new("probe_failures", &["probe", "message"]);
    for failure in results.series.iter().flat_map(|series| &series.failures) {
        let (probe, message) = failure.split_once(": ").unwrap_or((failure, ""));
        table.push([probe.into(), message.into()]);
    }
    table
}
