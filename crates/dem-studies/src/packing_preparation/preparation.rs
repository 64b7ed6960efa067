//! How packings are prepared: which phases follow each other, and what they are measured by.

use std::path::Path;

use dem_core::DVec3;
use dem_core::particles::sphere_volume;
use dem_sim::builder;
use dem_sim::measure;
use dem_sim::world::World;
use xxhash_rust::xxh3::xxh3_128;

use super::confinement;
use super::effort::Effort;
use super::growth::{self, mean_pressure};
use super::layout::{Extent, Layout};
use super::options::{Container, Method, Options};
use super::phase::{Outcome, Phase, Running, to_its_end};
use super::scene_text::{SceneText, Source, Stage};
use super::spheres::{PREPARED, Spheres};
use crate::error::StudyError;

/// Spheres in equilibrium.
pub struct Equilibrium {
    /// The spheres with which the phase began that has found it: it can be repeated from them.
    pub start: Spheres,
    /// What it came to.
    pub end: Outcome,
}

/// How packings are prepared.
pub struct Preparation<'a> {
    /// What is asked.
    pub options: &'a Options,
    /// What follows from that.
    pub layout: &'a Layout,
}

impl Preparation<'_> {
    /// The scene of a phase.
    pub fn text(&self, friction: f64) -> SceneText<'_> {
        SceneText { options: self.options, layout: self.layout, friction }
    }

    /// Spheres packed with a friction of the preparation.
    ///
    /// # Errors
    /// A phase that fails or does not end.
    pub fn prepare(&self, friction: f64, effort: &mut Effort) -> Result<Spheres, StudyError> {
        let method = self.options.method;
        let extent = self.layout.extent(self.options);
        let stage = if method == Method::Growth { Stage::Measure } else { Stage::Equilibrium };
        let loaded = self.text(friction).load(&Source::Placed, stage)?;
        let phase = Phase { preparation: self, name: method.name(), loaded: &loaded, settings: "", container: extent };
        match method {
            Method::RandomSequential => {
                let mut simulation = builder::build(&loaded)?;
                simulation.initialise()?;
                Ok(self.spheres(&simulation.world, extent))
            }
            Method::Deposition | Method::Compression => Ok(phase.carry_out(effort, to_its_end)?.spheres),
            Method::Growth => {
                let volume = extent.volume(self.options.container);
                let (pressure, rate) = (self.layout.pressure, self.growth_rate());
                let settings = format!("to {pressure:?} at {rate:?}");
                let phase = Phase { settings: &settings, ..phase };
                let grown = phase.carry_out(effort, |running| growth::grow(running, volume, pressure, rate))?;
                let scaled_back = grown.spheres.scaled(1.0 / grown.growth);
                // the pressure at which growth ends is that of a moving assembly
                Ok(self.equilibrate(scaled_back, friction, effort)?.end.spheres)
            }
        }
    }

    /// The spheres of a world, in its cell if that is periodic and otherwise in a container.
    pub fn spheres(&self, world: &World, container: Extent) -> Spheres {
        let low = world.cell.origin;
        let cell = Extent { low, high: low + world.cell.matrix() * DVec3::ONE };
        Spheres::of(world, if world.deformation.is_some() { cell } else { container })
    }

    /// Whether walls that do not move hold the pressure.
    pub fn is_confined(&self) -> bool {
        self.options.method.imposes_pressure() && self.options.container != Container::Periodic
    }

    /// Growth of radii per time \[1/s\].
    fn growth_rate(&self) -> f64 {
        self.options.rate / self.layout.time(self.options)
    }

    /// Spheres put to rest in a new scene with another friction and brought to equilibrium, at the pressure if one is imposed.
    ///
    /// # Errors
    /// A phase that fails or does not end, a table that cannot be written.
    pub fn equilibrate(&self, spheres: Spheres, friction: f64, effort: &mut Effort) -> Result<Equilibrium, StudyError> {
        if self.is_confined() {
            return confinement::equilibrate_at_pressure(self, spheres, friction, effort);
        }
        let end = self.run_from_rest(&spheres, friction, effort, to_its_end)?;
        Ok(Equilibrium { start: spheres, end })
    }

    /// What becomes of spheres that are put to rest in a new scene that looks for equilibrium.
    ///
    /// # Errors
    /// A table that cannot be written, a scene that is refused, a phase that fails or does not end.
    pub fn run_from_rest(
        &self,
        spheres: &Spheres,
        friction: f64,
        effort: &mut Effort,
        run: impl FnOnce(&mut Running) -> Result<(), StudyError>,
    ) -> Result<Outcome, StudyError> {
        let folder = tempfile::tempdir().map_err(dem_io::Error::system("create", Path::new("a temporary folder")))?;
        spheres.write(&folder.path().join(PREPARED))?;
        let source = Source::Table { folder: folder.path(), name: PREPARED, spheres };
        let loaded = self.text(friction).load(&source, Stage::Equilibrium)?;
        // from what pressure on spheres count as loose is nowhere in the scene
        let pressure = self.layout.pressure;
        let settings = format!("of {:032x} for {pressure:?}", xxh3_128(spheres.table().as_bytes()));
        let phase = Phase {
            preparation: self,
            name: "equilibrium",
            loaded: &loaded,
            settings: &settings,
            container: spheres.extent,
        };
        phase.carry_out(effort, run)
    }

    /// Volume of the cell or container \[m³\].
    fn volume(&self, world: &World, container: Extent) -> f64 {
        match self.options.container {
            Container::Periodic => world.cell.volume(),
            other => container.volume(other),
        }
    }

    /// Pressure: the mean stress that is imposed, or the weight on the floor; none of spheres that do not touch \[Pa\].
    pub fn pressure(&self, world: &World, container: Extent) -> Option<f64> {
        match self.options.method {
            Method::RandomSequential => None,
            Method::Deposition => Some(self.layout.pressure),
            Method::Growth | Method::Compression => Some(mean_pressure(world, self.volume(world, container))),
        }
    }

    /// Packing fraction \[-\]: of the whole cell or container, with deposition of the bulk.
    ///
    /// # Errors
    /// A bed without a bulk.
    pub fn fraction(&self, world: &World, container: Extent) -> Result<f64, StudyError> {
        if self.options.method == Method::Deposition {
            let allowed = "more spheres, and a --width above 6: nothing of this bed is 3 mean diameters away from its floor, walls and surface";
            return measure::bulk_packing_fraction(world)
                .map_err(|_| super::options::refused("--count", self.options.count, allowed));
        }
        let solid = world.particles.sum(|slot| sphere_volume(world.particles.radius[slot]));
        Ok(solid / self.volume(world, container))
    }
}
