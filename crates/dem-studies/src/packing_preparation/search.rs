//! The friction of preparation that gives a packing fraction.

use super::options::{Method, refused};
use super::phase::{Effort, Preparation, Spheres};
use crate::error::StudyError;

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
}

/// Prepares a packing with the friction that was given, or searches the one that leads to the packing fraction.
///
/// # Errors
/// A packing fraction beyond those of the bounds of friction, or one that no trial has come close enough to.
pub fn choose_friction(preparation: &Preparation, effort: &mut Effort) -> Result<Found, StudyError> {
    let options = preparation.options;
    let (Some(target), false) = (options.fraction, options.method == Method::RandomSequential) else {
        let friction = options.first_friction();
        let mut spheres = preparation.prepare(friction, effort)?;
        if preparation.is_confined() {
            // the size of the container is part of what is found
            spheres = preparation.equilibrate(spheres, options.friction, effort)?.start;
        }
        let preparation_friction = (options.method != Method::RandomSequential).then_some(friction);
        return Ok(Found { spheres, preparation_friction, trials: Vec::new() });
    };
    let mut trials = Vec::new();
    let mut attempt = |friction: f64, effort: &mut Effort| -> Result<(f64, Spheres), StudyError> {
        let spheres = preparation.prepare(friction, effort)?;
        let settled = preparation.equilibrate(spheres, options.friction, effort)?;
        let fraction = preparation.fraction(&settled.simulation.world, settled.start.extent)?;
        trials.push(Trial { preparation_friction: friction, fraction });
        effort.say(&format!("preparation friction {friction:.4}: packing fraction {fraction:.4}"));
        Ok((fraction - target, settled.start))
    };
    let [mut low, mut high] = options.friction_bounds;
    let (above, spheres) = attempt(low, effort)?;
    let mut found = (above.abs() <= options.tolerance).then_some((low, spheres));
    if found.is_none() {
        let (below, spheres) = attempt(high, effort)?;
        if below.abs() <= options.tolerance {
            found = Some((high, spheres));
        } else if above < 0.0 || below > 0.0 {
            let allowed = format!(
                "{:.4} to {:.4}, which preparation with friction coefficients of {high} to {low} attains{}",
                (target + below).min(target + above),
                (target + below).max(target + above),
                if options.method.imposes_pressure() {
                    format!(" at {} Pa", preparation.layout.pressure)
                } else {
                    String::new()
                }
            );
            return Err(refused("--fraction", target, allowed));
        }
    }
    for _ in 2..options.trials {
        if found.is_some() {
            break;
        }
        // more friction, looser packing
        let middle = 0.5 * (low + high);
        let (distance, spheres) = attempt(middle, effort)?;
        if distance.abs() <= options.tolerance {
            found = Some((middle, spheres));
        } else if distance > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let Some((friction, spheres)) = found else {
        let nearest =
            trials.iter().map(|trial| trial.fraction).min_by(|a, b| (a - target).abs().total_cmp(&(b - target).abs()));
        return Err(StudyError::Convergence {
            method: "search of the preparation friction",
            detail: format!(
                "packing fraction {:.4} is the nearest to {target} of {} trials, expected within {}; allow more with --trials or --tolerance",
                nearest.unwrap_or(f64::NAN),
                trials.len(),
                options.tolerance
            ),
        });
    };
    Ok(Found { spheres, preparation_friction: Some(friction), trials })
}
