//! Phases of a preparation: simulations that run to their end, and the spheres that pass from one to the next.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use dem_core::DVec3;
use dem_core::particles::sphere_volume;
use dem_io::atomic::write_atomically;
use dem_sim::builder;
use dem_sim::measure;
use dem_sim::simulation::Simulation;
use dem_sim::world::World;

use super::confinement;
use super::growth::{self, mean_pressure};
use super::layout::{Extent, Layout};
use super::options::{Container, Method, Options};
use super::scene_text::{SceneText, Source, Stage};
use crate::error::StudyError;
use crate::progress::Teller;

/// Name of the table of spheres between two phases.
pub const PREPARED: &str = "prepared.csv";

/// Spheres at rest in the order of their ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Spheres {
    /// Centres \[m\] and radii \[m\].
    pub spheres: Vec<(DVec3, f64)>,
    /// Their cell or container.
    pub extent: Extent,
}

impl Spheres {
    /// Those of a world in a cell or container, brought into the cell.
    fn of(world: &World, extent: Extent) -> Self {
        let p = &world.particles;
        let place = |slot: u32| {
            let mut centre = p.position[slot as usize];
            world.cell.wrap(&mut centre);
            (centre, p.radius[slot as usize])
        };
        Self { spheres: p.slots_by_id().into_iter().map(place).collect(), extent }
    }

    /// All lengths multiplied by a factor.
    pub fn scaled(mut self, factor: f64) -> Self {
        for (centre, radius) in &mut self.spheres {
            *centre *= factor;
            *radius *= factor;
        }
        self.extent = self.extent.scaled(factor);
        self
    }

    /// All places multiplied by a factor, with the container; the radii remain.
    pub fn stretched(&self, factor: f64) -> Self {
        let spheres = self.spheres.iter().map(|&(centre, radius)| (centre * factor, radius)).collect();
        Self { spheres, extent: self.extent.scaled(factor) }
    }

    /// Writes the table that scenes read, with every bit.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StudyError> {
        let mut text = String::from("x,y,z,r\n");
        for (x, r) in &self.spheres {
            let _ = writeln!(text, "{:?},{:?},{:?},{r:?}", x.x, x.y, x.z);
        }
        Ok(write_atomically(path, text.as_bytes())?)
    }
}

/// Steps so far and when to stop.
pub struct Effort<'a> {
    /// Most steps of one phase.
    max_steps: u64,
    /// Set when the user wants no more.
    pub interrupted: &'a AtomicBool,
    report: &'a mut dyn FnMut(&str),
    /// Steps of all phases so far.
    pub steps: u64,
}

impl<'a> Effort<'a> {
    /// Nothing done yet.
    pub fn new(max_steps: u64, interrupted: &'a AtomicBool, report: &'a mut dyn FnMut(&str)) -> Self {
        Self { max_steps, interrupted, report, steps: 0 }
    }

    /// Most steps of one phase.
    pub fn max_steps(&self) -> u64 {
        self.max_steps
    }

    /// Tells what goes on.
    pub fn say(&mut self, text: &str) {
        (self.report)(text);
    }

    /// A step of a phase.
    ///
    /// # Errors
    /// One step too many, an interruption, a step that fails.
    pub fn advance(&mut self, simulation: &mut Simulation) -> Result<(), StudyError> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(StudyError::Interrupted);
        }
        if simulation.world.step >= self.max_steps {
            return Err(no_end(simulation));
        }
        simulation.advance()?;
        self.steps += 1;
        Ok(())
    }

    /// Runs a simulation to its end.
    ///
    /// # Errors
    /// As [`Self::advance`].
    fn finish(&mut self, simulation: &mut Simulation) -> Result<(), StudyError> {
        let teller = Teller::new();
        while simulation.state.stopped.is_none() {
            self.advance(simulation)?;
            teller.tell(|| {
                let (stage, step) = (simulation.stage_name(), simulation.world.step);
                let unbalanced = measure::unbalanced_force(&simulation.world);
                format!("stage {stage}: step {step}, unbalanced force {unbalanced:.1e}")
            });
        }
        Ok(())
    }
}

/// A phase that did not end within the steps allowed.
pub fn no_end(simulation: &Simulation) -> StudyError {
    let unbalanced = measure::unbalanced_force(&simulation.world);
    StudyError::Convergence {
        method: "preparation of the packing",
        detail: format!(
            "stage \"{}\" has not ended after {} steps (unbalanced force {unbalanced:.2e}); allow more with --max-steps",
            simulation.stage_name(),
            simulation.world.step
        ),
    }
}

/// Spheres in equilibrium.
pub struct Equilibrium {
    /// The phase that has found it.
    pub simulation: Simulation,
    /// The spheres with which that phase began: it can be repeated from them.
    pub start: Spheres,
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
        let stage = if self.options.method == Method::Growth { Stage::Measure } else { Stage::Equilibrium };
        let mut simulation = builder::build(&self.text(friction).load(&Source::Placed, stage)?)?;
        simulation.initialise()?;
        let extent = self.layout.extent(self.options);
        match self.options.method {
            Method::RandomSequential => {}
            Method::Deposition | Method::Compression => {
                effort.finish(&mut simulation)?;
                // a bed without a bulk is refused before anything is written
                self.fraction(&simulation.world, extent)?;
            }
            Method::Growth => {
                let volume = extent.volume(self.options.container);
                let factor = growth::grow(&mut simulation, volume, self.layout.pressure, self.growth_rate(), effort)?;
                let grown = self.spheres(&simulation.world, extent).scaled(1.0 / factor);
                // the pressure at which growth ends is that of a moving assembly
                let settled = self.equilibrate(grown, friction, effort)?;
                return Ok(self.spheres(&settled.simulation.world, settled.start.extent));
            }
        }
        Ok(self.spheres(&simulation.world, extent))
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
        let mut simulation = self.put_to_rest(&spheres, friction)?;
        effort.finish(&mut simulation)?;
        Ok(Equilibrium { simulation, start: spheres })
    }

    /// Spheres at rest in a new scene that looks for equilibrium.
    ///
    /// # Errors
    /// A table that cannot be written, a scene that is refused.
    pub fn put_to_rest(&self, spheres: &Spheres, friction: f64) -> Result<Simulation, StudyError> {
        let folder = tempfile::tempdir().map_err(dem_io::Error::system("create", Path::new("a temporary folder")))?;
        spheres.write(&folder.path().join(PREPARED))?;
        let source = Source::Table { folder: folder.path(), name: PREPARED, spheres };
        let mut simulation = builder::build(&self.text(friction).load(&source, Stage::Equilibrium)?)?;
        simulation.initialise()?;
        Ok(simulation)
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
        let solid = world.particles.sum_by_id(|slot| sphere_volume(world.particles.radius[slot]));
        Ok(solid / self.volume(world, container))
    }
}
