//! Stages: what is done when they begin, and conditions that end them.

use dem_core::DVec3;

use super::removal::Removed;
use super::{Event, Simulation, SimulationError, events};
use crate::builder::ContactDefinition;
use crate::deformation::control::Control;
use crate::fields::Fields;
use crate::insertion::Region;
use crate::wall_servos::WallMotion;

/// A bound of a column of the series.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Column.
    pub quantity: String,
    /// Holds below this value.
    pub below: Option<f64>,
    /// Holds above this value.
    pub above: Option<f64>,
}

/// A true strain of the cell since the stage began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainBound {
    /// Row and column; none for that of the volume.
    pub component: Option<(usize, usize)>,
    /// Reached from the side of zero, positive in extension \[-\].
    pub value: f64,
}

/// When the stresses that are asked of the cell and the forces that are asked of walls count as reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressReached {
    /// Largest distance from a target in proportion to the largest target \[-\].
    pub tolerance: f64,
    /// Largest mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: f64,
}

/// Conditions of which any one ends a stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Condition {
    /// Time in the stage \[s\].
    pub time: Option<f64>,
    /// Steps in the stage.
    pub steps: Option<u64>,
    /// At rest with nothing left to pour.
    pub at_rest: bool,
    /// Nothing left to pour.
    pub poured: bool,
    /// Strains of the cell.
    pub strain: Vec<StrainBound>,
    /// Stresses of the cell.
    pub stress_reached: Option<StressReached>,
    /// A measured quantity.
    pub measure: Option<Measure>,
}

/// Something done at the start of a stage; walls by number, sources by name.
#[derive(Clone)]
pub enum Action {
    /// Takes a wall away.
    RemoveWall(usize),
    /// Puts a wall in place.
    AddWall(usize),
    /// Gives a wall a new motion.
    MoveWall(usize, Box<WallMotion>),
    /// Changes contact parameters.
    SetContact(Box<ContactDefinition>),
    /// Replaces gravity and the other fields.
    SetFields(Box<Fields>),
    /// Takes out the particles of a region.
    RemoveParticles(Box<Region>),
    /// Gives the particles of a guide a velocity along its path \[m/s\].
    DriveGuide(String, f64),
    /// Lets a source pour.
    StartPouring(String),
    /// Stops a source.
    StopPouring(String),
}

/// A stage.
#[derive(Clone)]
pub struct Stage {
    /// Name.
    pub name: String,
    /// Done when it begins.
    pub actions: Vec<Action>,
    /// What is asked of the cell while it lasts.
    pub deform: Option<Control>,
    /// When it ends.
    pub until: Condition,
}

impl Stage {
    /// The one of a scene without stages: until at rest, or the end of time.
    pub(crate) fn implied() -> Self {
        let until = Condition { at_rest: true, ..Condition::default() };
        Self { name: "run".to_owned(), actions: Vec::new(), deform: None, until }
    }

    /// Whether it is that one.
    pub(crate) fn is_implied(&self) -> bool {
        let own = Self::implied();
        self.name == own.name && self.actions.is_empty() && self.deform.is_none() && self.until == own.until
    }
}

/// When the assembly counts as at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestCriterion {
    /// Kinetic energy per particle in proportion to m g d \[-\].
    pub kinetic_energy: f64,
    /// Mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: f64,
    /// For how long \[s\].
    pub duration: f64,
}

impl Default for RestCriterion {
    fn default() -> Self {
        Self { kinetic_energy: 1e-7, unbalanced_force: 1e-3, duration: 0.05 }
    }
}

impl Simulation {
    /// Does the actions with which the present stage begins.
    pub(super) fn enter_stage(&mut self) -> Result<(), SimulationError> {
        let stage = self.stages[self.state.stage].clone();
        // the speed of a wall that presses is decided in the next step
        let moves = |action: &Action| matches!(action, Action::MoveWall(_, motion) if motion.hold.is_none());
        let moves_walls = stage.actions.iter().any(moves);
        for action in stage.actions {
            let mut what = events::describe(&action, &self.world);
            if let Some(outcome) = self.act(action)? {
                what = outcome;
            }
            let (step, time) = (self.world.step, self.world.time);
            self.state.events.push(Event { step, time, stage: stage.name.clone(), what });
        }
        if moves_walls {
            // the step that follows starts from the forces of walls that have their new velocities
            self.pipeline.initialise(&mut self.world)?;
        }
        if let Some(deformation) = &mut self.world.deformation {
            deformation.begin_stage(stage.deform);
        }
        self.state.entered = true;
        self.state.stage_time = self.world.time;
        self.state.stage_step = self.world.step;
        self.admit_driving();
        tracing::info!("stage \"{}\" begins at t = {:.6} s", stage.name, self.world.time);
        Ok(())
    }

    /// Does an action; says what came of it where that is not known beforehand.
    fn act(&mut self, action: Action) -> Result<Option<String>, SimulationError> {
        match action {
            Action::AddWall(wall) => self.add_wall(wall)?,
            Action::RemoveWall(wall) => {
                // what its contacts held elastically leaves with it
                let before = self.world.energy().balance();
                let world = &mut self.world;
                world.walls[wall].active = false;
                world.walls[wall].force = DVec3::ZERO;
                world.walls[wall].torque = DVec3::ZERO;
                world.walls[wall].surface_force = DVec3::ZERO;
                self.pipeline.forces.rebuild(world)?;
                world.accumulated.exchanged += world.energy().balance() - before;
                self.pipeline.forces.invalidate();
            }
            Action::MoveWall(wall, motion) => {
                let (world, WallMotion { prescribed, hold }) = (&mut self.world, *motion);
                world.walls[wall].set_motion(prescribed, world.time);
                if let Some(servo) = world.wall_servos.iter_mut().find(|servo| servo.wall == wall) {
                    servo.begin(hold);
                }
                // how far a turning wall reaches is looked at when the list is rebuilt
                self.pipeline.forces.invalidate();
            }
            Action::SetContact(contact) => {
                let kept_work = self.world.keeps_work();
                self.set_contact(*contact)?;
                if self.world.keeps_work() != kept_work {
                    // what was dissipated unseen is missing from the balance: later ones are compared with that of now
                    self.state.first_energy_balance = Some(self.world.energy().balance());
                }
                self.admit_contact_change();
            }
            Action::SetFields(fields) => self.set_fields(*fields)?,
            Action::RemoveParticles(region) => {
                let Removed { count, mass } = self.remove_particles(&region)?;
                tracing::info!("{count} particles removed, {mass:.6e} kg");
                return Ok(Some(format!("{count} particles of {mass} kg removed")));
            }
            Action::DriveGuide(name, velocity) => self.world.drive_guide(&name, velocity),
            Action::StartPouring(name) => self.set_pouring(&name, true),
            Action::StopPouring(name) => self.set_pouring(&name, false),
        }
        Ok(None)
    }

    fn set_pouring(&mut self, name: &str, active: bool) {
        for source in self.sources.iter_mut().filter(|source| source.name == name) {
            source.active = active;
        }
    }
}
