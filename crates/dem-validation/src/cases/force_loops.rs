//! Force loops along prescribed paths of load and slip: figures 3 to 5 of Di Renzo and Di Maio (2004), figure 4 of Kuhn and others.

use dem_report::ReportError;
use dem_studies::error::StudyError;
use dem_studies::named_choice::NamedChoice;
use dem_studies::path::{Options, run as follow};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "force-loops",
    summary: "Tangential force along prescribed paths of load and slip beside a foundation of 2000 springs, and the turn of a sliding force.",
    claims: &[SPRINGS, TRACTRIX],
    run,
};

const SPRINGS: Claim = Claim {
    source: "foundation of 2000 springs (Popov & Hess 2015), each in closed form",
    tier: Tier::Independent,
    weakness: "paths of a few legs",
};

const TRACTRIX: Claim = Claim {
    source: "tan(theta/2) = exp(-k s/(mu N)); Kuhn, Suzuki & Daouadji, equation 18 in half angles",
    tier: Tier::ClosedForm,
    weakness: "constant load, from a right angle",
};

/// The figure of the turn of a sliding force.
const TURN: &str = "path_turn";

/// Largest distance from the springs over μN, by path: of the laws that solve the contact, where they do.
const EXACT: [(&str, &str, f64); 8] = [
    ("constant-load", "mindlin-deresiewicz", 1e-4),
    ("nested-loops", "mindlin-deresiewicz", 1e-4),
    ("rising-load", "mindlin-deresiewicz", 1e-3),
    ("falling-load", "mindlin-deresiewicz", 1e-3),
    ("constant-load", "mdr:springs=200", 2e-3),
    ("rising-load", "mdr:springs=200", 2e-3),
    ("falling-load", "mdr:springs=200", 2e-3),
    ("circle", "mdr:springs=200", 5e-3),
];

fn laws(names: &[&str]) -> Result<Vec<NamedChoice>, ReportError> {
    names.iter().map(|name| NamedChoice::law(name)).collect()
}

fn run(_: Effort) -> Result<Findings, StudyError> {
    let elastic = laws(&["linear", "mindlin-total", "hertz-mindlin", "mindlin-deresiewicz", "mdr:springs=200"])?;
    let report = follow(&Options { laws: elastic, ..Options::default() })?;
    let across = laws(&["kuhn", "conventional", "mdr"])?;
    let turning = follow(&Options { laws: across, paths: vec!["constant-load".to_owned()], ..Options::default() })?;
    let mut findings = Findings::default();
    let summary = &report.tables[0];
    let distances = summary.numbers("distance_from_springs");
    for (path, law, tolerance) in EXACT {
        let is = |row: &Vec<dem_report::table::Value>| row[0] == path.into() && row[1] == law.into();
        let at = summary.rows().iter().position(is);
        let distance = at.map_or(f64::NAN, |row| distances[row]);
        findings.checks.push(SPRINGS.close(format!("{law} on {path}: distance over mu N"), 0.0, distance, tolerance));
    }
    let turns = &turning.tables[2];
    let (angles, exact) = (turns.numbers("angle_deg"), turns.numbers("exact_angle_deg"));
    let of_kuhn = turns.rows().iter().zip(angles.iter().zip(&exact)).filter(|(row, _)| row[0] == "kuhn".into());
    let apart = of_kuhn.map(|(_, (angle, exact))| (angle - exact).abs()).fold(0.0, f64::max);
    findings.checks.push(TRACTRIX.close(
        "kuhn: angle after one step across the force, largest error [degrees]",
        0.0,
        apart,
        1e-6,
    ));
    findings.tables = report.tables.into_iter().filter(|table| table.name == "path").collect();
    findings.figures = report.figures.into_iter().filter(|figure| figure.name != TURN).collect();
    findings.figures.extend(turning.figures.into_iter().filter(|figure| figure.name == TURN));
    Ok(findings)
}
