//! Adhesive spheres: the curve along which they are pulled apart, and impacts through the speed at which they stick.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::lanes::functions;
use dem_report::report::Figure;
use dem_studies::error::StudyError;
use dem_testkit::conformance::driven_pair::DrivenPair;
use dem_testkit::conformance::path::{Pose, RADII};
use dem_testkit::floor_impact::{FloorImpact, OF_YOUNG_MODULUS};
use dem_testkit::worlds;
use dem_view::{LinePlot, Series, SeriesStyle};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "adhesion",
    summary: "Adhesive spheres: pull-off force and reach, sticking and rebound of impacts, energy of loops.",
    claims: &[PULLED, STUCK, LOST],
    run,
};

const PULLED: Claim = Claim {
    source: "Johnson, Kendall & Roberts (1971); Derjaguin, Muller & Toporov (1975)",
    tier: Tier::ClosedForm,
    weakness: "one pair, no friction",
};

const STUCK: Claim = Claim {
    source: "energy of the jumps at touch and at the fold, Thornton & Ning, Powder Technol. 99 (1998) 154",
    tier: Tier::ClosedForm,
    weakness: "no dashpot",
};

const LOST: Claim = Claim {
    source: "kinetic, elastic, joined and dissipated energy together stay what they were",
    tier: Tier::ClosedForm,
    weakness: "does not tell which term is wrong",
};

const RADIUS: f64 = 0.5e-3;
const ENERGY: f64 = 0.05;
/// E* \[Pa\].
const MODULUS: f64 = 2e9;
/// Speed below which the sphere sticks \[m/s\].
const STICKING: f64 = 2.415_865e-3;

fn given(numbers: &[(&str, f64)]) -> BTreeMap<String, ParameterValue> {
    worlds::parameters(&[&[("surface_energy", ENERGY), ("restitution", 1.0), ("friction", 0.3)], numbers].concat(), &[])
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let mut findings = Findings::default();
    let curves = ["jkr", "dmt"].map(|law| (law, pulled_apart(law, effort.pick(4000, 40_000))));
    check_pull(&mut findings, &curves);
    let steps = effort.pick(2000.0, 8000.0);
    let mut points = Vec::new();
    for factor in [0.5, 0.98, 1.02, 1.05, 1.2, 2.0, 10.0] {
        let impact = falling("jkr", given(&[]), factor, if factor < 1.1 { 2.0 * steps } else { steps });
        let found = impact.run()?.restitution;
        let exact = (1.0f64 - 1.0 / (factor * factor)).max(0.0).sqrt();
        points.push([factor, found]);
        findings.checks.push(STUCK.close(format!("jkr, restitution at {factor} sticking speeds"), exact, found, 3e-3));
    }
    // an impact loses the energy of sticking whatever its speed: the speed that alone would be lost
    let sticking = 1e3 * STICKING * 1.2 * (1.0 - points[4][1] * points[4][1]).sqrt();
    findings.checks.push(STUCK.relative(
        "jkr, sticking speed from the rebound at 1.2 of it [mm/s]",
        1e3 * STICKING,
        sticking,
        1e-3,
    ));
    for law in ["jkr", "dmt"] {
        let off = |steps: f64| -> Result<f64, StudyError> {
            let off = falling(law, given(&[]), 2.0, steps).rms(|found| {
                let scale = if law == "jkr" { found.end.further() } else { found.start.kinetic() };
                (found.end.balance() - found.start.balance()) / scale
            })?;
            Ok(off)
        };
        let (coarse, fine) = (off(steps)?, off(2.0 * steps)?);
        findings.checks.extend([
            LOST.close(
                format!("{law}, rms error of the balance at {steps} steps an impact over what is lost (jkr) or put in"),
                0.0,
                coarse,
                3e-3,
            ),
            LOST.close(format!("{law}, the same with twice the steps, over that"), 0.0, fine / coarse.max(1e-12), 0.7),
        ]);
    }
    let exact =
        (0..=200).map(|k| 1.0 + 9.0 * (f64::from(k) / 200.0).powi(3)).map(|x: f64| [x, (1.0 - 1.0 / (x * x)).sqrt()]);
    let rebound = LinePlot {
        title: "rebound of an adhesive sphere".to_owned(),
        x_label: "speed over sticking speed".into(),
        y_label: "restitution".into(),
        series: vec![
            Series { label: "energy of the jumps".to_owned(), points: exact.collect(), style: SeriesStyle::Line },
            Series { label: "impacts".to_owned(), points, style: SeriesStyle::Markers },
        ],
        ..LinePlot::default()
    };
    let pulls = curves.iter().map(|(law, curve)| {
        let stride = (curve.len() / 800).max(1);
        Series {
            label: (*law).to_owned(),
            points: curve.iter().copied().step_by(stride).collect(),
            style: SeriesStyle::Line,
        }
    });
    let apart = LinePlot {
        title: "pulled apart".to_owned(),
        x_label: "overlap [m]".into(),
        y_label: "normal force [N]".into(),
        series: pulls.collect(),
        ..LinePlot::default()
    };
    findings.figures.push(Figure { name: "adhesion", panels: vec![apart, rebound] });
    Ok(findings)
}

fn falling(law: &str, given: BTreeMap<String, ParameterValue>, factor: f64, steps: f64) -> FloorImpact<'_> {
    FloorImpact {
        law,
        given,
        young_modulus: MODULUS / OF_YOUNG_MODULUS,
        radius: RADIUS,
        speed: factor * STICKING,
        steps,
    }
}

/// Effective radius and modulus of the driven pair.
fn pair() -> [f64; 2] {
    [RADII[0] * RADII[1] / (RADII[0] + RADII[1]), 1e10 * OF_YOUNG_MODULUS]
}

/// Overlap and force of a pair that is pressed together and pulled apart in even steps.
fn pulled_apart(law: &str, steps: u32) -> Vec<[f64; 2]> {
    let [radius, modulus] = pair();
    let fold = functions::cbrt(PI * ENERGY * radius * radius / (4.0 * modulus));
    let unit = fold * fold / radius;
    let mut pair = DrivenPair::new(law, &given(&[]), &Pose::still(-unit, DVec3::X), false);
    pair.step(&Pose::still(0.01 * unit, DVec3::X));
    pair.step(&Pose::still(6.0 * unit, DVec3::X));
    let overlap = |k: u32| unit * (6.0 - 10.0 * f64::from(k) / f64::from(steps));
    (0..=steps)
        .map(|k| {
            let pose = Pose::still(overlap(k), DVec3::X);
            [overlap(k), pair.step(&pose).normal_force(&pose)]
        })
        .collect()
}

fn check_pull(findings: &mut Findings, curves: &[(&str, Vec<[f64; 2]>)]) {
    let [radius, modulus] = pair();
    let fold = functions::cbrt(PI * ENERGY * radius * radius / (4.0 * modulus));
    let reach = 3.0 * fold * fold / radius;
    for (law, curve) in curves {
        let least = curve.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
        let last = curve.iter().filter(|point| point[1] != 0.0).map(|point| point[0]).fold(f64::INFINITY, f64::min);
        let (pull, end) = if *law == "jkr" { (3.0, -reach) } else { (4.0, 0.0) };
        findings.checks.extend([
            PULLED.relative(
                format!("{law}: largest pull over pi gamma r*"),
                -pull,
                least / (PI * ENERGY * radius),
                1e-3,
            ),
            PULLED.close(
                format!("{law}: overlap at which the pull ends, over the reach of jkr"),
                end / reach,
                last / reach,
                2e-3,
            ),
        ]);
    }
}
