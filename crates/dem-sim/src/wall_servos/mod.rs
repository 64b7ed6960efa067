//! Walls that press with a force or a pressure: before a step the controller of the deforming cell turns the distance of the force from
//! its target into a velocity, which becomes the motion of the wall for this step. The wall stays what every wall is, a rigid body with a
//! pose, whose force the contacts exert and whose work is booked.
//!
//! The stiffness K is that of the particles which are connected with the wall through contacts, if every contact followed the strain between
//! its near and its far side (Voigt's bound). The response time is a multiple of `√(m/K)` with their mass m, the time that an elastic wave
//! takes across them: the pressure of a wall, unlike that of a cell which carries all particles along, has to run through the sample. The
//! gain `1/(K τ)` is then a fixed share of `1/√(m K)`, the speed that a wave gives a wall per force, whatever the length of the sample.

mod assembly;

use dem_core::DVec3;
use dem_core::wall::{Motion, Wall};
use serde::{Deserialize, Serialize};

pub use assembly::Assembly;

use crate::deformation::controller::Controller;
use crate::deformation::servo::LARGEST_INERTIAL_NUMBER;
use crate::error::StepError;
use crate::sample;
use crate::saved_state::soundness::within;
use crate::world::World;

/// Steps between two looks at the assembly.
const LOOK_EVERY: u64 = 50;
/// Share of the target that the integral takes notice of until the force has been as near to it once: a wall that compacts a loose sample for a
/// long time would otherwise press with twice its target before it comes back.
const NEAR: f64 = 0.01;

/// What a wall is to press with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// A force \[N\].
    Force(f64),
    /// A force per area \[Pa\].
    Pressure(f64),
}

/// What is asked of a wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// What it presses with.
    pub target: Target,
    /// Unit vector along which it presses.
    pub direction: DVec3,
    /// Area that a pressure acts on \[m²\]; without one it is that of the sample across the direction.
    pub area: Option<f64>,
    /// Largest speed along the direction \[m/s\]; without one that of an inertial number of [`LARGEST_INERTIAL_NUMBER`] across a grain.
    pub max_speed: Option<f64>,
    /// Largest way along or against the direction while this is asked \[m\]; without one the way to the far side of all particles.
    pub max_travel: Option<f64>,
    /// Response time in times of an elastic wave across what the wall presses on \[-\].
    pub response: f64,
    /// What the wall does beside: a velocity across the direction, a rotation about it.
    pub beside: Motion,
}

/// What a wall does from some moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct WallMotion {
    /// Its prescribed motion, or that beside what it holds.
    pub prescribed: Motion,
    /// What it is to press with, if anything.
    pub hold: Option<Hold>,
}

/// How far a hold has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Progress {
    /// Integral of the controller \[m/s\].
    integral: f64,
    /// Whether the force has been near its target.
    reached: bool,
    /// Way along the direction \[m\].
    travel: f64,
    /// Largest way \[m\], once there are particles.
    limit: Option<f64>,
    /// What the wall presses on, at the last look.
    assembly: Option<Assembly>,
}

/// A wall that presses with a force during some stage of a run. All of it is part of the checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallServo {
    /// Number of the wall.
    pub wall: usize,
    /// Unit vector along which it presses.
    pub direction: DVec3,
    /// Area that a pressure acts on \[m²\], unless it is that of the sample.
    pub area: Option<f64>,
    /// Position of the wall at the start of the run \[m\].
    start: DVec3,
    hold: Option<Hold>,
    progress: Progress,
}

impl WallServo {
    /// Of a wall that is to press somewhen in a run.
    pub fn new(wall: usize, hold: &Hold, start: DVec3) -> Self {
        let Hold { direction, area, .. } = *hold;
        Self { wall, direction, area, start, hold: None, progress: Progress::default() }
    }

    /// Whether one that comes from a file is this one of the scene, is asked one of `asked`, or nothing, and has come as far as it can have.
    pub(crate) fn admits(&self, saved: &Self, asked: &[Hold]) -> bool {
        let above_zero = |number: f64| number >= 0.0 && within(number);
        let pressed = |hold: &Hold| (hold.direction, hold.area) == (saved.direction, saved.area);
        let is_asked = match &saved.hold {
            Some(hold) => asked.contains(hold) && pressed(hold),
            None => (self.direction, self.area) == (saved.direction, saved.area) || asked.iter().any(pressed),
        };
        let Progress { integral, travel, limit, assembly, .. } = saved.progress;
        let seen = assembly.is_none_or(|Assembly { stiffness, mass, density, far_side }| {
            [stiffness, mass, density].into_iter().all(above_zero) && within(far_side)
        });
        (saved.wall, saved.start) == (self.wall, self.start)
            && is_asked
            && within(integral)
            && within(travel)
            && limit.is_none_or(above_zero)
            && seen
    }

    /// Asks something of the wall from now on, or nothing more.
    pub fn begin(&mut self, hold: Option<Hold>) {
        if let Some(hold) = &hold {
            (self.direction, self.area) = (hold.direction, hold.area);
        }
        (self.hold, self.progress) = (hold, Progress::default());
    }

    /// What is asked of the wall now.
    pub fn hold(&self) -> Option<&Hold> {
        self.hold.as_ref()
    }

    /// Time in which it answers to a change of the force, as it last saw what it presses on \[s\]; none while it holds nothing or has seen nothing.
    pub fn response_time(&self) -> Option<f64> {
        let (hold, assembly) = (self.hold.as_ref()?, self.progress.assembly?);
        let time = hold.response * (assembly.mass / assembly.stiffness).sqrt();
        (time.is_finite() && time > 0.0).then_some(time)
    }

    /// Force with which the wall presses along its direction \[N\].
    pub fn force(&self, world: &World) -> f64 {
        -world.walls[self.wall].force.dot(self.direction)
    }

    /// Area that a pressure of the wall acts on \[m²\], if it can be told.
    pub fn area(&self, world: &World) -> Option<f64> {
        self.area.or_else(|| {
            let edges = sample::edges(&world.cell, sample::walls_in_place(world));
            sample::area_across(&edges, sample::axis_along(self.direction)?)
        })
    }

    /// Way of the wall along its direction since the start of the run \[m\].
    pub fn way(&self, wall: &Wall) -> f64 {
        (wall.pose.position - self.start).dot(self.direction)
    }

    /// Force that is asked for now \[N\]; none if nothing is, or the area of a pressure is unknown.
    pub fn target_force(&self, world: &World) -> Option<f64> {
        match self.hold.as_ref()?.target {
            Target::Force(force) => Some(force),
            Target::Pressure(pressure) => Some(pressure * self.area(world)?),
        }
    }

    /// Distance of the force from what is asked, in proportion to that \[-\]; zero if nothing is.
    pub fn error(&self, world: &World) -> f64 {
        self.target_force(world).map_or(0.0, |target| (self.force(world) / target - 1.0).abs())
    }

    /// Speed along the direction for the next step \[m/s\].
    fn decide(&mut self, world: &World) -> Result<f64, StepError> {
        let Some(hold) = &self.hold else { return Ok(0.0) };
        let wall = &world.walls[self.wall];
        if !wall.active || world.particle_count() == 0 {
            return Ok(0.0);
        }
        let force = self.force(world);
        let unseen = self.progress.assembly.is_none_or(|assembly| assembly.stiffness == 0.0 && force != 0.0);
        if unseen || world.step.is_multiple_of(LOOK_EVERY) {
            self.progress.assembly = Some(Assembly::of(world, self.wall, self.direction));
        }
        let Some(assembly) = self.progress.assembly else { return Ok(0.0) };
        let target = self.target_force(world);
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
            Target::Force(force) => self.area(world).map(|area| force / area),
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
