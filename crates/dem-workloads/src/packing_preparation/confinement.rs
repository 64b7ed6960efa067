//! A pressure in a container whose walls do not move: the size of the container is searched.

use super::effort::Effort;
use super::equilibrium::{Equilibrium, run_from_rest};
use super::phase::{Outcome, Running};
use super::preparation::Preparation;
use super::scene_text::PRESSURE_TOLERANCE;
use super::spheres::Spheres;
use crate::error::WorkloadError;

/// Most sizes that are tried.
const TRIALS: usize = 50;
/// Steps between two looks at whether anything presses at all.
const LOOK: u64 = 1000;
/// Pressure in proportion to the one asked for below which a packing counts as loose.
const LOOSE: f64 = 1e-2;
/// Largest change of all lengths between two trials, in proportion: a fraction of the overlap that stops a run.
const LARGEST_STEP: f64 = 0.01;
/// Shares of a bracket between which the next trial lies.
const WITHIN: [f64; 2] = [0.1, 0.9];

/// A size of the container in proportion to the first, and how far the pressure is from that asked for, in proportion to it.
#[derive(Clone, Copy)]
struct Trial {
    size: f64,
    excess: f64,
}

/// Brings spheres to equilibrium at the pressure: as long as they are loose, by steps of all lengths from one rest to the next; once they
/// press too much, by trials that all begin with the same places.
///
/// # Errors
/// Steps that fail, a trial that does not end, no size with that pressure.
pub fn equilibrate_at_pressure(
    preparation: &Preparation,
    mut spheres: Spheres,
    friction: f64,
    effort: &mut Effort,
) -> Result<Equilibrium, WorkloadError> {
    let target = preparation.layout.pressure;
    let (mut tight, mut wide): (Option<Trial>, Option<Trial>) = (None, None);
    let mut size = 1.0;
    let mut nearest = f64::INFINITY;
    // how far a loose packing is from its onset is not known: steps become longer until both sides are found
    let mut stride = 1.0;
    for _ in 0..TRIALS {
        let start = spheres.stretched(size);
        let end = run_from_rest(preparation, &start, friction, effort, |running| settle(running, target))?;
        let excess = end.pressure.unwrap_or(0.0) / target - 1.0;
        if excess.abs() <= PRESSURE_TOLERANCE {
            return Ok(Equilibrium { start, end });
        }
        nearest = if excess.abs() < nearest.abs() { excess } else { nearest };
        let step = stride * excess / response(preparation, &end);
        let step = step.clamp(-LARGEST_STEP, LARGEST_STEP);
        stride *= 2.0;
        if excess > 0.0 {
            tight = Some(Trial { size, excess });
        } else if tight.is_some() {
            wide = Some(Trial { size, excess });
        } else {
            spheres = end.spheres;
            size = 1.0;
            wide = Some(Trial { size, excess });
        }
        size = match (tight, wide) {
            (Some(tight), Some(wide)) => between(tight, wide),
            _ => size * (1.0 + step),
        };
    }
    Err(WorkloadError::Convergence {
        method: "search of the size of the container",
        detail: format!(
            "after {TRIALS} trials the pressure nearest to {target} Pa is off by {:.2} %, expected {:.2} %; a lower --stiffness-number makes \
             the pressure less sensitive",
            100.0 * nearest,
            100.0 * PRESSURE_TOLERANCE
        ),
    })
}

/// The size at which a straight line meets the pressure, well within the bracket.
fn between(tight: Trial, wide: Trial) -> f64 {
    let share = tight.excess / (tight.excess - wide.excess);
    tight.size + share.clamp(WITHIN[0], WITHIN[1]) * (wide.size - tight.size)
}

/// Runs until the forces balance or nothing presses any more.
fn settle(running: &mut Running, target: f64) -> Result<(), WorkloadError> {
    while running.simulation.state.stopped.is_none() {
        running.pause()?;
        running.advance()?;
        let step = running.simulation.world.step;
        if step.is_multiple_of(LOOK) && running.pressure().unwrap_or(0.0) < LOOSE * target {
            break;
        }
    }
    Ok(())
}

/// Loss of pressure for a strain of all lengths if every contact followed it, in proportion to the pressure asked for:
/// `Σ k l²/(3 V p)` over at least the contacts of an isostatic packing. No packing responds more.
fn response(preparation: &Preparation, end: &Outcome) -> f64 {
    let layout = preparation.layout;
    let volume = end.spheres.extent.volume(preparation.options.container);
    let contacts = end.contacts.max(3 * end.spheres.spheres.len() as u64) as f64;
    let stiffness = if end.contacts > 0 { end.stiffness } else { layout.stiffness };
    contacts * stiffness * layout.diameter * layout.diameter / (3.0 * volume * layout.pressure)
}
