//! A cell that may deform, and how far it has come.

use dem_core::cell::Cell;
use dem_core::lanes::Width;
use dem_core::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::control::{self, Control};
use super::displacement::Displacement;
use super::sampled_body::Span;
use super::servo::{self, Servo};
use super::stress::{StressSums, symmetric};

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
            Self::Tension => {
                "tension positive: zz lengthens the cell, xy is the gradient along y of the velocity along x"
            }
            Self::Compression => {
                "compression positive, the sign of all components is reversed: zz shortens the cell, xy is the gradient along y of the velocity along x with the opposite sign"
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
    pub(crate) spans: [Option<Span>; 3],
    pub(crate) sums: StressSums,
    pub(crate) servo: Servo,
}

/// A cell that may deform.
#[derive(Clone, Debug)]
pub struct Deformation {
    /// What is prescribed for it; it keeps its shape if nothing is.
    pub control: Option<Control>,
    /// What is counted as positive.
    pub sense: Sense,
    /// Response time of the servo in times of an elastic wave across a grain \[-\].
    pub response: f64,
    /// What follows it by itself.
    pub displacement: Displacement,
    /// How far it has come.
    pub state: DeformationState,
    pub(crate) width: Width,
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

    /// Response time of the fastest of the stresses that are prescribed \[s\]; none if there is none, or the stiffness
    /// is not known yet.
    pub fn response_time(&self, cell: &Cell) -> Option<f64> {
        self.state.servo.quickest(&self.control?, self.response_in_waves(cell))
    }

    /// Response time in times of an elastic wave across a grain \[-\].
    pub(crate) fn response_in_waves(&self, cell: &Cell) -> f64 {
        match self.displacement {
            Displacement::Affine => self.response,
            // what the boundary does reaches the last grain with a wave
            Displacement::Boundary => self.response * self.state.servo.grains_across(cell),
        }
    }

    /// True strain since the stage began \[-\].
    pub fn stage_strain(&self) -> DMat3 {
        self.state.strain - self.state.strain_before_stage
    }

    /// Distance of the stress from its target, see [`Control::stress_error`]; zero if there is none.
    pub fn stress_error(&self, volume: f64) -> f64 {
        let scale = control::mean(self.stress(volume)).abs().max(f64::MIN_POSITIVE);
        self.control.map_or(0.0, |control| control.stress_error(self.stress(volume), scale))
    }

    /// Rate of deformation of the last step \[1/s\].
    pub fn rate_of_deformation(&self) -> DMat3 {
        symmetric(self.state.velocity_gradient) + DMat3::from_diagonal(self.state.wall_rates)
    }
}
