//! The oblique impact of Kharaz's sphere with the laws of Di Renzo and Di Maio (2004): tangential restitution, and their figures 6 to 15.

use crate::error::StudyError;
use crate::impact::{self, Options, solutions};
use crate::references::annuli_influence::AnnuliInfluence;
use crate::validation::{Case, Claim, Effort, Findings, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "kharaz-rebound",
    summary: "Tangential restitution of five laws at 2 to 50 degrees beside Maw, Barber and Fawcett, and figures 6 to 15 of Di Renzo and Di Maio.",
    run,
};

const ANNULI: Claim = Claim {
    source: "Maw, Barber & Fawcett, Wear 38 (1976) 101, annuli",
    tier: Tier::CrossCheck,
    weakness: "small overlaps, one pair, no spin",
};

const RECOMPUTED: Claim = Claim {
    source: "independent integration of the models of Di Renzo & Di Maio (2004)",
    tier: Tier::CrossCheck,
    weakness: "how far the law is from the solution is its nature, not its error",
};

const SLIDING: Claim = Claim {
    source: "e_t = 1 - 2 mu/tan(alpha)",
    tier: Tier::Analytic,
    weakness: "does not depend on the tangential law",
};

const FORMS: Claim = Claim {
    source: "Maw, Barber & Fawcett against springs by dimensionality reduction",
    tier: Tier::CrossCheck,
    weakness: "neither is the engine",
};

/// Angles of the published histories.
const ANGLES: [f64; 5] = [2.0, 5.0, 10.0, 20.0, 30.0];

/// Values of a law at these angles, where they are known, and their tolerance.
const KNOWN: [(&str, [f64; 5], f64); 3] = [
    ("mindlin-deresiewicz", [0.838, 0.786, 0.647, 0.592, 0.681], 2e-3),
    ("mindlin-total", [1.0005, f64::NAN, f64::NAN, f64::NAN, 0.681], 1e-3),
    ("hertz-mindlin", [0.959, f64::NAN, f64::NAN, f64::NAN, 0.681], 1e-3),
];

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let options = Options { steps: vec![effort.pick(1000.0, 4000.0)], ..Options::default() };
    let mut findings = Findings::default();
    let influence = AnnuliInfluence::new(effort.pick(200, 1000))?;
    for case in options.cases()? {
        let (law, angle) = (case.bodies.law.label.clone(), case.angle);
        let value = case.run()?.tangential_restitution();
        let quantity = format!("e_t of {law} at {angle} degrees");
        if law == "mdr" {
            let exact = solutions::annuli(&influence, &case)?.rebound.tangential_restitution;
            let springs = solutions::springs(&case)?.rebound.tangential_restitution;
            findings.checks.push(ANNULI.close(&quantity, exact, value, 1e-3));
            findings.checks.push(FORMS.close(format!("e_t of 400 springs at {angle} degrees"), exact, springs, 1e-4));
        }
        let known = KNOWN.iter().find(|(name, ..)| *name == law);
        let known = known.and_then(|(_, values, tolerance)| {
            let at = ANGLES.iter().position(|&known| known == angle)?;
            values[at].is_finite().then_some((values[at], *tolerance))
        });
        if let Some((expected, tolerance)) = known {
            findings.checks.push(RECOMPUTED.close(&quantity, expected, value, tolerance));
        }
        if law == "linear" && angle == 10.0 {
            findings.checks.push(RECOMPUTED.close(&quantity, 0.652, value, 1e-3));
        }
    }
    let beyond = Options { angles: vec![30.0, 40.0, 50.0], ..options.clone() };
    for case in beyond.cases()? {
        let expected = case.oblique()?.gross_sliding().tangential_restitution;
        let quantity = format!("e_t of {} at {} degrees, sliding", case.bodies.law.label, case.angle);
        findings.checks.push(SLIDING.close(quantity, expected, case.run()?.tangential_restitution(), 1e-3));
    }
    let report = impact::run(&options)?;
    let curve = Options {
        angles: (1..=effort.pick(30, 60)).map(|k| f64::from(k) * effort.pick(2.0, 1.0)).collect(),
        steps: vec![effort.pick(500.0, 1000.0)],
        annuli: 100,
        ..options
    };
    let rebounds = impact::run(&curve)?;
    findings.figures.extend(rebounds.figures.into_iter().filter(|figure| figure.name == "impact_rebound"));
    findings.figures.extend(report.figures.into_iter().filter(|figure| figure.name != "impact_rebound"));
    findings.tables.extend(report.tables.into_iter().filter(|table| table.name != "impact_histories"));
    findings.notes.push(
        "Figures 6 to 8 of the source are the panels of impact rebound, figure 9 is impact normal, 10 to 15 are impact tangential force (a) and \
         impact contact velocity (b) at 2, 5, 10, 20 and 30 degrees, figure 12 is impact force displacement at 5 degrees. linear, mindlin-total and \
         mindlin-deresiewicz are the models linear, H-MDns and H-MD of the source; hertz-mindlin is H-MDns in increments. With the secant stiffness of the \
         source the linear law reaches 0.894 of Hertz's largest force, not all of it as the source says."
            .to_owned(),
    );
    Ok(findings)
}
