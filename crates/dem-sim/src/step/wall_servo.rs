//! One step of the walls that press with a force, as [`crate::wall_servos`] describes it.

use dem_core::wall::Motion;

use crate::deformation::controller::Controller;
use crate::deformation::servo::LARGEST_INERTIAL_NUMBER;
use crate::error::StepError;
use crate::state::world::World;
use crate::wall_servos::assembly::Assembly;
use crate::wall_servos::servo::{Target, WallServo};

/// Steps between two checks of the assembly.
const LOOK_EVERY: u64 = 50;
/// Fraction of the target that the integral takes notice of until the force has been as near to it once: a wall that
/// compacts a loose sample for a long time would otherwise press with twice its target before it comes back.
const NEAR: f64 = 0.01;

impl WallServo {
    /// Speed along the direction for the next step \[m/s\].
    fn decide(&mut self, world: &World) -> Result<f64, StepError> {
        let Some(hold) = &self.hold else { return Ok(0.0) };
        let wall = &world.walls[self.wall];
        if !wall.active || world.particle_count() == 0 {
            return Ok(0.0);
        }
        let force = self.force(&world.walls);
        let unseen = self.progress.assembly.is_none_or(|assembly| assembly.stiffness == 0.0 && force != 0.0);
        if unseen || world.step.is_multiple_of(LOOK_EVERY) {
            self.progress.assembly = Some(Assembly::of(world, self.wall, self.direction));
        }
        let Some(assembly) = self.progress.assembly else { return Ok(0.0) };
        let target = self.target_force(&world.cell, &world.walls);
        let target = target.ok_or_else(|| StepError::NoArea { step: world.step, wall: wall.name.clone() })?;
        let limit = *self.progress.limit.get_or_insert(hold.max_travel.unwrap_or(assembly.far_side.max(0.0)));
        if self.progress.travel.abs() > limit || limit == 0.0 {
            return Err(StepError::ForceOutOfReach {
                step: world.step,
                wall: wall.name.clone(),
                force,
                target,
                travel: self.progress.travel,
                limit,
            });
        }
        let pressure = match hold.target {
            Target::Pressure(pressure) => Some(pressure),
            Target::Force(force) => self.area(&world.cell, &world.walls).map(|area| force / area),
        };
        let default_speed = pressure.map(|pressure| LARGEST_INERTIAL_NUMBER * (pressure / assembly.density).sqrt());
        self.progress.reached |= (target - force).abs() < NEAR * target;
        let controller = Controller {
            stiffness: assembly.stiffness,
            response: hold.response * (assembly.mass / assembly.stiffness).sqrt(),
            time_step: world.time_step,
            max_rate: hold.max_speed.or(default_speed).unwrap_or(0.0),
            integrated: if self.progress.reached { f64::INFINITY } else { NEAR * target },
        };
        let speed = controller.rate(target - force, 0.0, &mut self.progress.integral);
        self.progress.travel += speed * world.time_step;
        Ok(speed)
    }
}

/// Gives the walls that press with a force their motions for the step that begins.
///
/// # Errors
/// A force that is out of reach, or the pressure of a wall whose area is unknown any more.
pub(crate) fn begin_step(world: &mut World) -> Result<(), StepError> {
    let mut servos = std::mem::take(&mut world.wall_servos);
    let decided: Result<Vec<f64>, StepError> = servos.iter_mut().map(|servo| servo.decide(world)).collect();
    if let Ok(speeds) = &decided {
        for (servo, &speed) in servos.iter().zip(speeds) {
            let Some(hold) = &servo.hold else { continue };
            let velocity = hold.beside.velocity + hold.direction * speed;
            world.walls[servo.wall].set_motion(Motion { velocity, ..hold.beside.clone() }, world.time);
        }
    }
    world.wall_servos = servos;
    decided.map(|_| ())
}
