//! Every integrator of the registry: orders of convergence, energy, and the rolling spheres of Campello (2015), examples 5.1 and 5.2.

use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_studies::integrator::{self, Options};

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "integrators",
    summary: "Order of convergence of every integrator in four motions, energy without damping, and the rolling spheres of Campello (2015), examples 5.1 and 5.2.",
    claims: &[ORDER, STICK_SLIP, ENERGY, ROLLING, COLLISION],
    run,
};

const ORDER: Claim = Claim {
    source: "theory of the schemes; errors against closed forms and a Runge-Kutta solution",
    tier: Tier::ClosedForm,
    weakness: "one sphere on a floor",
};

const STICK_SLIP: Claim = Claim {
    source: "errors against the closed forms of sliding and ringing; bounds about the orders that were found",
    tier: Tier::Own,
    weakness: "theory promises order two across a kink of the force to schemes of second order, mean of 16 starts, and no number to Gear's scheme, which is less accurate there",
};

const ENERGY: Claim = Claim {
    source: "conservation; energy from places and speeds, not from the ledger",
    tier: Tier::ClosedForm,
    weakness: "Gear's scheme and PECE, which change the energy step by step, are left out: the table shows by how much",
};

const ROLLING: Claim = Claim {
    source: "rigid sphere with Coulomb friction: t = (v0 - w0 r)/(3.5 mu g); E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, example 5.1",
    tier: Tier::ClosedForm,
    weakness: "means over the ringing of the undamped tangential spring",
};

const COLLISION: Claim = Claim {
    source: "event-by-event solution of example 5.2; final speed of an impulse without duration",
    tier: Tier::Independent,
    weakness: "a step of the source is 2.1 % of the collision; ground friction during it adds up to 2 % to the speed",
};

/// Order in a motion: lowest and highest.
fn expected_order(scheme: &str, column: &str) -> [f64; 2] {
    match scheme {
        _ if column == "order_stick_slip" && scheme.starts_with("gear") => [1.3, 1.7],
        "semi-implicit-euler" if column == "order_stick_slip" => [0.9, 1.2],
        _ if column == "order_stick_slip" => [1.9, 2.2],
        "semi-implicit-euler" => [0.9, 1.1],
        // five and, where errors of the fifth order cancel over a period, nearly six
        _ if scheme.starts_with("gear") => [5.0, 5.8],
        _ if column == "order_dashpot" && scheme.contains("corrected=false") => [0.9, 1.1],
        _ => [1.9, 2.1],
    }
}

/// Tolerance of a quantity of the examples: absolute in 5.1, a share of the expected value in 5.2.
const TOLERANCES: [(&str, &str, f64); 8] = [
    ("5.1", "rolls at", 2e-4),
    ("5.1", "speed", 4e-4),
    ("5.1", "spin", 5e-3),
    ("5.2", "collision", 0.021),
    ("5.2", "spin zero at", 0.01),
    ("5.2", "rolls at", 0.01),
    ("5.2", "returns at", 0.01),
    ("5.2", "final speed / first", 0.02),
];

fn rolling(table: &Table) -> Vec<Check> {
    let (found, expected) = (table.numbers("found"), table.numbers("expected"));
    let mut checks = Vec::new();
    for (k, row) in table.rows().iter().enumerate() {
        let [example, quantity, unit, scheme] = [0, 1, 2, 3].map(|column| row[column].readable());
        let Some((.., tolerance)) = TOLERANCES.iter().find(|(e, q, _)| *e == example && *q == quantity) else {
            continue;
        };
        let label = format!("{example}, {scheme}: {quantity} [{unit}]");
        checks.push(if example == "5.1" {
            ROLLING.close(label, expected[k], found[k], *tolerance)
        } else {
            COLLISION.relative(label, expected[k], found[k], *tolerance)
        });
    }
    checks
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let report = integrator::run(&Options { steps: effort.pick(20_000, 1_000_000), bench: None })?;
    let mut findings = Findings::default();
    let [summary, _, _, examples] = &report.tables[..] else {
        return Err(StudyError::Convergence { method: "integrators", detail: "four tables expected".to_owned() });
    };
    let schemes: Vec<String> = summary.rows().iter().map(|row| row[0].readable()).collect();
    for (column, motion) in [
        ("order_spring", "linear spring"),
        ("order_hertz", "Hertz contact"),
        ("order_dashpot", "spring and dashpot"),
        ("order_stick_slip", "stick and slip"),
    ] {
        let claim = if column == "order_stick_slip" { STICK_SLIP } else { ORDER };
        for (scheme, order) in schemes.iter().zip(summary.numbers(column)) {
            let [low, high] = expected_order(scheme, column);
            findings.checks.push(claim.between(format!("{scheme}, {motion}: order"), low, high, order));
        }
    }
    for (column, motion, tolerance) in
        [("energy_drift", "oscillation", 1e-3), ("gas_energy_drift", "gas of 64 spheres", 1e-2)]
    {
        for (scheme, drift) in schemes.iter().zip(summary.numbers(column)) {
            if !scheme.starts_with("gear") && !scheme.contains("pece") {
                let quantity = format!("{scheme}, {motion}: relative change of the energy");
                findings.checks.push(ENERGY.close(quantity, 0.0, drift, tolerance));
            }
        }
    }
    findings.checks.extend(rolling(examples));
    findings.notes.extend(report.findings.into_iter().filter(|finding| finding.starts_with("Example")));
    findings.tables = report.tables.into_iter().take(1).map(|table| table.without(COSTS)).collect();
    findings.figures = report.figures;
    Ok(findings)
}

/// Columns of timings, which validation does not take.
const COSTS: &[&str] = &["cost_ns", "cost_ratio_to_default"];
