//! The elastic displacement of Zabulionis's impact by method I, which jumps where slip begins, and method II, which does not.

use dem_contact::Mode;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::zabulionis::{PUBLISHED, engine, events};
use crate::error::StudyError;
use crate::impact::{Collision, Moment};
use crate::report::Figure;
use crate::two_bodies::Approach;
use crate::validation::{Case, Claim, Effort, Findings, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "elastic-displacement",
    summary: "Elastic displacement of the impact of Zabulionis and others (2012) by methods I and II: jump, end value, and the same force.",
    claims: &[EVENTS, SAME],
    run,
};

const EVENTS: Claim = Claim {
    source: "event-driven solution of the impact of Zabulionis and others (2012), section 4.2",
    tier: Tier::Independent,
    weakness: "two contacts of one sphere",
};

const SAME: Claim = Claim {
    source: "equation 44 of Zabulionis and others (2012)",
    tier: Tier::Own,
    weakness: "direction of the trial force only",
};

/// Change of the elastic displacement in the step in which the last slip begins, and the largest change of the steps around it.
fn jump(collision: &Collision) -> (f64, f64) {
    let history = &collision.history;
    let begins = |k: &usize| history[*k].mode == Mode::Slide && history[k - 1].mode == Mode::Stick;
    let Some(at) = (1..history.len()).rfind(begins) else { return (f64::NAN, f64::NAN) };
    let change = |k: usize| history[k].elastic_slip - history[k - 1].elastic_slip;
    let around = (at.saturating_sub(20).max(1)..(at + 20).min(history.len() - 1)).filter(|&k| k != at);
    (change(at), around.map(|k| change(k).abs()).fold(0.0, f64::max))
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let one = engine("elastic_displacement=secant", PUBLISHED, effort)?;
    let two = engine("elastic_displacement=incremental", PUBLISHED, effort)?;
    let exact = events(PUBLISHED)?;
    let rebound = one.end();
    let again = Approach {
        normal_speed: -rebound.normal_velocity,
        tangential_velocity: rebound.tangential_velocity,
        spin: rebound.spin,
    };
    let (second, second_exact) = (engine("elastic_displacement=secant", again, effort)?, events(again)?);
    let second_two = engine("elastic_displacement=incremental", again, effort)?;
    let second_expected = second_exact.intervals.last().map_or(f64::NAN, |interval| interval.secant_jump);
    let (second_jump, second_usual) = jump(&second);
    let expected = exact.intervals.last().map_or(f64::NAN, |interval| interval.secant_jump);
    let left = exact.history.last().map_or(f64::NAN, |m| m.continuous_elongation);
    let ((jump_one, usual), (jump_two, _)) = (jump(&one), jump(&two));
    let end =
        |c: &Collision| c.history.iter().rev().find(|m| m.mode != Mode::Open).map_or(f64::NAN, |m| m.elastic_slip);
    let largest = one.largest(|m| m.tangential_force.abs());
    let pairs = one.history.iter().zip(&two.history);
    let apart = pairs.map(|(a, b)| (a.tangential_force - b.tangential_force).abs()).fold(0.0, f64::max);
    let largest_slip = two.largest(|m| m.elastic_slip.abs());
    Ok(Findings {
        checks: vec![
            EVENTS.close(
                "jump where slip begins, method I [m]",
                expected,
                jump_one,
                2.0 * usual + 1e-3 * expected.abs(),
            ),
            EVENTS.close("jump where slip begins, method II [m]", 0.0, jump_two, 2.0 * usual),
            EVENTS.close(
                "jump by the steps around it, method I",
                expected / usual,
                jump_one / usual,
                2.0 + 1e-3 * (expected / usual).abs(),
            ),
            EVENTS.relative("left at separation, method II [m]", left, end(&two), 2e-3),
            EVENTS.close("left at separation, method I [m]", 0.0, end(&one), 2e-3 * largest_slip),
            EVENTS.close(
                "jump where slip begins in the second contact, method I [m]",
                second_expected,
                second_jump,
                2.0 * second_usual + 1e-3 * second_expected.abs(),
            ),
            SAME.close("difference of the forces, share of the largest", 0.0, apart / largest, 1e-12),
        ],
        figures: vec![Figure { name: "zabulionis_figure_6", panels: figure([&one, &second], [&two, &second_two]) }],
        ..Findings::default()
    })
}

/// Figure 6 of the source: displacement over time in both contacts, and force over displacement in the first.
fn figure(one: [&Collision; 2], two: [&Collision; 2]) -> Vec<LinePlot> {
    let series = |label: &str, collision: &Collision, point: &dyn Fn(&Moment) -> [f64; 2]| {
        let stride = (collision.history.len() / 1000).max(1);
        let kept = collision.history.iter().filter(|m| m.mode != Mode::Open).step_by(stride);
        Series { label: label.to_owned(), points: kept.map(point).collect(), style: SeriesStyle::Line }
    };
    let panel =
        |title: &str, x_label: &str, y_label: &str, contact: usize, point: &dyn Fn(&Moment) -> [f64; 2]| LinePlot {
            title: title.to_owned(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            series: vec![
                series("method I, T/k", one[contact], point),
                series("method II, by increments", two[contact], point),
            ],
            ..LinePlot::default()
        };
    let displacement = "elastic displacement [m]";
    vec![
        panel("first contact", "t/T", displacement, 0, &|m| [m.time / one[0].contact_time, m.elastic_slip]),
        panel("second contact", "t/T", displacement, 1, &|m| [m.time / one[1].contact_time, m.elastic_slip]),
        panel("first contact", displacement, "tangential force [N]", 0, &|m| [m.elastic_slip, m.tangential_force]),
    ]
}
