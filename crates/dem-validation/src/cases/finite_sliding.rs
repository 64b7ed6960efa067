//! Two spheres that slide over each other on lines, circles and under forces: the numbers and figures of Balevičius and Mróz (2013).

use dem_studies::error::StudyError;
use dem_studies::sliding::{self, Comparison, Options};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "finite-sliding",
    summary: "Critical velocity, restitution and contact time of spheres that slide over each other, reversals, force control, and the approximations of Balevičius and Mróz (2013); their figures 1, 3 to 11 and 13 to 15.",
    claims: &[CLOSED, QUADRATURE, EVENTS, PUBLISHED, READINGS, FIVE_POINTS, EQUATION_47],
    run,
};

const CLOSED: Claim = Claim {
    source: "closed forms of Balevičius & Mróz, Acta Mech. (2013), equations 19 to 21 and 33, against adaptive quadrature",
    tier: Tier::ClosedForm,
    weakness: "neither is the engine",
};

const QUADRATURE: Claim = Claim {
    source: "adaptive quadrature of the integrals of Balevičius & Mróz (2013)",
    tier: Tier::Independent,
    weakness: "rolling is held back; mass, overlap and Poisson's ratio are not in the source",
};

const EVENTS: Claim = Claim {
    source: "event-by-event integration of equations 2 and 3 of Balevičius & Mróz (2013), amplitude and length as a contact can know them",
    tier: Tier::Independent,
    weakness: "the straight path, three reversals",
};

const PUBLISHED: Claim = Claim {
    source: "event-by-event integration of equations 2 and 3 of Balevičius & Mróz (2013) as they stand: along the path, with the load ahead",
    tier: Tier::Independent,
    weakness: "a friction of the study on a guided sphere, not a law; the straight path, three reversals",
};

const READINGS: Claim = Claim {
    source: "independent evaluation of both readings: rest at -0.354 m as published and at -0.311 m as a contact can know it",
    tier: Tier::Independent,
    weakness: "three digits; the source shows the motion in figures only",
};

const FIVE_POINTS: Claim = Claim {
    source: "rule of five points (equations 25, 30 to 35) against adaptive quadrature",
    tier: Tier::Own,
    weakness: "how good the approximation is, not the engine; the source says a few per cent near the critical velocity",
};

const EQUATION_47: Claim = Claim {
    source: "independent evaluation: 3.4 % at 1.5 T_mu, where the source says 1 to 2 %",
    tier: Tier::Independent,
    weakness: "how good the approximation is, not the engine",
};

fn claim_of(row: &Comparison) -> Claim {
    match row.method {
        "engine" if row.quantity.contains("published reading") => PUBLISHED,
        "engine" if row.quantity.contains("reversal") || row.quantity.contains("place of rest") => EVENTS,
        "engine" => QUADRATURE,
        _ => CLOSED,
    }
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let options = Options { steps: effort.pick(3000, 10_000), ..Options::default() };
    let (rows, report) = sliding::compared(&options)?;
    let mut findings = Findings::default();
    for row in &rows {
        let quantity = format!("{}, {}", row.quantity, row.method);
        findings.checks.push(claim_of(row).close(quantity, row.reference, row.result, row.tolerance));
    }
    for (reading, expected) in [("incremental, published reading", -0.354), ("incremental", -0.311)] {
        let ending = format!(" {reading}: place of rest [m]");
        let found = rows.iter().find(|row| row.quantity.ends_with(&ending)).map_or(f64::NAN, |row| row.result);
        findings.checks.push(READINGS.printed(format!("place of rest, {reading} [m]"), expected, found, 3));
    }
    let [_, displacement, force] = &report.tables[..] else {
        return Err(StudyError::Convergence { method: "finite sliding", detail: "three tables expected".to_owned() });
    };
    let largest = |of: &dyn Fn(usize) -> f64, from: f64| {
        let factors = displacement.numbers("v0_over_v_crit");
        (0..factors.len()).filter(|&k| factors[k] > from).map(of).fold(0.0, f64::max)
    };
    let column = |name: &str| displacement.numbers(name);
    let (loss, rule) = (column("v_loss_m_s"), column("v_loss_lobatto_m_s"));
    let (time, rule_time) = (column("contact_time_s"), column("contact_time_lobatto_s"));
    findings.checks.extend([
        FIVE_POINTS.close(
            "velocity of the loss on every path, largest relative error",
            0.0,
            largest(&|k| (rule[k] / loss[k] - 1.0).abs(), 0.0),
            2e-3,
        ),
        FIVE_POINTS.close(
            "contact time from 1.05 v_crit on, largest relative error",
            0.0,
            largest(&|k| (rule_time[k] / time[k] - 1.0).abs(), 1.04),
            1e-2,
        ),
    ]);
    let drives = force.numbers("drive_over_limit");
    let (exact, closed) = (force.numbers("contact_time_s"), force.numbers("contact_time_eq_47_s"));
    for (over, expected) in [(1.01, 0.020), (1.5, 0.034)] {
        let at = drives.iter().position(|&drive| (drive - over).abs() < 1e-9);
        let off = at.map_or(f64::NAN, |k| closed[k] / exact[k] - 1.0);
        let quantity = format!("equation 47, relative error of the contact time at {over} T_mu");
        findings.checks.push(EQUATION_47.close(quantity, expected, off, 5e-4));
    }
    findings.tables = report.tables.into_iter().skip(1).collect();
    findings.figures = report.figures;
    findings.notes = report.findings.into_iter().skip(1).collect();
    Ok(findings)
}
