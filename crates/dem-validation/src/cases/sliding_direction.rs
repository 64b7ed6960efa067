//! The direction of a sliding force: of the trial force, against the elastic displacement, or against the slip velocity.
//!
//! Zabulionis and others (2012, section 5) find that the force of the second flips where the displacement passes zero, and that the
//! third oscillates from step to step once the velocity has passed zero while the contact slides. In their own impact the velocity
//! passes zero while the contact sticks, so that the third is the same as the first; a faster one shows it.

use dem_reference::event_driven_impact::Moment as Exact;
use dem_report::report::Figure;
use dem_studies::error::StudyError;
use dem_studies::impact::Collision;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::zabulionis::{FAST, PUBLISHED, engine, events};
use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "sliding-direction",
    summary: "Three directions of the sliding force in the impact of Zabulionis and others (2012) and in a faster one that makes the velocity's direction chatter.",
    claims: &[EVENTS, CHATTER],
    run,
};

const EVENTS: Claim = Claim {
    source: "event-driven solution with the direction of the trial force",
    tier: Tier::Independent,
    weakness: "one sphere and wall",
};

const CHATTER: Claim = Claim {
    source: "Zabulionis and others (2012), section 5, in an impact that shows it",
    tier: Tier::Own,
    weakness: "their own impact does not: its velocity passes zero in the stick",
};

/// Largest difference of two tangential forces over the largest one.
fn apart(one: &Collision, other: &Collision) -> f64 {
    let pairs = one.history.iter().zip(&other.history);
    let difference = pairs.map(|(a, b)| (a.tangential_force - b.tangential_force).abs()).fold(0.0, f64::max);
    difference / one.largest(|m| m.tangential_force.abs())
}

/// First time over the duration, from `from` on, at which the force changes its sign from one step to the next by more than a tenth of its
/// largest value.
fn first_flip(collision: &Collision, from: f64) -> f64 {
    let large = 0.1 * collision.largest(|m| m.tangential_force.abs());
    let flips = |pair: &&[dem_studies::impact::Moment]| {
        let (a, b) = (pair[0].tangential_force, pair[1].tangential_force);
        pair[0].time >= from * collision.contact_time && a * b < 0.0 && (a - b).abs() > large
    };
    collision.history.windows(2).find(flips).map_or(f64::NAN, |pair| pair[1].time / collision.contact_time)
}

/// Share of the steps between two times over the duration in which the force changes its sign.
fn share_of_flips(collision: &Collision, from: f64, to: f64) -> f64 {
    let time = |m: &dem_studies::impact::Moment| m.time / collision.contact_time;
    let within = collision.history.windows(2).filter(|pair| time(&pair[0]) >= from && time(&pair[1]) <= to);
    let (mut all, mut flips) = (0.0, 0.0);
    for pair in within {
        all += 1.0;
        if pair[0].tangential_force * pair[1].tangential_force < 0.0 {
            flips += 1.0;
        }
    }
    flips / all
}

/// Last time over the duration at which an exact history changes the sign of a quantity.
fn last_zero(history: &[Exact], of: fn(&Exact) -> f64) -> f64 {
    let duration = history.last().map_or(f64::NAN, |m| m.time);
    let passes = |pair: &&[Exact]| of(&pair[0]) * of(&pair[1]) < 0.0;
    history.windows(2).rfind(passes).map_or(f64::NAN, |pair| pair[1].time / duration)
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let option = |direction: &str| format!("sliding_direction={direction}");
    let directions = ["force", "displacement", "velocity"];
    let [force, displacement, velocity] = {
        let mut runs = Vec::new();
        for direction in directions {
            runs.push(engine(&option(direction), PUBLISHED, effort)?);
        }
        <[Collision; 3]>::try_from(runs).map_err(|_| StudyError::Convergence {
            method: "sliding direction",
            detail: "one run for each direction".to_owned(),
        })?
    };
    let exact = events(PUBLISHED)?;
    let slip = exact.intervals.last().map_or(f64::NAN, |interval| interval.start / exact.duration());
    let zero = last_zero(&exact.history, |m| m.continuous_elongation);
    let (fast_force, fast_velocity) =
        (engine(&option("force"), FAST, effort)?, engine(&option("velocity"), FAST, effort)?);
    let fast = events(FAST)?;
    let reversal = fast.reversals_in_slip.first().map_or(f64::NAN, |time| time / fast.duration());
    let end = fast.history.last().map_or(f64::NAN, |m| m.contact_velocity);
    let steady = -fast_velocity.end().contact_velocity.abs();
    let crossing = fast_force.history.windows(2).find(|pair| pair[0].contact_velocity * pair[1].contact_velocity < 0.0);
    let crossing = crossing.map_or(f64::NAN, |pair| pair[1].time / fast_force.contact_time);
    let mut panels = Vec::new();
    for (title, collision) in [
        ("of the trial force", &force),
        ("against the elastic displacement", &displacement),
        ("against the slip velocity", &velocity),
        ("against the slip velocity, contact point at 0.3 m/s", &fast_velocity),
    ] {
        panels.push(panel(title, collision));
    }
    Ok(Findings {
        checks: vec![
            CHATTER.close("published impact: force of `velocity` less that of `force`, share", 0.0, apart(&force, &velocity), 1e-3),
            EVENTS.close("published impact: first flip of `displacement`, t/T", zero, first_flip(&displacement, slip), 2e-3),
            EVENTS.close("fast impact: velocity passes zero in slip, t/T", reversal, crossing, 5e-4),
            EVENTS.close("fast impact: first flip of `velocity`, t/T", reversal, first_flip(&fast_velocity, 0.0), 1e-3),
            CHATTER.close("fast impact: share of steps that flip until 0.98 T", 1.0, share_of_flips(&fast_velocity, reversal + 0.002, 0.98), 0.02),
            CHATTER.close("fast impact: contact velocity left by `velocity` [m/s]", 0.0, steady, 1e-3),
            EVENTS.close("fast impact: contact velocity left by `force` [m/s]", end, fast_force.end().contact_velocity, 5e-4),
        ],
        figures: vec![Figure { name: "zabulionis_figure_9", panels }],
        notes: vec![
            "Figure 9 of the source, and in the last panel the impact in which the oscillation that it describes occurs.".to_owned(),
        ],
        ..Findings::default()
    })
}

fn panel(title: &str, collision: &Collision) -> LinePlot {
    // steps that chatter must not be thinned by an even number
    let stride = (collision.history.len() / 1500).max(1) | 1;
    let kept = collision.history.iter().step_by(stride);
    let points = kept.map(|m| [m.time / collision.contact_time, m.tangential_force]).collect();
    LinePlot {
        title: title.to_owned(),
        x_label: "t/T".into(),
        y_label: "tangential force [N]".into(),
        series: vec![Series { label: String::new(), points, style: SeriesStyle::Line }],
        ..LinePlot::default()
    }
}
