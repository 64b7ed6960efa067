//! Impacts through the speed at which bodies stick.

use dem_reference::adhesive_contact::{Separation, restitution};
use dem_report::parallel_runs::side_by_side;

use super::setup::Setup;
use crate::error::StudyError;
use crate::head_on::Rebound;
use crate::named_choice::NamedChoice;

/// Speeds over that of sticking.
const RATIOS: [f64; 13] = [0.5, 0.7, 0.9, 0.98, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0];

/// An impact.
pub struct Impact {
    /// Short name of the law.
    pub label: &'static str,
    /// Speed \[m/s\], and over that below which a contact that ends at the fold sticks.
    pub speed: [f64; 2],
    /// Restitution expected and found.
    pub restitution: [f64; 2],
    /// What the ledger has.
    pub rebound: Rebound,
}

/// All impacts.
pub fn all(setup: &Setup<'_>, steps: f64) -> Result<Vec<Impact>, StudyError> {
    let [fold, peak] = [Separation::Fold, Separation::Peak].map(|end| setup.contact.sticking_speed(setup.mass, end));
    let dented = setup.dented();
    let mut tasks: Vec<(&'static str, NamedChoice, f64, f64)> = Vec::new();
    for law in setup.laws()? {
        for ratio in RATIOS {
            let speed = ratio * fold;
            let expected = match law.label {
                "jkr" => restitution(speed, fold),
                "jkr (peak)" => restitution(speed, peak),
                "dmt" => 1.0,
                "thornton-ning" => dented.restitution(setup.mass, speed)?,
                _ => continue,
            };
            tasks.push((law.label, law.law.clone(), ratio, expected));
        }
    }
    side_by_side(&tasks, |(label, law, ratio, expected)| {
        let speed = ratio * fold;
        // next to the sticking speed more depends on where in a step a contact ends
        let steps = if *ratio < 1.1 { 2.0 * steps } else { steps };
        let rebound = Rebound::run(&setup.bodies(law)?, speed, steps, 6.0)?;
        Ok(Impact { label, speed: [speed, *ratio], restitution: [*expected, rebound.restitution], rebound })
    })
}
