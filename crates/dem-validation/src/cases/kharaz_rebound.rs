//! The oblique impact of Kharaz's sphere with the laws of Di Renzo and Di Maio (2004): tangential restitution, and their figures 6 to 15.

use dem_reference::annuli_influence::AnnuliInfluence;
use dem_reference::event_driven_impact::{Lever, NormalSpring, SpringSlider};
use dem_reference::hertz_impact::NormalImpact;
use dem_reference::kharaz::{Quantity, measured_rebounds};
use dem_reference::{scaled_impact, total_spring};
use dem_studies::error::StudyError;
use dem_studies::impact::{self, Case as Impact, Options, solutions};
use dem_studies::named_choice::NamedChoice;

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "kharaz-rebound",
    summary: "Tangential restitution of five laws at 2 to 50 degrees beside Maw, Barber and Fawcett, and figures 6 to 15 of Di Renzo and Di Maio.",
    claims: &[ANNULI, FORMS, SPRING, RECOMPUTED, SLIDING, MEASURED, APART],
    run,
};

const ANNULI: Claim = Claim {
    source: "Maw, Barber & Fawcett, Wear 38 (1976) 101, annuli",
    tier: Tier::Independent,
    weakness: "small overlaps, one pair, no spin",
};

const SPRING: Claim = Claim {
    source: "spring and slider from event to event (linear, incremental), spring in its total form by phases",
    tier: Tier::Independent,
    weakness: "how far the law is from the solution is its nature, not its error",
};

const RECOMPUTED: Claim = Claim {
    source: "independent integration of the models of Di Renzo & Di Maio (2004)",
    tier: Tier::Independent,
    weakness: "how far the law is from the solution is its nature, not its error",
};

const SLIDING: Claim = Claim {
    source: "e_t = 1 - 2 mu/tan(alpha)",
    tier: Tier::ClosedForm,
    weakness: "does not depend on the tangential law",
};

const MEASURED: Claim = Claim {
    source: "Kharaz, Gorham & Salman, Powder Technol. 120 (2001) 281, data/kharaz_2001.csv",
    tier: Tier::Measured,
    weakness: "points read off a plot to a few per cent; the friction of the impact is fitted to them",
};

const APART: Claim = Claim {
    source: "the bound of a law beside the distance of the next-worse law from the measured points",
    tier: Tier::Own,
    weakness: "says that the bounds tell the laws apart, not which of them is right",
};

const FORMS: Claim = Claim {
    source: "Maw, Barber & Fawcett against springs by dimensionality reduction",
    tier: Tier::Independent,
    weakness: "neither is the engine",
};

/// Speed of the sphere \[m/s\].
const SPEED: f64 = 3.9;

/// Angles of the published histories.
const ANGLES: [f64; 5] = [2.0, 5.0, 10.0, 20.0, 30.0];

/// Phases of the impact with the spring in its total form.
const PHASES: usize = 8000;

/// Mindlin's law in increments with two thirds of his stiffness.
const TWO_THIRDS: &str = "mindlin:stiffness_rule=kohring,unloading=none";

/// Tangential restitution of a law that is a spring and a slider; nothing for other laws.
fn of_spring(case: &Impact) -> Result<Option<f64>, StudyError> {
    let oblique = case.oblique()?;
    if case.bodies.law.name == "mindlin-total" {
        let history = total_spring::impact(PHASES, oblique.psi(), oblique.pair.chi())?;
        return Ok(Some(scaled_impact::rebound(&oblique, &history).tangential_restitution));
    }
    let largest = NormalImpact::new(&oblique.pair, oblique.normal_speed);
    let hertz = 4.0 / 3.0 * oblique.pair.modulus * oblique.pair.radius.sqrt();
    let normal = match case.bodies.law.name.as_str() {
        // the law has the secant stiffness of the head-on impact, at whatever angle
        "linear" => NormalSpring::Linear(hertz * NormalImpact::new(&oblique.pair, SPEED).overlap.sqrt()),
        "hertz-mindlin" | "mindlin" => NormalSpring::Hertz(largest.force / largest.overlap.powf(1.5)),
        _ => return Ok(None),
    };
    let (mass, radius) = (oblique.pair.mass, oblique.pair.radius);
    let contact = SpringSlider {
        normal,
        stiffness_ratio: oblique.pair.stiffness_ratio()
            * if case.bodies.law.label == TWO_THIRDS { 2.0 / 3.0 } else { 1.0 },
        friction: oblique.pair.friction,
        mass,
        inertia: oblique.pair.gyration * mass * radius * radius,
        radius,
        lever: Lever::Radius,
        gravity: 0.0,
    };
    let impact = contact.impact(oblique.normal_speed, oblique.tangential_velocity, 0.0)?;
    Ok(impact.history.last().map(|end| end.tangential_velocity / oblique.tangential_velocity))
}

/// H-MD of the source, whose histories stay simple where a contact grows faster than it slips.
const FITTED: &str = "mindlin-deresiewicz:fast_growth=fitted";

/// Largest root mean square of the distance from the measured points, for each quantity, of the laws from the best to the worst. The bounds of
/// e_t and of the spin tell each law from the next-worse; those of the rebound angle only tell
/// the last two, Mindlin's stiffness without his slip, from the others and from each other.
const BOUNDS: [(&str, [f64; 3]); 5] = [
    ("mdr", [0.0185, 18.0, 1.5]),
    (FITTED, [0.028, 20.0, 1.5]),
    ("linear", [0.05, 24.0, 1.5]),
    ("hertz-mindlin:unloading=none", [0.085, 33.0, 1.7]),
    ("mindlin-total", [0.11, 38.0, 2.0]),
];

/// What was measured, with its name.
const QUANTITIES: [(Quantity, &str); 3] = [
    (Quantity::TangentialRestitution, "e_t"),
    (Quantity::Spin, "spin [rad/s]"),
    (Quantity::ContactAngle, "rebound angle of the contact point [degrees]"),
];

/// Root mean square of what separates a law from the measured points of a quantity, and their number.
fn distance(options: &Options, law: &str, quantity: Quantity) -> Result<(f64, usize), StudyError> {
    let points: Vec<_> = measured_rebounds().into_iter().filter(|point| point.quantity == quantity).collect();
    let angles = points.iter().map(|point| point.angle).collect();
    let cases = Options { laws: vec![NamedChoice::law(law)?], angles, ..options.clone() }.cases()?;
    let mut squares = 0.0;
    for (case, point) in cases.iter().zip(&points) {
        let collision = case.run()?;
        let found = match quantity {
            Quantity::TangentialRestitution => collision.tangential_restitution(),
            Quantity::Spin => collision.end().spin,
            Quantity::ContactAngle => collision.contact_angle().to_degrees(),
        };
        squares += (found - point.value).powi(2);
    }
    Ok(((squares / points.len() as f64).sqrt(), points.len()))
}

/// How far the laws are from the measured points.
fn from_measured(options: &Options) -> Result<Vec<Check>, StudyError> {
    let mut checks = Vec::new();
    let mut before: Option<(&str, [f64; 3])> = None;
    for (law, bounds) in BOUNDS {
        for (k, (quantity, label)) in QUANTITIES.into_iter().enumerate() {
            let (apart, points) = distance(options, law, quantity)?;
            let name = format!("{law} from {points} measured points, {label}, root mean square");
            checks.push(MEASURED.close(name, 0.0, apart, bounds[k]));
            if let Some((better, bounds)) = before.filter(|_| quantity != Quantity::ContactAngle) {
                let name = format!("{label}: distance of {law} over the bound of {better}, at least 1");
                checks.push(APART.between(name, 1.0, 10.0, apart / bounds[k]));
            }
        }
        before = Some((law, bounds));
    }
    Ok(checks)
}

/// Values of a law at these angles, where they are known, and their tolerance.
const KNOWN: [(&str, [f64; 5], f64); 3] = [
    (FITTED, [0.838, 0.786, 0.647, 0.592, 0.681], 2e-3),
    ("mindlin-total", [1.0005, f64::NAN, f64::NAN, f64::NAN, 0.681], 1e-3),
    ("hertz-mindlin:unloading=none", [0.959, f64::NAN, f64::NAN, f64::NAN, 0.681], 1e-3),
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
        if let Some(expected) = of_spring(&case)? {
            findings.checks.push(SPRING.close(&quantity, expected, value, 1e-3));
        }
        if let Some((expected, tolerance)) = known {
            findings.checks.push(RECOMPUTED.close(&quantity, expected, value, tolerance));
        }
        if law == "linear" && angle == 10.0 {
            findings.checks.push(RECOMPUTED.close(&quantity, 0.652, value, 1e-3));
        }
    }
    let exact = Options { laws: vec![NamedChoice::law("mindlin-deresiewicz")?], ..options.clone() };
    for case in exact.cases()? {
        let expected = solutions::annuli(&influence, &case)?.rebound.tangential_restitution;
        let quantity = format!("e_t of mindlin-deresiewicz at {} degrees", case.angle);
        findings.checks.push(ANNULI.close(quantity, expected, case.run()?.tangential_restitution(), 2e-3));
    }
    let softer = Options { laws: vec![NamedChoice::law(TWO_THIRDS)?], angles: vec![2.0, 10.0], ..options.clone() };
    for case in softer.cases()? {
        let quantity = format!("e_t of two thirds of the stiffness, in increments, at {} degrees", case.angle);
        let value = case.run()?.tangential_restitution();
        if let Some(expected) = of_spring(&case)? {
            findings.checks.push(SPRING.close(&quantity, expected, value, 1e-3));
        }
        if case.angle == 2.0 {
            findings.checks.push(RECOMPUTED.close(quantity, 0.703, value, 1.5e-3));
        }
    }
    findings.checks.extend(from_measured(&options)?);
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
         mindlin-deresiewicz with fitted growth are the models linear, H-MDns and H-MD of the source; hertz-mindlin is H-MDns in increments. With the secant stiffness of the \
         source the linear law reaches 0.894 of Hertz's largest force, not all of it as the source says."
            .to_owned(),
    );
    Ok(findings)
}
