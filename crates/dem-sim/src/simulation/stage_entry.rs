//! What is done when a stage begins.

use dem_core::DVec3;

use super::components::Simulation;
use super::error::SimulationError;
use super::events::{self, Event};
use super::removal::Removed;
use super::stage::Action;
use crate::wall_servos::servo::WallMotion;

impl Simulation {
    /// Does the actions with which the present stage begins.
    pub(super) fn enter_stage(&mut self) -> Result<(), SimulationError> {
        let stage = self.stages[self.state.stage].clone();
        // the speed of a wall that presses is decided in the next step
        let moves = |action: &Action| matches!(action, Action::MoveWall(_, motion) if motion.hold.is_none());
        let moves_walls = stage.actions.iter().any(moves);
        for action in stage.actions {
            self.act_and_note(action)?;
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

    /// Does an action of a program between two steps, which may be that of any stage.
    pub(crate) fn act_for_program(&mut self, action: Action) -> Result<(), SimulationError> {
        let (moves, sets_contact) = (matches!(action, Action::MoveWall(..)), matches!(action, Action::SetContact(_)));
        self.act_and_note(action)?;
        self.contact_is_of_program |= sets_contact;
        if moves {
            self.pipeline.initialise(&mut self.world)?;
            self.admit_driving();
        }
        Ok(())
    }

    fn act_and_note(&mut self, action: Action) -> Result<(), SimulationError> {
        let mut what = events::describe(&action, &self.world);
        if let Some(outcome) = self.act(action)? {
            what = outcome;
        }
        let (step, time, stage) = (self.world.step, self.world.time, self.stage_name().to_owned());
        self.state.events.push(Event { step, time, stage, what });
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
                // so that what ends is booked as known to all parts
                self.pipeline.forces.invalidate();
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
                // how far a turning wall reaches is checked when the list is rebuilt
                self.pipeline.forces.invalidate();
            }
            Action::SetContact(contact) => {
                let kept_work = self.world.keeps_work();
                self.set_contact(*contact)?;
                self.contact_is_of_program = false;
                if self.world.keeps_work() != kept_work {
                    // what was dissipated without being booked is missing from the balance: later ones are compared
                    // with that of now
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
            Action::DriveGuide(name, velocity, spin) => self.world.drive_guide(&name, velocity, spin),
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
