//! Tables of the study.

use dem_report::table::Table;

use super::course::Pair;
use super::results::Results;

/// All tables, the summary first.
pub fn all(results: &Results) -> Vec<Table> {
    vec![runs("slice", &results.pairs), runs("slice_integrators", &with_first(results)), energy(results)]
}

/// The first seed under every scheme.
pub fn with_first(results: &Results) -> Vec<Pair> {
    results.pairs.iter().take(1).chain(&results.others).cloned().collect()
}

fn runs(name: &'static str, pairs: &[Pair]) -> Table {
    let mut table = Table::new(
        name,
        &[
            "scheme",
            "seed",
            "rotation",
            "psi6",
            "psi6_by_sides",
            "inside",
            "rest_s",
            "quiet_s",
            "rotational_peak_share",
            "rotational_largest_ratio",
            "steps",
            "step_us",
            "run_s",
        ],
    );
    for pair in pairs {
        for (name, course) in pair.both() {
            table.push([
                pair.scheme.to_string().into(),
                pair.seed.into(),
                name.into(),
                course.order.equal.into(),
                course.order.by_sides.into(),
                course.order.inside.into(),
                course.rest.into(),
                course.quiet().into(),
                course.rotation_peak_share().into(),
                course.rotation_largest_ratio().into(),
                course.steps.into(),
                course.step_cost().into(),
                course.elapsed.into(),
            ]);
        }
    }
    table
}

fn energy(results: &Results) -> Table {
    let mut table = Table::new("slice_energy", &["scheme", "rotation", "time_s", "translation_j", "rotation_j"]);
    for pair in with_first(results) {
        for (name, course) in pair.both() {
            for look in &course.looks {
                table.push([
                    pair.scheme.to_string().into(),
                    name.into(),
                    look.time.into(),
                    look.translation.into(),
                    look.rotation.into(),
                ]);
            }
        }
    }
    table
}
