//! The sphere of Zabulionis at rest on the wall under its weight, swinging on the tangential spring: their section 5 and figure 8.
//!
//! The contact point of a sphere swings with `ω² = r k_t/m`, `r = 1 + L²/(0.4 R²)` = 7/2 for the lever R. The source leaves `r` out of its
//! equations 51 and 52 although it derives it in equation 50.

use dem_report::report::Figure;
use dem_studies::error::StudyError;
use dem_studies::impact::Moment;
use dem_studies::impact::collision::motion;
use dem_studies::sphere_and_partner::Approach;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::zabulionis::bodies;
use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "sticking-oscillation",
    summary: "A sphere at rest under its weight swings on the tangential spring: stiffness, frequency, amplitude (Zabulionis and others 2012, section 5).",
    claims: &[PRINTED, CLOSED],
    run,
};

const PRINTED: Claim = Claim {
    source: "Zabulionis and others, Bull. Pol. Acad. Sci. Tech. 60 (2012) 265, section 5",
    tier: Tier::Printed,
    weakness: "small overlap",
};

const CLOSED: Claim = Claim {
    source: "harmonic oscillator, omega^2 = (7/2) k_t/m",
    tier: Tier::ClosedForm,
    weakness: "lever taken as the radius; the printed equations 51 and 52 lack the factor 7/2",
};

/// Share of the friction limit at the amplitude.
const SHARE: f64 = 0.9;
/// Periods of the run.
const PERIODS: f64 = 2.5;

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let bodies = bodies("")?;
    let pair = bodies.pair()?;
    let weight = pair.mass * bodies.gravity;
    let overlap = (weight / (4.0 / 3.0 * pair.modulus * pair.radius.sqrt())).powf(2.0 / 3.0);
    let stiffness = 16.0 / 3.0 * pair.shear_modulus * (pair.radius * overlap).sqrt();
    let frequency = (3.5 * stiffness / pair.mass).sqrt();
    let amplitude = SHARE * bodies.friction * weight / stiffness;
    let approach = Approach { normal_speed: 0.0, tangential_velocity: amplitude * frequency, spin: 0.0 };
    let per_period = effort.pick(2000.0, 8000.0);
    let time_step = std::f64::consts::TAU / frequency / per_period;
    let history = motion(&bodies, approach, overlap, time_step, (PERIODS * per_period) as usize)?;
    let passes = |pair: &&[Moment]| pair[0].contact_velocity * pair[1].contact_velocity < 0.0;
    let zeros: Vec<f64> = history
        .windows(2)
        .filter(passes)
        .map(|m| {
            let (a, b) = (m[0].contact_velocity, m[1].contact_velocity);
            m[0].time + (m[1].time - m[0].time) * a / (a - b)
        })
        .collect();
    let between = zeros.len().saturating_sub(1) as f64;
    let measured = match (zeros.first(), zeros.last()) {
        (Some(first), Some(last)) if between > 0.0 => std::f64::consts::PI * between / (last - first),
        _ => f64::NAN,
    };
    let largest = |of: fn(&Moment) -> f64| history.iter().map(of).fold(0.0, f64::max);
    let felt = largest(|m| m.tangential_force.abs()) / largest(|m| m.elastic_slip.abs());
    Ok(Findings {
        checks: vec![
            PRINTED.relative("tangential stiffness [N/m]", 1.905e5, felt, 2e-3),
            PRINTED.relative("displacement at the friction limit [m]", 8.08e-6, amplitude / SHARE, 2e-3),
            CLOSED.relative("frequency [rad/s]", frequency, measured, 1e-3),
            CLOSED.relative("amplitude [m]", amplitude, largest(|m| m.elastic_slip.abs()), 2e-3),
        ],
        figures: vec![Figure { name: "zabulionis_figure_8", panels: figure(&history, amplitude, frequency) }],
        notes: vec![
            "Figure 8 of the source: the sign of the force is that against the displacement at all times, and that against the velocity half of the time."
                .to_owned(),
        ],
        ..Findings::default()
    })
}

fn figure(history: &[Moment], amplitude: f64, frequency: f64) -> Vec<LinePlot> {
    let stride = (history.len() / 800).max(1);
    let curve = |label: &str, of: &dyn Fn(&Moment) -> f64, style| Series {
        label: label.to_owned(),
        points: history.iter().step_by(stride).map(|m| [m.time, of(m)]).collect(),
        style,
    };
    let panel = |y_label: &str, series| LinePlot {
        x_label: "time [s]".into(),
        y_label: y_label.into(),
        series,
        ..LinePlot::default()
    };
    let sign = |value: f64| if value == 0.0 { 0.0 } else { value.signum() };
    vec![
        panel(
            "share of the amplitude",
            vec![
                curve("elastic displacement", &|m| m.elastic_slip / amplitude, SeriesStyle::Line),
                curve("closed form", &|m| (frequency * m.time).sin(), SeriesStyle::Dashes),
                curve("contact velocity", &|m| m.contact_velocity / (amplitude * frequency), SeriesStyle::Line),
            ],
        ),
        panel(
            "sign",
            vec![
                curve("force", &|m| -sign(m.tangential_force), SeriesStyle::Line),
                curve("against the displacement", &|m| -0.9 * sign(m.elastic_slip), SeriesStyle::Line),
                curve("against the velocity", &|m| -0.8 * sign(m.contact_velocity), SeriesStyle::Line),
            ],
        ),
    ]
}
