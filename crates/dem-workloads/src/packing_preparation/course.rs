//! Which phases of a preparation follow each other.

use dem_sim::builder;

use super::confinement::equilibrate_at_pressure;
use super::effort::Effort;
use super::equilibrium::{Equilibrium, run_from_rest};
use super::growth::grow;
use super::options::Method;
use super::phase::{Phase, to_its_end};
use super::preparation::Preparation;
use super::scene_text::{Source, Stage};
use super::spheres::Spheres;
use crate::error::WorkloadError;

/// Spheres packed with a friction of the preparation.
///
/// # Errors
/// A phase that fails or does not end.
pub fn prepare(preparation: &Preparation, friction: f64, effort: &mut Effort) -> Result<Spheres, WorkloadError> {
    let method = preparation.options.method;
    let extent = preparation.layout.extent(preparation.options);
    let stage = if method == Method::Growth { Stage::Measure } else { Stage::Equilibrium };
    let loaded = preparation.text(friction).load(&Source::Placed, stage)?;
    let phase = Phase { preparation, name: method.name(), loaded: &loaded, settings: "", container: extent };
    match method {
        Method::RandomSequential => {
            let mut simulation = builder::build(&loaded)?;
            simulation.initialise()?;
            Ok(preparation.spheres(&simulation.world, extent))
        }
        Method::Deposition | Method::Compression => Ok(phase.carry_out(effort, to_its_end)?.spheres),
        Method::Growth => {
            let volume = extent.volume(preparation.options.container);
            let (pressure, rate) = (preparation.layout.pressure, preparation.growth_rate());
            let settings = format!("to {pressure:?} at {rate:?}");
            let phase = Phase { settings: &settings, ..phase };
            let grown = phase.carry_out(effort, |running| grow(running, volume, pressure, rate))?;
            let scaled_back = grown.spheres.scaled(1.0 / grown.growth);
            // the pressure at which growth ends is that of a moving assembly
            Ok(equilibrate(preparation, scaled_back, friction, effort)?.end.spheres)
        }
    }
}

/// Spheres put to rest in a new scene with another friction and brought to equilibrium, at the pressure if one is imposed.
///
/// # Errors
/// A phase that fails or does not end, a table that cannot be written.
pub fn equilibrate(
    preparation: &Preparation,
    spheres: Spheres,
    friction: f64,
    effort: &mut Effort,
) -> Result<Equilibrium, WorkloadError> {
    if preparation.is_confined() {
        return equilibrate_at_pressure(preparation, spheres, friction, effort);
    }
    let end = run_from_rest(preparation, &spheres, friction, effort, to_its_end)?;
    Ok(Equilibrium { start: spheres, end })
}
