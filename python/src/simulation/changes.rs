//! Changes that a program makes between steps.

use dem_core::particles::NewParticle;
use dem_core::wall::Motion;
use dem_core::{DQuat, DVec3};
use dem_sim::program::{Addition, Quantities};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;

use super::Simulation;
use crate::errors;
use crate::guarded::guarded;

/// Rows of three numbers each.
fn rows<'a>(name: &str, array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<&'a [DVec3]> {
    if array.shape().get(1) != Some(&3) {
        return Err(PyValueError::new_err(format!(
            "{name}: expected an array of shape (n, 3), got {:?}",
            array.shape()
        )));
    }
    let flat = array.as_slice().map_err(|_| PyValueError::new_err(format!("{name}: expected a contiguous array")))?;
    Ok(bytemuck::cast_slice(flat))
}

fn numbers<'a>(name: &str, array: &'a PyReadonlyArray1<'_, f64>, count: usize) -> PyResult<&'a [f64]> {
    let flat = array.as_slice().map_err(|_| PyValueError::new_err(format!("{name}: expected a contiguous array")))?;
    if flat.len() == count {
        Ok(flat)
    } else {
        Err(PyValueError::new_err(format!("{name}: expected {count} numbers, one for each row, got {}", flat.len())))
    }
}

#[pymethods]
impl Simulation {
    /// Gives all particles positions, velocities, angular velocities or loads, in order of ids.
    fn give(&self, py: Python<'_>, name: &str, values: PyReadonlyArray2<'_, f64>) -> PyResult<()> {
        let all = [
            Quantities::Position,
            Quantities::Velocity,
            Quantities::AngularVelocity,
            Quantities::ExternalForce,
            Quantities::ExternalTorque,
        ];
        let what =
            all.into_iter().find(|what| what.name() == name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        guarded(|| {
            let rows = rows(name, &values)?;
            self.change(|state| {
                let order = state.order();
                let simulation = state.held.simulation_mut();
                py.detach(|| simulation.give(what, rows, &order)).map_err(errors::program)
            })
        })
    }

    /// Inserts spheres, all or none; returns their ids.
    fn insert(
        &self,
        py: Python<'_>,
        position: PyReadonlyArray2<'_, f64>,
        radius: PyReadonlyArray1<'_, f64>,
        velocity: PyReadonlyArray2<'_, f64>,
        angular_velocity: PyReadonlyArray2<'_, f64>,
        density: PyReadonlyArray1<'_, f64>,
        material: u16,
        group: u32,
        most_overlap: f64,
    ) -> PyResult<Vec<u64>> {
        guarded(|| {
            let position = rows("position", &position)?;
            let count = position.len();
            let velocity = rows("velocity", &velocity)?;
            let angular_velocity = rows("angular_velocity", &angular_velocity)?;
            if [velocity.len(), angular_velocity.len()] != [count; 2] {
                return Err(PyValueError::new_err(format!("velocities: expected {count} rows, as many as positions")));
            }
            if !(0.0..=1.0).contains(&most_overlap) {
                return Err(PyValueError::new_err(format!(
                    "max_overlap: expected 0 <= value <= 1, got {most_overlap}"
                )));
            }
            let radius = numbers("radius", &radius, count)?;
            let density = numbers("density", &density, count)?;
            let sphere = |row: usize| NewParticle {
                position: position[row],
                velocity: velocity[row],
                angular_velocity: angular_velocity[row],
                orientation: DQuat::IDENTITY,
                radius: radius[row],
                density: density[row],
                material,
                group,
                frozen: 0,
            };
            let spheres = (0..count).map(sphere).collect();
            self.change(|state| {
                let simulation = state.held.simulation_mut();
                if material as usize >= simulation.world.materials.len() {
                    return Err(PyIndexError::new_err(material));
                }
                py.detach(|| simulation.insert(Addition { spheres, most_overlap })).map_err(errors::program)
            })
        })
    }

    /// Takes spheres out.
    fn remove(&self, py: Python<'_>, ids: Vec<u64>) -> PyResult<()> {
        guarded(|| {
            self.change(|state| {
                let simulation = state.held.simulation_mut();
                py.detach(|| simulation.take_out_particles(&ids)).map_err(errors::program)
            })
        })
    }

    /// Takes rigid bodies out.
    fn remove_bodies(&self, py: Python<'_>, ids: Vec<u32>) -> PyResult<()> {
        guarded(|| {
            self.change(|state| {
                let simulation = state.held.simulation_mut();
                py.detach(|| simulation.take_out_bodies(&ids)).map_err(errors::program)
            })
        })
    }

    /// Does what an action of a stage does, given as TOML with a table `action`.
    fn act(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        guarded(|| {
            self.change(|state| {
                let loaded = std::sync::Arc::clone(&state.loaded);
                let simulation = state.held.simulation_mut();
                py.detach(|| simulation.act_as_stage(&loaded, text)).map_err(errors::program)
            })
        })
    }

    /// Gives a wall a constant velocity and angular velocity about its reference point.
    fn move_wall(&self, py: Python<'_>, number: usize, velocity: [f64; 3], angular_velocity: [f64; 3]) -> PyResult<()> {
        guarded(|| {
            self.change(|state| {
                let simulation = state.held.simulation_mut();
                if number >= simulation.world.walls.len() {
                    return Err(PyIndexError::new_err(number));
                }
                if velocity.iter().chain(&angular_velocity).any(|x| !x.is_finite()) {
                    return Err(PyValueError::new_err("velocity of a wall: expected finite numbers"));
                }
                let motion = Motion {
                    velocity: velocity.into(),
                    angular_velocity: angular_velocity.into(),
                    ..Motion::default()
                };
                py.detach(|| simulation.move_wall(number, motion)).map_err(errors::program)
            })
        })
    }

    /// Gives a wall that presses another force or pressure.
    fn aim_wall(&self, number: usize, target: f64) -> PyResult<()> {
        guarded(|| {
            self.change(|state| {
                let simulation = state.held.simulation_mut();
                if number >= simulation.world.walls.len() {
                    return Err(PyIndexError::new_err(number));
                }
                simulation.aim_wall(number, target).map_err(errors::program)
            })
        })
    }

    /// Ends the present stage after the steps so far.
    fn next_stage(&self) -> PyResult<()> {
        guarded(|| self.change(|state| state.held.simulation_mut().end_stage().map_err(errors::program)))
    }
}
