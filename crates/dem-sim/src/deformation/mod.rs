//! Periodic cells that deform, under control of strain and stress.
//!
//! Before a step the servo turns what is asked of the cell into a velocity gradient L, and the cell carries all particles along by the
//! affine step F of it. Their velocities are peculiar, measured against `L (x − origin)`, and go to `F⁻¹ v`: with the forces of the step
//! this is `dv/dt = f/m − L v`, the motion between images that move with the cell, without the body force that a change of L
//! and `L² x` would need and that acts at the boundary of a real sample. After the step the work of the cell is booked,
//! `V σ : D Δt` with the mean of the contact stress at both ends and the exact change of kinetic energy.
//!
//! Along directions that are not periodic the cell keeps its shape, and walls move instead. Planes across them stretch with the cell: what
//! touches them slips by its peculiar motion only, since the motion of the cell is another one for every periodic image. Their
//! work is that of walls; the strain between them and the stress of their contacts are those of the sample.
//!
//! Stress and strain are positive in tension in all that is stored here; [`Sense`] is a matter of what is read and written.

pub mod control;
pub mod controller;
pub mod displacement;
pub mod servo;
pub mod stress;

use dem_core::affine::AffineStep;
use dem_core::lanes::Width;
use dem_core::rotation::rotate_orientation;
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::StepError;
use crate::forces::{BLOCK, ForceEvaluation};
use crate::sample::{self, Span};
use crate::world::World;
use control::{COMPONENTS, Control};
use displacement::{Displacement, keep_own_motion};
use servo::Servo;
use stress::{StressSums, contraction, stress_sums, symmetric};

/// Largest change of any length in a step \[-\]; rotations are not limited by it.
pub const LARGEST_STRAIN_OF_STEP: f64 = 0.01;
/// Steps between two looks at the stiffness.
const LOOK_EVERY: u64 = 50;
/// Largest true strain in a stage of a direction whose stress is asked for \[-\].
const LARGEST_STRAIN_UNDER_STRESS: f64 = 1.0;

/// Which sense of stress and strain a scene and its outputs count as positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// Tension and extension, as in continuum mechanics.
    #[default]
    Tension,
    /// Compression and shortening, as in soil mechanics.
    Compression,
}

impl Sense {
    /// Factor between what is stored and what is written.
    pub fn sign(self) -> f64 {
        match self {
            Self::Tension => 1.0,
            Self::Compression => -1.0,
        }
    }

    /// In headers.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Tension => "tension positive",
            Self::Compression => "compression positive",
        }
    }

    /// What positive components of stress, strain and rate mean.
    pub fn explain(self) -> &'static str {
        match self {
            Self::Tension => "tension positive: zz lengthens the cell, xy is the velocity along x that grows along y",
            Self::Compression => {
                "compression positive, all components turned round: zz shortens the cell, xy is the velocity along x that falls along y"
            }
        }
    }
}

/// The part of a deformation that a checkpoint saves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeformationState {
    /// Deformation gradient since the start \[-\].
    pub gradient: DMat3,
    /// True strain, the rate of deformation integrated over time since the start \[-\].
    pub strain: DMat3,
    /// The same at the beginning of the stage \[-\].
    pub strain_before_stage: DMat3,
    /// Velocity gradient of the last step \[1/s\].
    pub velocity_gradient: DMat3,
    /// Rates of strain of the last step along the directions between walls \[1/s\].
    pub wall_rates: DVec3,
    spans: [Option<Span>; 3],
    sums: StressSums,
    servo: Servo,
}

/// A cell that may deform.
#[derive(Clone, Debug)]
pub struct Deformation {
    /// What is asked of it; it keeps its shape if nothing is.
    pub control: Option<Control>,
    /// What is counted as positive.
    pub sense: Sense,
    /// Response time of the servo in times of an elastic wave across a grain \[-\].
    pub response: f64,
    /// What follows it by itself.
    pub displacement: Displacement,
    /// How far it has come.
    pub state: DeformationState,
    width: Width,
}

impl Default for Deformation {
    fn default() -> Self {
        Self::new(Sense::Tension, servo::RESPONSE)
    }
}

impl Deformation {
    /// A cell that keeps its shape until a control is set.
    pub fn new(sense: Sense, response: f64) -> Self {
        let state = DeformationState {
            gradient: DMat3::IDENTITY,
            strain: DMat3::ZERO,
            strain_before_stage: DMat3::ZERO,
            velocity_gradient: DMat3::ZERO,
            wall_rates: DVec3::ZERO,
            spans: [None; 3],
            sums: StressSums::ZERO,
            servo: Servo::NEW,
        };
        let displacement = Displacement::default();
        Self { control: None, sense, response, displacement, state, width: Width::fastest() }
    }

    /// Asks something else of the cell from now on.
    pub fn begin_stage(&mut self, control: Option<Control>) {
        self.control = control;
        self.state.servo = Servo::NEW;
        self.state.strain_before_stage = self.state.strain;
    }

    /// Stress of contacts and motion after the last step, in a volume \[m³\], positive in tension \[Pa\].
    pub fn stress(&self, volume: f64) -> DMat3 {
        self.state.sums.stress(volume)
    }

    /// Time in which the quickest of the stresses that are asked for is answered \[s\]; none if there is none, or the stiffness is not known yet.
    pub fn response_time(&self, world: &World) -> Option<f64> {
        self.state.servo.quickest(&self.control?, self.response_in_waves(world))
    }

    /// Response time in times of an elastic wave across a grain \[-\].
    fn response_in_waves(&self, world: &World) -> f64 {
        match self.displacement {
            Displacement::Affine => self.response,
            // what the boundary does reaches the last grain with a wave
            Displacement::Boundary => self.response * self.state.servo.grains_across(&world.cell),
        }
    }

    /// True strain since the stage began \[-\].
    pub fn stage_strain(&self) -> DMat3 {
        self.state.strain - self.state.strain_before_stage
    }

    /// Distance of the stress from what is asked, see [`Control::stress_error`]; zero if nothing is asked.
    pub fn stress_error(&self, volume: f64) -> f64 {
        let scale = control::mean(self.stress(volume)).abs().max(f64::MIN_POSITIVE);
        self.control.map_or(0.0, |control| control.stress_error(self.stress(volume), scale))
    }

    /// Decides on the velocity gradient of the next step \[1/s\].
    fn decide(&mut self, world: &World) -> Result<DMat3, StepError> {
        let Some(control) = self.control else { return Ok(DMat3::ZERO) };
        let servo = &mut self.state.servo;
        if control.needs_servo() && (servo.is_blind() || world.step.is_multiple_of(LOOK_EVERY)) {
            servo.look(world);
        }
        let stress = self.state.sums.stress(sample::volume(world));
        let strain = self.state.strain - self.state.strain_before_stage;
        for (row, column, target) in control.targets() {
            let reached = strain.col(column)[row];
            if row == column && reached.abs() > LARGEST_STRAIN_UNDER_STRESS {
                return Err(StepError::StressOutOfReach {
                    step: world.step,
                    component: COMPONENTS[row][column],
                    stress: stress.col(column)[row],
                    target,
                    strain: reached,
                });
            }
        }
        let response = self.response_in_waves(world);
        Ok(self.state.servo.velocity_gradient(&control, stress, world.time_step, response))
    }

    /// The affine step of a velocity gradient \[1/s\], none if that is zero.
    fn step(velocity_gradient: DMat3, world: &World) -> Result<Option<AffineStep>, StepError> {
        if velocity_gradient == DMat3::ZERO {
            return Ok(None);
        }
        let step = AffineStep::new(velocity_gradient, world.time_step);
        let step = step.filter(|step| step.strain() <= LARGEST_STRAIN_OF_STEP);
        step.ok_or(StepError::StrainOfStep { step: world.step, limit: LARGEST_STRAIN_OF_STEP }).map(Some)
    }

    /// Lets the cell deform and carry its particles along, before the integrator moves them.
    fn carry(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        let (velocity_gradient, time_step) = (self.decide(world)?, world.time_step);
        let last = std::mem::replace(&mut self.state.velocity_gradient, velocity_gradient);
        let step = Self::step(velocity_gradient, world)?;
        if self.displacement == Displacement::Boundary {
            let last = Self::step(last, world)?;
            let gained = keep_own_motion(world, last.as_ref(), step.as_ref(), self.width);
            world.accumulated.cell += gained;
        }
        let Some(step) = step else {
            world.cell.motion = None;
            return Ok(());
        };
        world.accumulated.cell += self.work_at_one_end(&step, time_step);
        let turn = match self.displacement {
            Displacement::Affine => {
                let backwards = step.inverse.transpose() * step.inverse - DMat3::IDENTITY;
                world.accumulated.cell += 0.5 * contraction(backwards, self.state.sums.motion);
                step.inverse
            }
            Displacement::Boundary => DMat3::IDENTITY,
        };
        world.cell.deform(step);
        let counts = world.cell.reduce();
        let (origin, orientations_follow) = (world.cell.origin, world.orientations_follow);
        let p = &mut world.particles;
        let columns = (
            p.position.par_iter_mut(),
            p.velocity.par_iter_mut(),
            p.orientation.par_iter_mut(),
            p.image.par_iter_mut(),
        );
        columns.into_par_iter().with_min_len(BLOCK).for_each(|(position, velocity, orientation, image)| {
            *position = origin + step.gradient * (*position - origin);
            *velocity = turn * *velocity;
            if orientations_follow && step.rotation != DVec3::ZERO {
                *orientation = rotate_orientation(*orientation, step.rotation);
            }
            if let Some(counts) = counts {
                let n = *image;
                let product = |row: [i32; 3], k: usize| row[k].saturating_mul(n[k]);
                *image = counts.map(|row| (0..3).fold(0i32, |sum, k| sum.saturating_add(product(row, k))));
            }
        });
        forces.deform(&step);
        self.state.gradient = step.gradient * self.state.gradient;
        self.state.strain += step.stretching() * time_step;
        Ok(())
    }

    /// Half a step of the work of the contact stress \[J\]. The spheres turn with the cell, and moments are balanced between them: the skew
    /// part does no work.
    fn work_at_one_end(&self, step: &AffineStep, time_step: f64) -> f64 {
        0.5 * time_step * contraction(self.state.sums.contacts, step.stretching())
    }

    /// Notes how far the walls across directions that are not periodic have moved towards each other.
    fn follow_walls(&mut self, world: &World) {
        for k in (0..3).filter(|&k| !world.cell.periodic[k]) {
            let now = sample::span(sample::walls_in_place(world), k);
            let before = std::mem::replace(&mut self.state.spans[k], now);
            self.state.wall_rates[k] = 0.0;
            if let (Some(before), Some(now)) = (before, now)
                // other walls make another sample, which has not been strained by that
                && before.walls == now.walls
            {
                let strain = libm::log(now.length / before.length);
                self.state.wall_rates[k] = strain / world.time_step;
                self.state.strain.col_mut(k)[k] += strain;
                self.state.gradient.col_mut(k)[k] *= now.length / before.length;
            }
        }
    }

    /// Rate of deformation of the last step \[1/s\].
    pub fn rate_of_deformation(&self) -> DMat3 {
        symmetric(self.state.velocity_gradient) + DMat3::from_diagonal(self.state.wall_rates)
    }

    /// Notes the stress after a step and books the work.
    fn settle(&mut self, world: &mut World) {
        self.follow_walls(world);
        self.state.sums = stress_sums(world, self.width);
        if let Some(step) = &world.cell.motion {
            world.accumulated.cell += self.work_at_one_end(step, world.time_step);
        }
    }
}

/// Deforms the cell of a world, if it does, at the beginning of a step.
///
/// # Errors
/// A stress that cannot be reached, and a strain too large for one step.
pub(crate) fn begin_step(world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
    let Some(mut deformation) = world.deformation.take() else { return Ok(()) };
    let carried = deformation.carry(world, forces);
    world.deformation = Some(deformation);
    carried
}

/// Measures the stress of a world whose cell may deform, after a step.
pub(crate) fn end_step(world: &mut World) {
    if let Some(mut deformation) = world.deformation.take() {
        deformation.settle(world);
        world.deformation = Some(deformation);
    }
}
