//! A wall that presses, what is prescribed for it, and its progress.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::wall::{Motion, Wall};
use serde::{Deserialize, Serialize};

use super::assembly::Assembly;
use crate::deformation::sampled_body;
use crate::limits::within;

/// What a wall is to press with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// A force \[N\].
    Force(f64),
    /// A force per area \[Pa\].
    Pressure(f64),
}

/// What is prescribed for a wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// What it presses with.
    pub target: Target,
    /// Unit vector along which it presses.
    pub direction: DVec3,
    /// Area that a pressure acts on \[m²\]; without one it is that of the sample across the direction.
    pub area: Option<f64>,
    /// Largest speed along the direction \[m/s\]; without one that of an inertial number of [`LARGEST_INERTIAL_NUMBER`](crate::deformation::servo::LARGEST_INERTIAL_NUMBER) across a grain.
    pub max_speed: Option<f64>,
    /// Largest displacement along or against the direction while this is prescribed \[m\]; without one the distance to
    /// the far side of all particles.
    pub max_travel: Option<f64>,
    /// Response time in times of an elastic wave across what the wall presses on \[-\].
    pub response: f64,
    /// What else the wall does: a velocity across the direction, a rotation about it.
    pub beside: Motion,
}

/// What a wall does from some moment on.
#[derive(Clone, Debug, PartialEq)]
pub struct WallMotion {
    /// Its prescribed motion, or that in addition to what it holds.
    pub prescribed: Motion,
    /// What it is to press with, if anything.
    pub hold: Option<Hold>,
}

/// How far a hold has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Integral of the controller \[m/s\].
    pub(crate) integral: f64,
    /// Whether the force has been near its target.
    pub(crate) reached: bool,
    /// Displacement along the direction \[m\].
    pub(crate) travel: f64,
    /// Largest displacement \[m\], once there are particles.
    pub(crate) limit: Option<f64>,
    /// What the wall presses on, at the last check.
    pub(crate) assembly: Option<Assembly>,
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
    pub(crate) hold: Option<Hold>,
    pub(crate) progress: Progress,
}

impl WallServo {
    /// Of a wall that is to press somewhen in a run.
    pub fn new(wall: usize, hold: &Hold, start: DVec3) -> Self {
        let Hold { direction, area, .. } = *hold;
        Self { wall, direction, area, start, hold: None, progress: Progress::default() }
    }

    /// Whether one that comes from a file is this one of the scene, has one of `asked` prescribed, or nothing, and has
    /// come as far as it can have.
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

    /// What is prescribed for the wall now.
    pub fn hold(&self) -> Option<&Hold> {
        self.hold.as_ref()
    }

    /// Gives the wall another number to press with, a force \[N\] or a pressure \[Pa\] as before; false if it presses with nothing.
    pub(crate) fn aim(&mut self, number: f64) -> bool {
        let Some(hold) = &mut self.hold else { return false };
        hold.target = match hold.target {
            Target::Force(_) => Target::Force(number),
            Target::Pressure(_) => Target::Pressure(number),
        };
        true
    }

    /// Response time to a change of the force, as last measured on what it presses on \[s\]; none while it holds
    /// nothing or has measured nothing.
    pub fn response_time(&self) -> Option<f64> {
        let (hold, assembly) = (self.hold.as_ref()?, self.progress.assembly?);
        let time = hold.response * (assembly.mass / assembly.stiffness).sqrt();
        (time.is_finite() && time > 0.0).then_some(time)
    }

    /// Force with which the wall presses along its direction \[N\].
    pub fn force(&self, walls: &[Wall]) -> f64 {
        -walls[self.wall].force.dot(self.direction)
    }

    /// Area that a pressure of the wall acts on \[m²\], if it can be determined.
    pub fn area(&self, cell: &Cell, walls: &[Wall]) -> Option<f64> {
        self.area.or_else(|| {
            let edges = sampled_body::edges(cell, sampled_body::walls_in_place(walls));
            sampled_body::area_across(&edges, sampled_body::axis_along(self.direction)?)
        })
    }

    /// Displacement of the wall along its direction since the start of the run \[m\].
    pub fn way(&self, wall: &Wall) -> f64 {
        (wall.pose.position - self.start).dot(self.direction)
    }

    /// Force that is prescribed now \[N\]; none if nothing is, or the area of a pressure is unknown.
    pub fn target_force(&self, cell: &Cell, walls: &[Wall]) -> Option<f64> {
        match self.hold.as_ref()?.target {
            Target::Force(force) => Some(force),
            Target::Pressure(pressure) => Some(pressure * self.area(cell, walls)?),
        }
    }

    /// Distance of the force from its target, in proportion to that \[-\]; zero if there is none.
    pub fn error(&self, cell: &Cell, walls: &[Wall]) -> f64 {
        self.target_force(cell, walls).map_or(0.0, |target| (self.force(walls) / target - 1.0).abs())
    }
}
