//! Liquid bridges that are drawn out in the engine until they break, against the Young-Laplace equation; a wet sphere that falls on a floor.

use std::f64::consts::PI;

use dem_reference::liquid_bridge::{PULLS, RUPTURES};
use dem_report::report::Figure;
use dem_studies::adhesion::{Bridge, Options, bridges};
use dem_studies::error::StudyError;
use dem_studies::head_on::Rebound;
use dem_studies::named_choice::NamedChoice;
use dem_studies::sphere_and_partner::{Partner, SphereAndPartner};
use dem_view::{LinePlot, Series, SeriesStyle};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "liquid-bridge",
    summary: "Liquid bridges drawn out until they break: pull and rupture against the Young-Laplace equation, their work, and wet spheres that stick.",
    claims: &[PULL, RUPTURE, WORK, STUCK],
    run,
};

const PULL: Claim = Claim {
    source: "the Young-Laplace equation, solved for equal spheres; the regression of Willett et al., Langmuir 16 (2000) 9396, is known to be within 3.4 % up to 0.7 of the \
             rupture distance and 10 % beyond",
    tier: Tier::Independent,
    weakness: "six points, two volumes; other forms are less exact and not checked",
};

const RUPTURE: Claim = Claim {
    source: "the Young-Laplace equation: the distance beyond which no bridge of the volume is left",
    tier: Tier::Independent,
    weakness: "contact angle zero",
};

const WORK: Claim = Claim {
    source: "the area under the curve is what the ledger books when the bridge forms",
    tier: Tier::ClosedForm,
    weakness: "does not tell which of the two is wrong",
};

const STUCK: Claim = Claim {
    source: "a body loses the work of its bridge once: e = √(1 − 2W/mv²), W = 8πRσ cos θ √(V/R)/q [atan((20x + 2.1)/q)] from touch to rupture, q = √35.59",
    tier: Tier::ClosedForm,
    weakness: "no viscosity; the closed form of Willett et al. only",
};

const TENSION: f64 = 0.073;

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let mut findings = Findings::default();
    let drawn = bridges(&Options { steps: effort.pick(1000.0, 4000.0), ..Options::default() })?;
    let regression: Vec<&Bridge> = drawn.iter().filter(|bridge| bridge.form == "willett").collect();
    for exact in PULLS {
        let own = regression.iter().find(|b| [b.volume, b.angle] == [exact.volume, exact.angle]);
        let rupture = (1.0 + 0.5 * exact.angle.to_radians()) * exact.volume.cbrt();
        let share = if exact.distance < 0.7 * rupture { 0.034 } else { 0.1 };
        findings.checks.push(PULL.relative(
            format!(
                "pull over 2πRσ, volume {} R³, contact angle {}°, distance {} R",
                exact.volume, exact.angle, exact.distance
            ),
            exact.force,
            own.map_or(f64::NAN, |bridge| bridge.pull(exact.distance)),
            share,
        ));
    }
    for [volume, distance] in RUPTURES {
        let own = regression.iter().find(|b| [b.volume, b.angle] == [volume, 0.0]);
        let name = format!("distance of rupture over R, volume {volume} R³");
        findings.checks.push(RUPTURE.relative(name, distance, own.map_or(f64::NAN, |bridge| bridge.rupture), 0.01));
    }
    for bridge in drawn.iter().filter(|bridge| [bridge.volume, bridge.angle] == [1e-3, 0.0]) {
        let name = format!("work of the ledger over the area under the curve, {}", bridge.form);
        findings.checks.push(WORK.close(name, 1.0, bridge.loss / bridge.work(), 2e-3));
    }
    sticking(&mut findings, effort.pick(500.0, 2000.0))?;
    findings.figures.push(Figure { name: "liquid_bridge", panels: vec![figure(&regression)] });
    Ok(findings)
}

/// Impacts of a wet sphere at speeds through that at which the bridge holds it.
fn sticking(findings: &mut Findings, steps: f64) -> Result<(), StudyError> {
    let Options { material, radius, .. } = Options::default();
    let (size, volume) = (2.0 * radius, 1e-6);
    let liquid = volume * size * size * size;
    let law = format!(
        "hertz-mindlin:near_field=liquid-bridge,bridge_form=willett-closed,surface_tension={TENSION},contact_angle=0,bridge_volume={liquid:?}"
    );
    let bodies = SphereAndPartner {
        sphere: material,
        partner_material: material,
        partner: Partner::Wall,
        radius,
        friction: 0.3,
        restitution: 1.0,
        law: NamedChoice::law(&law)?,
        integrator: NamedChoice::integrator("velocity-verlet")?,
        lever: "half".to_owned(),
        gravity: 0.0,
    };
    let q = 35.59_f64.sqrt();
    let rupture = volume.cbrt() * (1.0 + 0.1 * volume.cbrt());
    let x = 0.5 * rupture / volume.sqrt();
    let between = ((20.0 * x + 2.1) / q).atan() - (2.1 / q).atan();
    let work = 8.0 * PI * size * size * TENSION * volume.sqrt() / q * between;
    let mass = 4.0 / 3.0 * PI * radius.powi(3) * material.density;
    let holding = (2.0 * work / mass).sqrt();
    for factor in [0.95, 1.05, 1.5, 3.0] {
        let found = Rebound::run(&bodies, factor * holding, steps, 60.0)?.restitution;
        let exact = (1.0_f64 - 1.0 / (factor * factor)).max(0.0).sqrt();
        findings.checks.push(STUCK.close(
            format!("restitution at {factor} times the speed that the bridge holds, {:.4} mm/s", 1e3 * holding),
            exact,
            found,
            3e-3,
        ));
    }
    Ok(())
}

fn figure(bridges: &[&Bridge]) -> LinePlot {
    let mut series = Vec::new();
    for bridge in bridges {
        let stride = (bridge.curve.len() / 800).max(1);
        series.push(Series {
            label: format!("{} R³, {}°", bridge.volume, bridge.angle),
            points: bridge.curve.iter().copied().step_by(stride).collect(),
            style: SeriesStyle::Line,
        });
    }
    let points = PULLS.iter().map(|pull| [pull.distance, pull.force]);
    let ruptures = RUPTURES.iter().map(|&[_, distance]| [distance, 0.0]);
    series.push(Series {
        label: "Young-Laplace, pulls and ruptures".to_owned(),
        points: points.chain(ruptures).collect(),
        style: SeriesStyle::Markers,
    });
    LinePlot {
        title: "liquid bridges drawn out, regression of Willett et al.".to_owned(),
        x_label: "distance of the surfaces over R".into(),
        y_label: "pull over 2πRσ".into(),
        series,
        ..LinePlot::default()
    }
}
