//! Columns of particles as copies in order of ids.

use dem_core::DVec3;
use dem_sim::world::World;
use dem_sim::{measure, world};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::{Simulation, vectors};
use crate::guarded::guarded;

/// Names of the columns that every simulation has.
const NAMES: [&str; 18] = [
    "id",
    "position",
    "velocity",
    "angular_velocity",
    "orientation",
    "force",
    "torque",
    "radius",
    "mass",
    "inertia",
    "material",
    "group",
    "frozen",
    "image",
    "body",
    "contacts",
    "external_force",
    "external_torque",
];

/// Rows that are worth a thread of their own.
const ALONE: usize = 8192;

fn gathered<T: Copy + Send>(order: &[u32], of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    order.par_iter().with_min_len(ALONE).map(|&slot| of(slot as usize)).collect()
}

/// A column before it becomes an array.
enum Numbers {
    Vectors(Vec<DVec3>),
    Quaternions(Vec<f64>),
    Reals(Vec<f64>),
    Images(Vec<i32>),
    U64(Vec<u64>),
    U32(Vec<u32>),
    U16(Vec<u16>),
    U8(Vec<u8>),
    User(Vec<f64>, usize),
}

impl Numbers {
    fn of(world: &World, order: &[u32], name: &str) -> Option<Self> {
        let p = &world.particles;
        let external = |slot: usize| p.external.get(slot).copied().unwrap_or_default();
        Some(match name {
            "id" => Self::U64(gathered(order, |slot| p.id[slot])),
            "position" => Self::Vectors(gathered(order, |slot| p.position[slot])),
            "velocity" => Self::Vectors(gathered(order, |slot| p.velocity[slot])),
            "angular_velocity" => Self::Vectors(gathered(order, |slot| p.angular_velocity[slot])),
            "orientation" => {
                let each = order.iter().flat_map(|&slot| p.orientation[slot as usize].to_array());
                Self::Quaternions(each.collect())
            }
            "force" => Self::Vectors(gathered(order, |slot| p.force[slot])),
            "torque" => Self::Vectors(gathered(order, |slot| p.torque[slot])),
            "radius" => Self::Reals(gathered(order, |slot| p.radius[slot])),
            "mass" => Self::Reals(gathered(order, |slot| p.mass[slot])),
            "inertia" => Self::Reals(gathered(order, |slot| p.inertia(slot))),
            "material" => Self::U16(gathered(order, |slot| p.material[slot])),
            "group" => Self::U32(gathered(order, |slot| p.group[slot])),
            "frozen" => Self::U8(gathered(order, |slot| p.frozen[slot])),
            "image" => Self::Images(order.iter().flat_map(|&slot| p.image[slot as usize]).collect()),
            "body" => Self::U32(gathered(order, |slot| p.body[slot])),
            "contacts" => {
                let numbers = measure::contact_numbers(world);
                Self::U32(gathered(order, |slot| numbers[slot].0 + numbers[slot].1))
            }
            "external_force" => Self::Vectors(gathered(order, |slot| external(slot).force)),
            "external_torque" => Self::Vectors(gathered(order, |slot| external(slot).torque)),
            _ => {
                let column = p.user.iter().find(|column| column.name == name)?;
                let width = column.width;
                let row = |&slot: &u32| column.values[slot as usize * width..][..width].iter().copied();
                Self::User(order.iter().flat_map(row).collect(), width)
            }
        })
    }

    fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let shaped = |flat: Vec<f64>, width: usize| {
            let rows = flat.len() / width;
            PyArray1::from_vec(py, flat).reshape([rows, width]).map(Bound::into_any)
        };
        Ok(match self {
            Self::Vectors(rows) => vectors(py, rows)?,
            Self::Quaternions(flat) => shaped(flat, 4)?,
            Self::Reals(flat) | Self::User(flat, 1) => PyArray1::from_vec(py, flat).into_any(),
            Self::User(flat, width) => shaped(flat, width)?,
            Self::Images(flat) => {
                let rows = flat.len() / 3;
                PyArray1::from_vec(py, flat).reshape([rows, 3])?.into_any()
            }
            Self::U64(flat) => PyArray1::from_vec(py, flat).into_any(),
            Self::U32(flat) => PyArray1::from_vec(py, flat).into_any(),
            Self::U16(flat) => PyArray1::from_vec(py, flat).into_any(),
            Self::U8(flat) => PyArray1::from_vec(py, flat).into_any(),
        })
    }
}

#[pymethods]
impl Simulation {
    /// Names of the columns of particles.
    fn column_names(&self) -> PyResult<Vec<String>> {
        guarded(|| {
            self.with(|state| {
                let own = state.simulation().world.particles.user.iter().map(|column| column.name.clone());
                Ok(NAMES.iter().map(|&name| name.to_owned()).chain(own).collect())
            })
        })
    }

    /// A copy of a column in order of ids; the array may not be written.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let numbers = self.with_all(|state| {
                let order = state.order();
                let found = py.detach(|| Numbers::of(&state.simulation().world, &order, name));
                found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
            })?;
            let array = numbers.into_array(py)?;
            array.call_method1("setflags", (false,))?;
            Ok(array)
        })
    }

    /// Names of the materials, in order of their numbers.
    fn materials(&self) -> PyResult<Vec<String>> {
        guarded(|| self.with(|state| Ok(state.simulation().world.materials.iter().map(|m| m.name.clone()).collect())))
    }

    /// Names of the sources, in order of their numbers.
    fn sources(&self) -> PyResult<Vec<String>> {
        guarded(|| self.with(|state| Ok(state.simulation().world.provenance.names().to_vec())))
    }

    /// Number of rigid bodies.
    fn body_count(&self) -> PyResult<usize> {
        guarded(|| self.with(|state| Ok(body_count(&state.simulation().world))))
    }
}

fn body_count(world: &world::World) -> usize {
    world.particles.bodies.len()
}
