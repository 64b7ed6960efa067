//! One probe: a small strain in steps, what the stress does, and the strain that is left when the stress has gone back.

use dem_core::DMat3;
use dem_sim::deformation::control::{COMPONENTS, Component, Constraint, Control};
use dem_sim::deformation::servo::AssemblyStiffness;
use dem_sim::measure::{self, StressMeasure};
use dem_sim::simulation::Simulation;
use serde::{Deserialize, Serialize};

use super::plane::{Vector6, length, tensor_of, vector_of};
use crate::error::StudyError;

/// Distance of every stress from that before, in proportion to the stress of an elastic probe, at which unloading ends.
const UNLOADED: f64 = 2e-3;
/// Steps between two looks at it.
const LOOK_EVERY: u32 = 20;
/// Steps after the ramp for which it is waited, in lengths of the ramp.
const PATIENCE: u32 = 10;

/// How a probe is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Procedure {
    /// Steps in which the strain is applied.
    pub steps: u32,
    /// Steps at rest of the cell after each of them.
    pub relax: u32,
    /// Length of the strain \[-\]; also that of a probe without strain, which tells how near the stress must come in unloading.
    pub magnitude: f64,
    /// Steps in which the stress is brought back; it stays where it is if there are none.
    pub unload: u32,
}

/// What came of a probe. Tensors are vectors of [`super::plane`], positive in compression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Strain that was applied \[-\].
    pub strain: Vector6,
    /// Stress of elastic and frictional contact forces at its end \[Pa\].
    pub stress: Vector6,
    /// How far the stress is from that at the start, contacts, dashpots and motion together, along and across all directions \[Pa\].
    pub drift: f64,
    /// Strain after unloading \[-\].
    pub residual: Option<Vector6>,
    /// Distance of the stress from that before, in proportion to the stress of an elastic probe \[-\].
    pub unload_error: Option<f64>,
    /// Mean net force over mean contact force at the end of the strain \[-\].
    pub unbalanced_force: f64,
    /// Share of contacts that slide at the end of the strain.
    pub sliding_share: f64,
    /// The same with those within 0.001 % of the limit.
    pub mobilised_share: f64,
    /// Contacts at the end of the strain.
    pub contacts: u64,
    /// Steps, those of unloading included.
    pub steps: u64,
}

fn refused(detail: impl Into<String>) -> StudyError {
    StudyError::Probe(detail.into())
}

fn rates(gradient: DMat3) -> Result<Control, StudyError> {
    let component = |i: usize, j: usize| Component::Rate(gradient.col(j)[i]);
    let components = std::array::from_fn(|i| std::array::from_fn(|j| component(i, j)));
    Control::new(components, Constraint::None, None).map_err(|refusal| refused(refusal.expected))
}

/// All six components; a strain `xy` alone, not `yx`.
fn stresses(target: DMat3) -> Result<Control, StudyError> {
    let component = |i: usize, j: usize| if i <= j { Component::Stress(target.col(j)[i]) } else { Component::Unasked };
    let components = std::array::from_fn(|i| std::array::from_fn(|j| component(i, j)));
    Control::new(components, Constraint::None, None)
        .map_err(|refusal| refused(format!("unloading to {}: {}", COMPONENTS[0][0], refusal.expected)))
}

/// Deformation of the cell from now on, none to hold it.
fn ask(simulation: &mut Simulation, control: Option<Control>) -> Result<(), StudyError> {
    let deformation = simulation.world.deformation.as_mut().ok_or_else(no_cell)?;
    deformation.control = control;
    Ok(())
}

fn no_cell() -> StudyError {
    refused("the scene has no [cell]: only periodic samples can be probed")
}

fn advance(simulation: &mut Simulation) -> Result<(), StudyError> {
    let Simulation { world, pipeline, .. } = simulation;
    Ok(pipeline.step(world)?)
}

/// Strains a sample, positive in compression, and unloads it.
///
/// # Errors
/// A step that fails, a sample without stress.
pub fn probe(simulation: &mut Simulation, strain: Vector6, procedure: &Procedure) -> Result<Response, StudyError> {
    let Procedure { steps, relax, magnitude, unload } = *procedure;
    let first_step = simulation.world.step;
    let deformation = simulation.world.deformation.as_mut().ok_or_else(no_cell)?;
    deformation.begin_stage(None);
    let strain_before = deformation.state.strain;
    let stress_before = deformation.stress(simulation.world.cell.volume());
    let stiffness = AssemblyStiffness::of(&simulation.world).normal;
    let modulus = (stiffness.x_axis.x + stiffness.y_axis.y + stiffness.z_axis.z) / 3.0;
    let scale = modulus * magnitude;
    if scale.is_nan() || scale <= 0.0 {
        return Err(refused("the saved state has no contacts"));
    }
    let gradient = tensor_of(strain) * (-1.0 / (f64::from(steps) * simulation.world.time_step));
    let push = if gradient == DMat3::ZERO { None } else { Some(rates(gradient)?) };
    for _ in 0..steps {
        ask(simulation, push)?;
        advance(simulation)?;
        ask(simulation, None)?;
        for _ in 0..relax {
            advance(simulation)?;
        }
    }
    let world = &simulation.world;
    let strained = world.deformation.as_ref().ok_or_else(no_cell)?.state.strain;
    let contacts = measure::coordination(world, 0);
    let stress = world.deformation.as_ref().ok_or_else(no_cell)?.stress(world.cell.volume());
    let mut response = Response {
        strain: vector_of(strained - strain_before).map(|x| 0.0 - x),
        stress: vector_of(StressMeasure::of(world).contacts).map(|x| 0.0 - x),
        drift: length(&vector_of(stress - stress_before)),
        residual: None,
        unload_error: None,
        unbalanced_force: measure::unbalanced_force(world),
        sliding_share: contacts.sliding_share,
        mobilised_share: measure::mobilised_share(world, &simulation.contact),
        contacts: world.contact_count().pairs as u64,
        steps: 0,
    };
    if unload > 0 {
        response.unload_error = Some(bring_back(simulation, stress_before, unload, scale)?);
        let left = simulation.world.deformation.as_ref().ok_or_else(no_cell)?.state.strain;
        response.residual = Some(vector_of(left - strain_before).map(|x| 0.0 - x));
    }
    response.steps = simulation.world.step - first_step;
    Ok(response)
}

/// Brings the stress back along a straight line and waits until it has arrived; returns the distance that is left in proportion to `scale` \[Pa\].
fn bring_back(simulation: &mut Simulation, target: DMat3, ramp: u32, scale: f64) -> Result<f64, StudyError> {
    let present = |simulation: &Simulation| {
        let volume = simulation.world.cell.volume();
        simulation.world.deformation.as_ref().map_or(DMat3::ZERO, |deformation| deformation.stress(volume))
    };
    let start = present(simulation);
    for k in 1..=ramp {
        let share = f64::from(k) / f64::from(ramp);
        ask(simulation, Some(stresses(start + (target - start) * share)?))?;
        advance(simulation)?;
    }
    // what the servo has summed up along the ramp would carry the stress past its end
    let deformation = simulation.world.deformation.as_mut().ok_or_else(no_cell)?;
    deformation.begin_stage(Some(stresses(target)?));
    let mut error = f64::INFINITY;
    for _ in 0..(PATIENCE * ramp).div_ceil(LOOK_EVERY) {
        for _ in 0..LOOK_EVERY {
            advance(simulation)?;
        }
        let off = present(simulation) - target;
        error = off.to_cols_array().iter().fold(0.0f64, |most, x| most.max(x.abs())) / scale;
        if error < UNLOADED {
            break;
        }
    }
    Ok(error)
}
