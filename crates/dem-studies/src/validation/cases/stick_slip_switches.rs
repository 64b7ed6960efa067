//! When the contact of Zabulionis's impact changes between slip and stick, in the engine and from event to event.

use dem_contact::Mode as ContactMode;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::zabulionis::{OTHER_SPIN, PUBLISHED, engine, events};
use crate::error::StudyError;
use crate::impact::{Collision, Moment};
use crate::references::event_driven_impact::{Impact, Mode};
use crate::report::Figure;
use crate::validation::{Case, Claim, Effort, Findings, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "stick-slip-switches",
    summary: "Five modes of the impact of Zabulionis and others (2012) and the times at which they change, for both readings of the spin.",
    claims: &[EVENTS],
    run,
};

const EVENTS: Claim = Claim {
    source: "event-driven solution of the impact of Zabulionis and others (2012), section 4",
    tier: Tier::Independent,
    weakness: "one sphere and wall, two spins",
};

/// The published order of modes.
const FIVE_MODES: [Mode; 5] =
    [Mode::Slip, Mode::ElasticLoading, Mode::ElasticUnloading, Mode::ReverseLoading, Mode::Slip];

/// Modes of a history and the times between them over the duration.
fn modes(collision: &Collision) -> (Vec<Mode>, Vec<f64>) {
    let mode = |m: &Moment| match m.mode {
        ContactMode::Slide => Some(Mode::Slip),
        ContactMode::Stick if m.tangential_force * m.contact_velocity < 0.0 => Some(Mode::ElasticUnloading),
        ContactMode::Stick => Some(Mode::ElasticLoading),
        ContactMode::Open | ContactMode::Apart => None,
    };
    let (mut found, mut times): (Vec<Mode>, Vec<f64>) = (Vec::new(), Vec::new());
    for pair in collision.history.windows(2) {
        let Some(mut now) = mode(&pair[1]) else { continue };
        if now == Mode::ElasticLoading
            && matches!(found.last(), Some(Mode::ElasticUnloading | Mode::ReverseLoading))
            && pair[1].tangential_force * PUBLISHED.spin < 0.0
        {
            now = Mode::ReverseLoading;
        }
        let Some(&last) = found.last() else {
            found.push(now);
            continue;
        };
        if now == last {
            continue;
        }
        let zero = |of: fn(&Moment) -> f64| {
            let (a, b) = (of(&pair[0]), of(&pair[1]));
            pair[0].time + (pair[1].time - pair[0].time) * (a / (a - b)).clamp(0.0, 1.0)
        };
        let time = match (last, now) {
            (Mode::ElasticLoading, Mode::ElasticUnloading) => zero(|m| m.contact_velocity),
            (Mode::ElasticUnloading, Mode::ReverseLoading) => zero(|m| m.tangential_force),
            _ => 0.5 * (pair[0].time + pair[1].time),
        };
        found.push(now);
        times.push(time / collision.contact_time);
    }
    (found, times)
}

/// What is compared: the reverse loading of a contact that first slipped backwards mirrors.
fn mirrored(collision: &Collision) -> Collision {
    let mirror = |m: &Moment| Moment {
        contact_velocity: -m.contact_velocity,
        tangential_force: -m.tangential_force,
        displacement: -m.displacement,
        elastic_slip: -m.elastic_slip,
        ..*m
    };
    Collision { history: collision.history.iter().map(mirror).collect(), ..collision.clone() }
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let mut findings = Findings::default();
    let names = ["slip ends", "contact point at rest", "no tangential force", "slip begins again"];
    for (label, approach) in [("+0.20 m/s", PUBLISHED), ("-0.16 m/s", OTHER_SPIN)] {
        let (ours, exact) = (engine("", approach, effort)?, events(approach)?);
        let forward = if approach.spin < 0.0 { mirrored(&ours) } else { ours.clone() };
        let (found, times) = modes(&forward);
        let alike = if found == FIVE_MODES { 5.0 } else { 0.0 };
        findings.checks.push(EVENTS.close(
            format!("modes in the published order, contact point at {label}"),
            5.0,
            alike,
            0.0,
        ));
        for ((name, interval), time) in names.iter().zip(&exact.intervals).zip(&times) {
            let reference = interval.end / exact.duration();
            findings.checks.push(EVENTS.close(
                format!("{name}, contact point at {label}, t/T"),
                reference,
                *time,
                5e-4,
            ));
        }
        findings.checks.push(EVENTS.relative(
            format!("duration, contact point at {label} [s]"),
            exact.duration(),
            ours.contact_time,
            1e-4,
        ));
        let end = exact.history.last().map_or(f64::NAN, |m| m.contact_velocity);
        findings.checks.push(EVENTS.close(
            format!("contact velocity at separation, from {label} [m/s]"),
            end,
            ours.end().contact_velocity,
            1e-3 * approach.normal_speed,
        ));
        if approach == PUBLISHED {
            findings.figures.push(Figure { name: "zabulionis_figure_5", panels: figure(&ours, &exact) });
        }
    }
    Ok(findings)
}

/// Figure 5 of the source: b displacements, c velocities, d force and its distance from the limit; the solution dashed.
fn figure(ours: &Collision, exact: &Impact) -> Vec<LinePlot> {
    let duration = exact.duration();
    let stride = (ours.history.len() / 500).max(1);
    let engine = |label: &str, of: &dyn Fn(&Moment) -> f64| {
        let kept = ours.history.iter().step_by(stride);
        Series {
            label: label.to_owned(),
            points: kept.map(|m| [m.time / ours.contact_time, of(m)]).collect(),
            style: SeriesStyle::Line,
        }
    };
    let dashes = |label: &str, of: &dyn Fn(&crate::references::event_driven_impact::Moment) -> f64| {
        let stride = (exact.history.len() / 500).max(1);
        let kept = exact.history.iter().step_by(stride);
        Series {
            label: label.to_owned(),
            points: kept.map(|m| [m.time / duration, of(m)]).collect(),
            style: SeriesStyle::Dashes,
        }
    };
    let panel = |y_label: &str, series| LinePlot {
        x_label: "t/T".into(),
        y_label: y_label.into(),
        series,
        ..LinePlot::default()
    };
    let largest = ours.largest(|m| m.normal_force);
    let stiffest = ours.largest(|m| m.overlap).sqrt();
    vec![
        panel(
            "share of the largest",
            vec![
                engine("normal force", &|m| m.normal_force / largest),
                engine("stiffnesses", &|m| m.overlap.max(0.0).sqrt() / stiffest),
            ],
        ),
        panel(
            "displacement [m]",
            vec![
                engine("elastic", &|m| m.elastic_slip),
                engine("total", &|m| m.displacement),
                engine("sliding", &|m| m.displacement - m.elastic_slip),
                dashes("elastic, events", &|m| m.continuous_elongation),
            ],
        ),
        panel(
            "velocity [m/s]",
            vec![
                engine("tangential, contact point", &|m| m.contact_velocity),
                dashes("tangential, events", &|m| m.contact_velocity),
                engine("normal", &|m| m.normal_velocity),
            ],
        ),
        panel(
            "force [N]",
            vec![
                engine("tangential", &|m| m.tangential_force),
                dashes("tangential, events", &|m| m.tangential_force),
                engine("|tangential| - limit", &|m| m.tangential_force.abs() - 0.3 * m.normal_force),
            ],
        ),
    ]
}
