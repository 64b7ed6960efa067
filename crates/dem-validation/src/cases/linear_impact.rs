//! The linear law with six stiffnesses at 10°: Table 2 of Di Renzo and Di Maio (2004).
//!
//! Duration, overlap and normal force are reproduced to the printed digits. Tangential displacement and force are not, and no stiffness
//! ratio, inertia or angle near the stated ones gives both: the table beside the checks shows what the spring and slider of the text give,
//! and what it gives where the elongation is not cut off in sliding. Only their growth with the root of the stiffness is as printed.

use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_studies::impact::{Collision, Options};
use dem_studies::named_choice::NamedChoice;

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "linear-impact",
    summary: "Duration and largest displacements and forces of the linear law with six stiffnesses at 10 degrees.",
    claims: &[PRINTED, TANGENTIAL, SCALING, SIMILARITY],
    run,
};

const PRINTED: Claim = Claim {
    source: "Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Table 2",
    tier: Tier::Printed,
    weakness: "columns of the normal motion only",
};

const TANGENTIAL: Claim = Claim {
    source: "independent integration of their equation 36 with the slider in series",
    tier: Tier::Independent,
    weakness: "the printed 2.00e-4 m and 0.13 N are not reproducible",
};

const SCALING: Claim = Claim {
    source: "Di Renzo & Di Maio (2004), Table 2: the last two columns in proportion to those of K_n = 1e5 N/m",
    tier: Tier::Printed,
    weakness: "their growth with the stiffness only, within the printed digits: the values themselves are not reproducible",
};

const SIMILARITY: Claim = Claim {
    source: "similarity: displacements go with K_n^(-1/2), forces with K_n^(1/2), if the lever does not depend on the overlap",
    tier: Tier::ClosedForm,
    weakness: "one angle",
};

/// Stiffness in proportion to which the last two columns are compared: the smallest with three printed digits of both.
const SCALE: f64 = 1e5;

/// Largest relative error of a ratio of two printed numbers with so many digits after the first.
fn rounding(printed: [f64; 2], digits: [i32; 2]) -> f64 {
    let of = |value: f64, digits: i32| 0.5 * 10.0_f64.powi(value.log10().floor() as i32 - digits + 1) / value;
    of(printed[0], digits[0]) + of(printed[1], digits[1])
}

/// Stiffness, then as printed: duration, overlap, normal force, tangential displacement and force (none legible in the last row).
const TABLE: [([f64; 4], [f64; 2]); 6] = [
    ([1e3, 1.61e-3, 1.97e-3, 1.97], [2.00e-4, 0.13]),
    ([1e4, 5.08e-4, 6.21e-4, 6.21], [6.32e-5, 0.42]),
    ([5e4, 2.27e-4, 2.78e-4, 13.9], [2.83e-5, 0.94]),
    ([1e5, 1.61e-4, 1.97e-4, 19.7], [2.00e-5, 1.32]),
    ([1e6, 5.08e-5, 6.21e-5, 62.1], [6.32e-6, 4.18]),
    ([1.72e7, 1.23e-5, 1.50e-5, 258.0], [1.52e-6, 17.4]),
];

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let mut findings = Findings::default();
    let mut columns: Vec<[f64; 3]> = Vec::new();
    let mut table = Table::new(
        "table_2_tangential_columns",
        &["K_n_N_m", "printed_delta_t_m", "elongation_m", "slip_m", "printed_f_t_N", "f_t_N"],
    );
    for ([stiffness, duration, overlap, force], [printed_slip, printed_force]) in TABLE {
        let law = NamedChoice::law(&format!("linear:normal_stiffness={stiffness}"))?;
        // a soft spring lets the sphere sink in by more than half its radius
        let options = Options { laws: vec![law], angles: vec![10.0], ..Options::default() };
        let case = options.cases()?.remove(0);
        let collision = Collision::run(&case.bodies, case.approach, effort.pick(2000.0, 10_000.0))?;
        let label = |what: &str| format!("{what}, K_n = {stiffness:.3e} N/m");
        let largest = |of: fn(&dem_studies::impact::Moment) -> f64| collision.largest(of);
        let normal_force = largest(|m| m.normal_force);
        let tangential_force = largest(|m| m.tangential_force.abs());
        let (elongation, slip) = (largest(|m| m.elastic_slip.abs()), largest(|m| m.displacement.abs()));
        findings.checks.extend([
            PRINTED.printed(label("duration [s]"), duration, collision.contact_time, 3),
            PRINTED.printed(label("largest overlap [m]"), overlap, largest(|m| m.overlap), 3),
            PRINTED.printed(label("largest normal force [N]"), force, normal_force, 3),
        ]);
        if stiffness == 1e3 {
            findings.checks.extend([
                TANGENTIAL.printed(label("largest elongation [m]"), 1.75e-4, elongation, 3),
                TANGENTIAL.printed(label("largest slip [m]"), 2.49e-4, slip, 3),
                TANGENTIAL.printed(label("largest tangential force [N]"), 0.1505, tangential_force, 3),
            ]);
        }
        columns.push([stiffness, elongation, tangential_force]);
        table.push([
            stiffness.into(),
            printed_slip.into(),
            elongation.into(),
            slip.into(),
            printed_force.into(),
            tangential_force.into(),
        ]);
    }
    findings.checks.extend(scaling(&columns));
    findings.notes.push(
        "The last two columns of the printed table do not follow from the stated model: neither the elongation of the spring nor the slip of the \
         contact point, with the slider in series or without, gives the printed displacement, nor the printed force."
            .to_owned(),
    );
    findings.tables.push(table);
    Ok(findings)
}

/// Growth of elongation and tangential force with the stiffness, of the rows `[K_n, elongation, force]`.
fn scaling(rows: &[[f64; 3]]) -> Vec<Check> {
    let Some(at) = rows.iter().position(|row| row[0] == SCALE) else { return Vec::new() };
    let mut checks = Vec::new();
    for (row, (known, printed)) in rows.iter().zip(TABLE) {
        let ratio = known[0] / SCALE;
        if ratio == 1.0 {
            continue;
        }
        for (k, (name, power)) in [("displacement", -0.5), ("force", 0.5)].into_iter().enumerate() {
            let found = row[k + 1] / rows[at][k + 1];
            let label = format!("tangential {name}, K_n = {:.3e} N/m over that of {SCALE:.0e} N/m", known[0]);
            let base = TABLE[at].1[k];
            // 0.13, 0.42 and 0.94 N have two digits
            let digits = if printed[k] < 1.0 && k == 1 { 2 } else { 3 };
            let share = rounding([printed[k], base], [digits, 3]);
            checks.push(SCALING.relative(format!("{label}, printed"), printed[k] / base, found, share));
            checks.push(SIMILARITY.relative(label, ratio.powf(power), found, 1e-3));
        }
    }
    checks
}
