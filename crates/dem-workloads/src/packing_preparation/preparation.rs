//! What a packing is measured by while it is prepared.

use dem_core::DVec3;
use dem_sim::measure;
use dem_sim::world::World;

use super::extent::Extent;
use super::layout::Layout;
use super::options::{Container, Method, Options, refused};
use super::scene_text::SceneText;
use super::spheres::Spheres;
use crate::error::WorkloadError;

/// A packing that is prepared.
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
    pub fn growth_rate(&self) -> f64 {
        self.options.rate / self.layout.time(self.options)
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
    pub fn fraction(&self, world: &World, container: Extent) -> Result<f64, WorkloadError> {
        if self.options.method == Method::Deposition {
            let allowed = "more spheres, and a --width above 6: nothing of this bed is 3 mean diameters away from its floor, walls and surface";
            return measure::bulk_packing_fraction(world)
                .map_err(|_| refused("--count", self.options.count, allowed).into());
        }
        let solid = world.particles.sum(|slot| world.particles.solid_volume(slot));
        Ok(solid / self.volume(world, container))
    }
}

/// Mean stress, positive in compression \[Pa\]: of a periodic cell with its motion, of a container of that volume \[m³\] that of the contacts.
pub fn mean_pressure(world: &World, volume: f64) -> f64 {
    match &world.deformation {
        Some(deformation) => -dem_sim::deformation::control::mean(deformation.stress(volume)),
        None => {
            let [xx, yy, zz, ..] = measure::fabric(world).virial;
            -(xx + yy + zz) / (3.0 * volume)
        }
    }
}

/// Number of spheres, members of bodies not among them, and bodies.
pub fn grains(world: &World) -> usize {
    let bodies = &world.particles.bodies;
    world.particles.len() - bodies.members() + bodies.len()
}
