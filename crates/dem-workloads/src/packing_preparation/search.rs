//! The friction of preparation that gives a packing fraction.

use super::course::{equilibrate, prepare};
use super::effort::Effort;
use super::options::{Method, refused};
use super::preparation::Preparation;
use super::spheres::Spheres;
use crate::error::WorkloadError;

/// One preparation of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Friction coefficient of the preparation \[-\].
    pub preparation_friction: f64,
    /// Packing fraction of the packing it led to, under the final friction \[-\].
    pub fraction: f64,
}

/// A prepared packing, before the last equilibrium.
pub struct Found {
    /// The spheres.
    pub spheres: Spheres,
    /// Friction coefficient of their preparation; none if nothing moved \[-\].
    pub preparation_friction: Option<f64>,
    /// All preparations of a search, in their order.
    pub trials: Vec<Trial>,
    /// Why the packing fraction that was asked for is not that of the spheres, if it is not.
    pub shortfall: Option<String>,
}

/// Prepares a packing with the friction that was given, or searches the one that leads to the packing fraction.
///
/// # Errors
/// A phase that fails or does not end. A packing fraction beyond those of the bounds of friction, or one that no trial has come close enough to, is
/// a shortfall of the nearest packing.
pub fn choose_friction(preparation: &Preparation, effort: &mut Effort) -> Result<Found, WorkloadError> {
    let options = preparation.options;
    let (Some(target), false) = (options.fraction, options.method == Method::RandomSequential) else {
        let friction = options.first_friction();
        let mut spheres = prepare(preparation, friction, effort)?;
        if preparation.is_confined() {
            // the size of the container is part of what is found
            spheres = equilibrate(preparation, spheres, options.friction, effort)?.start;
        }
        let preparation_friction = (options.method != Method::RandomSequential).then_some(friction);
        return Ok(Found { spheres, preparation_friction, trials: Vec::new(), shortfall: None });
    };
    let mut trials = Vec::new();
    let mut nearest: Option<(f64, f64, Spheres)> = None;
    let mut attempt = |friction: f64, effort: &mut Effort| -> Result<f64, WorkloadError> {
        let spheres = prepare(preparation, friction, effort)?;
        let settled = equilibrate(preparation, spheres, options.friction, effort)?;
        let fraction = settled.end.fraction;
        trials.push(Trial { preparation_friction: friction, fraction });
        effort.say(&format!("preparation friction {friction:.4}: packing fraction {fraction:.4}"));
        if trials.len() == 1 {
            let one = effort.seconds;
            let most = options.trials.saturating_sub(1);
            effort.say(&format!("it took {one:.0} s: at most {most} more of them, {:.0} s", one * most as f64));
        }
        let distance = fraction - target;
        if nearest.as_ref().is_none_or(|(known, ..)| distance.abs() < known.abs()) {
            nearest = Some((distance, friction, settled.start));
        }
        Ok(distance)
    };
    let is_found = |distance: f64| distance.abs() <= options.tolerance;
    let [mut low, mut high] = options.friction_bounds;
    let above = attempt(low, effort)?;
    let mut done = is_found(above);
    let mut out_of_reach = None;
    if !done {
        let below = attempt(high, effort)?;
        done = is_found(below);
        if !done && (above < 0.0 || below > 0.0) {
            let pressure = if options.method.imposes_pressure() {
                format!(" at {} Pa", preparation.layout.pressure)
            } else {
                String::new()
            };
            out_of_reach = Some(format!(
                "preparation with friction coefficients of {high} to {low} attains {:.4} to {:.4}{pressure}",
                (target + below).min(target + above),
                (target + below).max(target + above)
            ));
        }
    }
    for _ in 2..options.trials {
        if done || out_of_reach.is_some() {
            break;
        }
        // more friction, looser packing
        let middle = 0.5 * (low + high);
        let distance = attempt(middle, effort)?;
        done = is_found(distance);
        if distance > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let Some((distance, friction, spheres)) = nearest else {
        return Err(refused("--trials", options.trials, "at least one").into());
    };
    let why = out_of_reach.unwrap_or_else(|| {
        format!("{} trials have come no nearer; allow more with --trials or --tolerance", trials.len())
    });
    let shortfall = (!done).then(|| {
        format!(
            "packing fraction {:.4}, the nearest to {target} within {}: {why}",
            target + distance,
            options.tolerance
        )
    });
    Ok(Found { spheres, preparation_friction: Some(friction), trials, shortfall })
}
