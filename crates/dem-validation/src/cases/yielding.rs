//! Spheres that yield: restitution over the speed of impact against closed forms.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use dem_contact::ParameterValue;
use dem_core::lanes::functions;
use dem_reference::plastic_impact::viscoelastic_spheres;
use dem_report::report::Figure;
use dem_studies::error::StudyError;
use dem_testkit::floor_impact::{FloorImpact, OF_YOUNG_MODULUS};
use dem_testkit::worlds;
use dem_view::{LinePlot, Series, SeriesStyle};

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "yield",
    summary: "Spheres that yield: restitution over the speed of impact for the plastic laws, and the energy that they dissipate.",
    claims: &[THORNTON, SPRINGS, CREEP, LOST],
    run,
};

const THORNTON: Claim = Claim {
    source: "Thornton, J. Appl. Mech. 64 (1997) 383, Eqs. 28 and 30",
    tier: Tier::ClosedForm,
    weakness: "without adhesion and friction",
};

const SPRINGS: Claim = Claim {
    source: "energy of the loop of the law: Walton & Braun (1986), Luding (2008), Thakur et al. (2014)",
    tier: Tier::ClosedForm,
    weakness: "one impact from the first touch",
};

const CREEP: Claim = Claim {
    source: "equation of motion of viscoelastic spheres, Brilliantov et al., Phys. Rev. E 53 (1996) 5382, solved by itself",
    tier: Tier::Independent,
    weakness: "tension clipped",
};

const LOST: Claim = Claim {
    source: "kinetic, elastic and plastic energy together stay what they were",
    tier: Tier::ClosedForm,
    weakness: "does not tell which term is wrong",
};

const RADIUS: f64 = 0.5e-3;
/// E* and yield pressure \[Pa\].
const MODULUS: f64 = 1e11;
const PRESSURE: f64 = 1e8;

fn fall<'a>(law: &'a str, numbers: &[(&str, f64)], speed: f64, steps: f64) -> FloorImpact<'a> {
    let given: BTreeMap<String, ParameterValue> = worlds::parameters(&[numbers, &[("friction", 0.3)]].concat(), &[]);
    FloorImpact { law, given, young_modulus: MODULUS / OF_YOUNG_MODULUS, radius: RADIUS, speed, steps }
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let steps = effort.pick(2000.0, 8000.0);
    let mut findings = Findings::default();
    let mass = fall("thornton-ning", &[], 1.0, 1.0).mass();
    let yield_speed = (PI.powi(5) * RADIUS.powi(3) * PRESSURE.powi(5) / (30.0 * mass * MODULUS.powi(4))).sqrt();
    let closed = |ratio: f64| {
        let x: f64 = (1.0 / ratio).min(1.0);
        (1.2 * 3.0f64.sqrt() * (1.0 - x * x / 6.0)).sqrt() * (x / (x + 2.0 * (1.2 - 0.2 * x * x).sqrt())).sqrt().sqrt()
    };
    let mut points = Vec::new();
    for ratio in [1.0, 2.0, 5.0, 20.0, 100.0, 1000.0] {
        let impact = fall("thornton-ning", &[("yield_pressure", PRESSURE)], ratio * yield_speed, steps);
        let found = impact.run()?;
        points.push([f64::log10(ratio), found.restitution]);
        let name = format!("thornton-ning, restitution at {ratio} yield speeds");
        findings.checks.push(THORNTON.close(name, closed(ratio), found.restitution, 3e-3));
    }
    findings.checks.extend(springs(mass, steps)?);
    findings.checks.extend(creeping(mass, steps)?);
    let coarse = balance(steps)?;
    findings.checks.extend([
        LOST.close("luding with a pull: rms error of the balance over what is dissipated", 0.0, coarse, 1e-3),
        LOST.close("the same with twice the steps, over that", 0.0, balance(2.0 * steps)? / coarse.max(1e-12), 0.6),
    ]);
    let exact = (0..=150)
        .map(|k| 3.0 * f64::from(k) / 150.0)
        .map(|x| [x, closed(functions::exp(x * std::f64::consts::LN_10))])
        .collect();
    findings.figures.push(Figure {
        name: "yield",
        panels: vec![LinePlot {
            title: "rebound of a sphere that yields".to_owned(),
            x_label: "log10 of speed over yield speed".into(),
            y_label: "restitution".into(),
            series: vec![
                Series { label: "Thornton (1997)".to_owned(), points: exact, style: SeriesStyle::Line },
                Series { label: "impacts".to_owned(), points, style: SeriesStyle::Markers },
            ],
            ..LinePlot::default()
        }],
    });
    Ok(findings)
}

fn luding(cohesive: f64) -> [(&'static str, f64); 4] {
    [
        ("loading_stiffness", 1e4),
        ("unloading_stiffness_limit", 5e4),
        ("cohesive_stiffness", cohesive),
        ("plasticity_depth", 0.05),
    ]
}

/// The speed that loads to 0.64 of the limit overlap \[m/s\].
fn luding_speed(mass: f64) -> f64 {
    0.64 * (5.0 / 4.0 * 0.05 * 2.0 * RADIUS) * (1e4 / mass).sqrt()
}

fn balance(steps: f64) -> Result<f64, StudyError> {
    let mass = fall("luding", &[], 1.0, 1.0).mass();
    let impact = fall("luding", &luding(1e3), luding_speed(mass), steps);
    Ok(impact.rms(|found| (found.end.balance() - found.start.balance()) / found.end.further())?)
}

fn springs(mass: f64, steps: f64) -> Result<Vec<Check>, StudyError> {
    let mut checks = Vec::new();
    let ratio = 1e4 / 35_600.0;
    for cohesive in [0.0, 1e3, 3e3] {
        let found = fall("luding", &luding(cohesive), luding_speed(mass), steps).run()?.restitution;
        let pull = cohesive / 1e4 * 35_600.0 / (35_600.0 + cohesive) * (1.0f64 - ratio).powi(2);
        let name = format!("luding, restitution, cohesive stiffness {cohesive} N/m");
        checks.push(SPRINGS.close(name, (ratio - pull).max(0.0).sqrt(), found, 3e-3));
    }
    let stiff = [("loading_stiffness", 1e4), ("unloading_stiffness", 4e4)];
    checks.push(SPRINGS.close(
        "walton-braun, restitution, k2 = 4 k1",
        0.5,
        fall("walton-braun", &stiff, 0.1, steps).run()?.restitution,
        3e-3,
    ));
    let (stiffening, speed) = (5e4, 0.2);
    let growing = [("loading_stiffness", 1e4), ("stiffening", stiffening)];
    let exact = 1.0 / (1.0 + stiffening * speed * (mass / 1e4).sqrt()).sqrt();
    let found = fall("walton-braun", &growing, speed, steps).run()?.restitution;
    checks.push(SPRINGS.close("walton-braun, restitution, stiffness that grows", exact, found, 3e-3));
    for speed in [0.01, 1.0] {
        let found = fall("edinburgh", &[("plasticity_ratio", 0.7)], speed, steps).run()?.restitution;
        checks.push(SPRINGS.close(
            format!("edinburgh without pull, restitution at {speed} m/s"),
            0.509_222,
            found,
            3e-3,
        ));
    }
    Ok(checks)
}

/// Viscoelastic spheres at β = 3/2 A (k/m)^(2/5) v^(1/5) for v = 1 m/s, and ten times as slow.
fn creeping(mass: f64, steps: f64) -> Result<Vec<Check>, StudyError> {
    let stiffness = 4.0 / 3.0 * MODULUS * RADIUS.sqrt() / mass;
    let mut checks = Vec::new();
    for beta in [0.05, 0.2, 0.5] {
        let time = beta / (1.5 * stiffness.powf(0.4));
        for speed in [1.0, 0.1] {
            let found = fall("hertz-mindlin", &[("dissipation_time", time)], speed, steps).run()?.restitution;
            let exact = viscoelastic_spheres(RADIUS, mass, MODULUS, time, speed);
            let name = format!("viscoelastic, restitution at {speed} m/s, beta {beta} at 1 m/s");
            checks.push(CREEP.close(name, exact, found, 3e-3));
        }
    }
    Ok(checks)
}
