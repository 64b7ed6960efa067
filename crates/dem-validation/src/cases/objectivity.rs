//! A loaded assembly turned as a rigid body: figure 6 of Kuhn, Suzuki and Daouadji.

use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_studies::rotation_objectivity::{self, Options};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "objectivity",
    summary: "Stress of a sheared assembly that is turned by 90 degrees and back, with every way to carry tangential forces with their contact (Kuhn, Suzuki & Daouadji, figure 6).",
    claims: &[PRINTED, EXACT, ORDERS, NOT_RECOVERED],
    run,
};

const PRINTED: Claim = Claim {
    source: "Kuhn, Suzuki & Daouadji, figure 6: with projection and twirl in 1,000 increments the tensor is recovered in all printed digits, 0.05 kPa of 189 kPa",
    tier: Tier::Printed,
    weakness: "another assembly: spheres, fewer of them, lower deviator; the turn about x, along which it was loaded",
};

const EXACT: Claim = Claim {
    source: "a rigid rotation turns the stress with it",
    tier: Tier::ClosedForm,
    weakness: "bodies and cell have one spin",
};

const ORDERS: Claim = Claim {
    source: "error of one increment: third order with the averaged spin, second with projection and twirl, summed over the turn",
    tier: Tier::ClosedForm,
    weakness: "the exponent only",
};

const NOT_RECOVERED: Claim = Claim {
    source: "Kuhn, Suzuki & Daouadji, figure 6: with projection alone the tensor is off by 8 % of its norm, however small the increments",
    tier: Tier::Printed,
    weakness: "another assembly: between half and one and a half of the printed distance",
};

/// What rounding leaves after 1,000 turns of every vector, with an order of magnitude to spare.
const ROUNDING: f64 = 2e-9;
/// Printed digits over the norm of the printed tensor.
const DIGITS: f64 = 0.05 / 188.6;
/// Norm of the difference of the printed tensors (a) and (c) over that of (a).
const PROJECTION: f64 = 0.080;

/// Largest error over the axes of a way to carry forces, of finite slip and half levers, in so many increments.
fn worst(errors: &Table, transport: &str, increments: u64, axis: Option<&str>) -> f64 {
    let values = errors.numbers("relative_error");
    let first = |column: usize| errors.rows().first().map(|row| row[column].clone());
    let (slip, lever) = (first(1), first(2));
    let of_default =
        |row: &[dem_report::table::Value]| Some(&row[1]) == slip.as_ref() && Some(&row[2]) == lever.as_ref();
    let rows = errors.rows().iter().zip(values).filter(|(row, _)| {
        of_default(row)
            && row[0] == transport.into()
            && row[7] == increments.into()
            && axis.is_none_or(|axis| row[3] == axis.into())
    });
    rows.map(|(_, error)| error).fold(f64::NAN, f64::max)
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let (few, many) = (10, 1000);
    let options = Options { particles: effort.pick(120, 400), increments: vec![few, many], ..Options::default() };
    let report = rotation_objectivity::run(&options)?;
    let [_, errors] = &report.tables[..] else {
        return Err(StudyError::Convergence { method: "objectivity", detail: "two tables expected".to_owned() });
    };
    let error = |transport: &str, increments: u64| worst(errors, transport, increments, None);
    let order =
        |transport: &str| (error(transport, few) / error(transport, many)).log10() / (many as f64 / few as f64).log10();
    let along = |transport: &str| worst(errors, transport, many, Some("x"));
    let mut findings = Findings::default();
    for increments in [few, many] {
        let quantity = format!("exact, {increments} increments: change of the stress over its norm");
        findings.checks.push(EXACT.close(quantity, 0.0, error("exact", increments), ROUNDING));
    }
    findings.checks.extend([
        PRINTED.close(
            "projection and twirl, 1,000 increments: change of the stress over its norm",
            0.0,
            along("projection-twirl"),
            DIGITS,
        ),
        PRINTED.close(
            "averaged spin, 1,000 increments: change of the stress over its norm",
            0.0,
            along("averaged-spin"),
            DIGITS,
        ),
        ORDERS.close("averaged spin: order in the increment", 2.0, order("averaged-spin"), 0.1),
        ORDERS.close("projection and twirl: order in the increment", 1.0, order("projection-twirl"), 0.1),
        NOT_RECOVERED.between(
            "projection, 1,000 increments: change of the stress over its norm",
            0.5 * PROJECTION,
            1.5 * PROJECTION,
            along("projection"),
        ),
        NOT_RECOVERED.close("projection: order in the increment", 0.0, order("projection"), 0.1),
    ]);
    findings.notes = report.findings;
    findings.tables = report.tables;
    findings.figures = report.figures;
    Ok(findings)
}
