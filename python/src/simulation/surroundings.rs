//! Walls, the cell and measured quantities.

use dem_core::DVec3;
use dem_sim::measure;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::Simulation;
use crate::guarded::guarded;

#[pymethods]
impl Simulation {
    /// Names of the walls, in order of their numbers.
    fn wall_names(&self) -> PyResult<Vec<String>> {
        guarded(|| self.with(|state| Ok(state.simulation().world.walls.iter().map(|wall| wall.name.clone()).collect())))
    }

    /// What a wall is and does.
    fn wall<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            self.with(|state| {
                let world = &state.simulation().world;
                let Some(wall) = world.walls.get(number) else {
                    return Err(pyo3::exceptions::PyIndexError::new_err(number));
                };
                let table = PyDict::new(py);
                table.set_item("name", &wall.name)?;
                table.set_item("material", &world.materials[wall.material as usize].name)?;
                table.set_item("active", wall.active)?;
                table.set_item("work", wall.work)?;
                table.set_item("orientation", wall.pose.orientation.to_array())?;
                let vectors = [
                    ("position", wall.pose.position),
                    ("velocity", wall.velocity),
                    ("angular_velocity", wall.angular_velocity),
                    ("load", wall.force),
                    ("torque", wall.torque),
                ];
                for (name, vector) in vectors {
                    table.set_item(name, vector.to_array())?;
                }
                let servo = world.wall_servos.iter().find(|servo| servo.wall == number);
                let held = servo.and_then(|servo| Some((servo, servo.hold()?)));
                let target = held.map(|(_, hold)| match hold.target {
                    dem_sim::wall_servos::Target::Force(force) => ("force", force, "N"),
                    dem_sim::wall_servos::Target::Pressure(pressure) => ("pressure", pressure, "Pa"),
                });
                table.set_item("target", target)?;
                Ok(table)
            })
        })
    }

    /// The cell: origin, edges as rows, which are periodic.
    fn cell<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            self.with(|state| {
                let cell = &state.simulation().world.cell;
                let table = PyDict::new(py);
                table.set_item("origin", cell.origin.to_array())?;
                let matrix = cell.matrix();
                table.set_item("edges", [0, 1, 2].map(|k| matrix.col(k).to_array()))?;
                table.set_item("periodic", cell.periodic)?;
                table.set_item("volume", (matrix * DVec3::X).cross(matrix * DVec3::Y).dot(matrix * DVec3::Z))?;
                Ok(table)
            })
        })
    }

    /// A quantity of the series by its name, if there is one.
    fn measure(&self, py: Python<'_>, name: &str) -> PyResult<Option<f64>> {
        guarded(|| self.with_all(|state| Ok(py.detach(|| measure::value(state.simulation(), name)))))
    }

    /// All quantities of the series: name, value, unit, meaning.
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(|| {
            self.with_all(|state| {
                let simulation = state.simulation();
                let (columns, row) =
                    py.detach(|| (measure::series_columns(&simulation.world), measure::series_row(simulation)));
                let all = columns.iter().zip(row).map(|(c, value)| {
                    (c.name.as_str().to_owned(), value, c.unit.as_str().to_owned(), c.meaning.as_str().to_owned())
                });
                PyList::new(py, all.collect::<Vec<_>>())
            })
        })
    }

    /// Law and parameters of each pair of materials: the two names, the law, and parameters by name.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(|| {
            self.with(|state| {
                let simulation = state.simulation();
                let list = PyList::empty(py);
                for pair in simulation.contact.pairs() {
                    let given = PyDict::new(py);
                    for (name, value) in &pair.parameters {
                        match value {
                            dem_contact::ParameterValue::Number(number) => given.set_item(name, number)?,
                            dem_contact::ParameterValue::Flag(flag) => given.set_item(name, flag)?,
                            dem_contact::ParameterValue::Word(word) => given.set_item(name, word)?,
                        }
                    }
                    let name = |index: usize| simulation.contact.materials[index].name.clone();
                    list.append((name(pair.first), name(pair.second), pair.law, given))?;
                }
                Ok(list)
            })
        })
    }

    /// What stages and the program did: step, time, stage and what.
    fn events(&self) -> PyResult<Vec<(u64, f64, String, String)>> {
        guarded(|| {
            self.with(|state| {
                let events = &state.simulation().state.events;
                Ok(events.iter().map(|e| (e.step, e.time, e.stage.clone(), e.what.clone())).collect())
            })
        })
    }
}
