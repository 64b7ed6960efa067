//! What stages do, done by a program.

use dem_core::wall::Motion;

use super::error::ProgramError;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::stages::program_action;
use crate::simulation::components::Simulation;

impl Simulation {
    /// Does what an action of a stage does, written as in a scene: a text with a table `action`. It is noted among the events of the run.
    ///
    /// # Errors
    /// [`ProgramError::Action`], [`ProgramError::Simulation`] if the simulation cannot go on after it.
    pub fn act_as_stage(&mut self, loaded: &LoadedScene, text: &str) -> Result<(), ProgramError> {
        self.check_whole()?;
        let action = program_action(loaded, self, text)?;
        Ok(self.act_for_program(action)?)
    }

    /// Gives a wall another motion from where it is, without a note among the events: for motions that a program changes all the time.
    ///
    /// # Errors
    /// A simulation that cannot go on after it.
    pub fn move_wall(&mut self, wall: usize, motion: Motion) -> Result<(), ProgramError> {
        self.check_whole()?;
        let world = &mut self.world;
        world.walls[wall].set_motion(motion, world.time);
        if let Some(servo) = world.wall_servos.iter_mut().find(|servo| servo.wall == wall) {
            servo.begin(None);
        }
        self.pipeline.forces.invalidate();
        self.pipeline.initialise(world)?;
        self.admit_driving();
        Ok(())
    }

    /// Gives a wall that presses another force \[N\] or pressure \[Pa\], whichever it holds.
    ///
    /// # Errors
    /// [`ProgramError::NoServo`], [`ProgramError::Value`].
    pub fn aim_wall(&mut self, wall: usize, number: f64) -> Result<(), ProgramError> {
        self.check_whole()?;
        if !number.is_finite() {
            return Err(ProgramError::Value { what: "target", row: wall, value: number, allowed: "a finite number" });
        }
        let servo = self.world.wall_servos.iter_mut().find(|servo| servo.wall == wall);
        match servo.is_some_and(|servo| servo.aim(number)) {
            true => Ok(()),
            false => Err(ProgramError::NoServo(self.world.walls[wall].name.clone())),
        }
    }

    /// Ends the present stage as one of its conditions does: the next one begins with the next step, or the simulation has ended.
    ///
    /// # Errors
    /// [`ProgramError::Unfinished`].
    pub fn end_stage(&mut self) -> Result<(), ProgramError> {
        self.check_whole()?;
        if self.state.stopped.is_none() {
            self.leave_stage(false);
        }
        Ok(())
    }

    /// Whether the state may be read and changed.
    ///
    /// # Errors
    /// [`ProgramError::Unfinished`].
    pub fn check_whole(&self) -> Result<(), ProgramError> {
        if self.world.forces.are_known() { Ok(()) } else { Err(ProgramError::Unfinished) }
    }
}
