//! What a packing came to.

use std::path::Path;

use dem_sim::measure::{self, StressMeasure};
use dem_sim::simulation::Simulation;
use serde_json::{Value, json};

use super::options::Options;
use super::preparation::{Preparation, grains};
use super::search::{Found, Trial};
use crate::error::WorkloadError;

/// Name of the file with the record of a packing.
pub const FILE: &str = "packing.json";

/// What a packing is and how it was made: the contents of `packing.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What was asked for.
    pub options: Options,
    /// Friction coefficient of the preparation; none if nothing moved \[-\].
    pub preparation_friction: Option<f64>,
    /// Preparations of the search, if there was one.
    pub trials: Vec<Trial>,
    /// Number of spheres or bodies.
    pub particles: usize,
    /// Packing fraction: of the whole cell or container, with deposition of the bulk \[-\].
    pub fraction: f64,
    /// Edges of the periodic cell or lengths of the container \[m\].
    pub lengths: [f64; 3],
    /// Mean stress of the cell, or weight per area of the floor; none of spheres that do not touch \[Pa\].
    pub pressure: Option<f64>,
    /// `2 N_c/N` \[-\].
    pub coordination: f64,
    /// The same without rattlers \[-\].
    pub coordination_without_rattlers: f64,
    /// Number of rattlers.
    pub rattlers: usize,
    /// `k_n/(p d)` with the mean normal stiffness of the contacts \[-\].
    pub stiffness_number: Option<f64>,
    /// Largest overlap in proportion to the smaller radius \[-\].
    pub overlap_ratio: f64,
    /// Mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: Option<f64>,
    /// Steps of all phases of all preparations.
    pub steps: u64,
    /// Wall time of all, that of calls that were interrupted included \[s\].
    pub wall_seconds: f64,
    /// Why it is not what was asked for, if it is not.
    pub shortfall: Option<String>,
}

impl Record {
    /// Of the last equilibrium.
    pub(super) fn of(
        preparation: &Preparation,
        found: &Found,
        simulation: &Simulation,
        steps: u64,
    ) -> Result<Self, WorkloadError> {
        let options = preparation.options;
        let world = &simulation.world;
        let coordination = measure::coordination(world, if options.friction > 0.0 { 2 } else { 4 });
        let extent = preparation.spheres(world, found.spheres.extent).extent;
        let pressure = preparation.pressure(world, extent);
        let stiffness = StressMeasure::of(world).stiffness;
        let unbalanced = measure::unbalanced_force(world);
        Ok(Self {
            options: options.clone(),
            preparation_friction: found.preparation_friction,
            trials: found.trials.clone(),
            particles: grains(world),
            fraction: preparation.fraction(world, extent)?,
            lengths: extent.size().to_array(),
            pressure,
            coordination: coordination.all,
            coordination_without_rattlers: coordination.without_rattlers,
            rattlers: coordination.rattlers,
            stiffness_number: pressure.map(|p| stiffness / (p * preparation.layout.diameter)),
            overlap_ratio: world.forces.largest_overlap_ratio,
            unbalanced_force: unbalanced.is_finite().then_some(unbalanced),
            steps,
            wall_seconds: 0.0,
            shortfall: found.shortfall.clone(),
        })
    }

    /// As an object with every figure in SI.
    pub fn to_json(&self) -> Value {
        let options = &self.options;
        let trials: Vec<Value> = self
            .trials
            .iter()
            .map(|t| json!({ "preparation_friction": t.preparation_friction, "packing_fraction": t.fraction }))
            .collect();
        json!({
            "engine": dem_sim::machine::engine(),
            "method": options.method.name(),
            "seed": options.seed,
            "start": options.start.name(),
            "sizes": options.sizes,
            "clump": options.clump,
            "particles": self.particles,
            "lengths": self.lengths,
            "packing_fraction": self.fraction,
            "porosity": 1.0 - self.fraction,
            "packing_fraction_asked": options.fraction,
            "pressure": self.pressure,
            "friction": options.friction,
            "preparation_friction": self.preparation_friction,
            "trials": trials,
            "coordination": self.coordination,
            "coordination_without_rattlers": self.coordination_without_rattlers,
            "rattlers": self.rattlers,
            "stiffness_number": self.stiffness_number,
            "overlap_ratio": self.overlap_ratio,
            "unbalanced_force": self.unbalanced_force,
            "shortfall": self.shortfall,
            "steps": self.steps,
            "wall_seconds": self.wall_seconds,
        })
    }

    /// Writes `packing.json`.
    pub(super) fn write(&self, directory: &Path) -> Result<(), WorkloadError> {
        let text = format!("{:#}\n", self.to_json());
        Ok(dem_io::atomic::write_atomically(&directory.join(FILE), text.as_bytes())?)
    }
}
