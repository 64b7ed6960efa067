//! Columns of particles lent to Python without a copy, in order of slots.
//!
//! A lent column moves into a [`Lent`] object, which is the base of the array: its memory lives as long as any array that looks at it. Taken back, it moves
//! into the world again, or is copied if somebody has kept an array: what was kept is stale then, and harmless. While anything is lent nothing else of the
//! simulation can be read, changed or stepped.
#![expect(unsafe_code, reason = "arrays over memory that an object keeps alive")]

use std::cell::UnsafeCell;

use dem_core::DVec3;
use dem_core::particles::ExternalLoad;
use dem_sim::world::World;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use super::{Simulation, State};
use crate::errors;
use crate::guarded::guarded;

/// What can be lent: names, and whether a program may write there.
const COLUMNS: [(&str, bool); 9] = [
    ("position", true),
    ("velocity", true),
    ("angular_velocity", true),
    ("external", true),
    ("force", false),
    ("torque", false),
    ("radius", false),
    ("mass", false),
    ("id", false),
];

/// Memory of a column.
enum Column {
    Vectors(Vec<DVec3>),
    Reals(Vec<f64>),
    Loads(Vec<ExternalLoad>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Vectors(rows) => rows.len(),
            Self::Reals(rows) => rows.len(),
            Self::Loads(rows) => rows.len(),
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::Vectors(_) => 3,
            Self::Reals(_) => 1,
            Self::Loads(_) => 6,
        }
    }

    fn numbers(&self) -> &[f64] {
        match self {
            Self::Vectors(rows) => bytemuck::cast_slice(rows),
            Self::Reals(rows) => rows,
            Self::Loads(rows) => bytemuck::cast_slice(rows),
        }
    }

    fn is_finite(&self) -> bool {
        // zero times a number is zero; anything else turns the sum into NaN
        let sums = self.numbers().chunks(8).fold([0.0; 8], |mut sums, numbers| {
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += number * 0.0;
            }
            sums
        });
        sums.iter().all(|&sum| sum == 0.0)
    }

    fn copy(&self) -> Self {
        match self {
            Self::Vectors(rows) => Self::Vectors(rows.clone()),
            Self::Reals(rows) => Self::Reals(rows.clone()),
            Self::Loads(rows) => Self::Loads(rows.clone()),
        }
    }

    /// Exchanges a column of a world with this one.
    fn exchange(&mut self, world: &mut World, name: &str) {
        let p = &mut world.particles;
        match (self, name) {
            (Self::Vectors(rows), "position") => std::mem::swap(rows, &mut p.position),
            (Self::Vectors(rows), "velocity") => std::mem::swap(rows, &mut p.velocity),
            (Self::Vectors(rows), "angular_velocity") => std::mem::swap(rows, &mut p.angular_velocity),
            (Self::Vectors(rows), "force") => std::mem::swap(rows, &mut p.force),
            (Self::Vectors(rows), "torque") => std::mem::swap(rows, &mut p.torque),
            (Self::Reals(rows), "radius") => std::mem::swap(rows, &mut p.radius),
            (Self::Reals(rows), "mass") => std::mem::swap(rows, &mut p.mass),
            (Self::Loads(rows), _) => std::mem::swap(rows, &mut p.external),
            _ => {}
        }
    }
}

/// A column that is lent; the base of its arrays.
#[pyclass(module = "dem._engine", frozen)]
pub struct Lent {
    column: UnsafeCell<Column>,
}

// SAFETY: the column is read and written through arrays of Python, which hold its lock, and through the mutex of the simulation while no array is left
unsafe impl Sync for Lent {}
// SAFETY: a column is plain numbers
unsafe impl Send for Lent {}

/// What is lent, and the energies that are compared when it comes back.
#[derive(Default)]
pub struct Loan {
    columns: Vec<(&'static str, Py<Lent>)>,
    /// Those of them that may be written.
    written: Vec<&'static str>,
    kinetic: Option<f64>,
    balance: Option<f64>,
}

impl State {
    /// Does something with all columns where they belong.
    fn with_columns_back<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.exchange_columns();
        let done = work(self);
        self.exchange_columns();
        done
    }

    fn exchange_columns(&mut self) {
        let loan = std::mem::take(&mut self.loan);
        for (name, lent) in &loan.columns {
            // SAFETY: nobody writes into arrays meanwhile: this thread holds the interpreter's lock. Vectors move with their memory, to which arrays point
            let column = unsafe { &mut *lent.get().column.get() };
            column.exchange(&mut self.held.simulation_mut().world, name);
        }
        self.loan = loan;
    }

    /// Notes the energies before a column is written.
    fn note_energies(&mut self, name: &str) {
        let moves = matches!(name, "velocity" | "angular_velocity");
        if moves && self.loan.kinetic.is_none() && self.loan.balance.is_none() {
            self.loan.kinetic = Some(self.with_columns_back(|state| state.simulation().world.kinetic_energy()));
        }
        if name == "position" && self.loan.balance.is_none() {
            let known = self.loan.kinetic;
            self.loan.balance = Some(self.with_columns_back(|state| {
                let changed = known.map_or(0.0, |before| state.simulation().world.kinetic_energy() - before);
                state.simulation().world.energy().balance() - changed
            }));
        }
    }
}

#[pymethods]
impl Simulation {
    /// Lends a column of particles in order of slots: an array without a copy. What may not be written, and everything with `write` false, is read-only.
    fn lend<'py>(&self, py: Python<'py>, name: &str, write: bool) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            self.with(|state| {
                let Some((name, may_write)) = COLUMNS.into_iter().find(|(known, _)| *known == name) else {
                    return Err(PyKeyError::new_err(name.to_owned()));
                };
                state.simulation().check_whole().map_err(errors::program)?;
                if state.loan.columns.iter().any(|(lent, _)| *lent == name) {
                    return Err(errors::state(&format!("{name} is lent already")));
                }
                if name == "id" {
                    let array = PyArray1::from_slice(py, &state.simulation().world.particles.id).into_any();
                    array.call_method1("setflags", (false,))?;
                    return Ok(array);
                }
                let write = write && may_write;
                if write {
                    state.note_energies(name);
                    state.loan.written.push(name);
                }
                state.lent.push(name);
                let world = &mut state.held.simulation_mut().world;
                let mut column = match name {
                    "radius" | "mass" => Column::Reals(Vec::new()),
                    "external" => {
                        let count = world.particles.len();
                        world.particles.external.resize(count, ExternalLoad::default());
                        Column::Loads(Vec::new())
                    }
                    _ => Column::Vectors(Vec::new()),
                };
                column.exchange(world, name);
                let shape = [column.len(), column.width()];
                let lent = Bound::new(py, Lent { column: UnsafeCell::new(column) })?;
                // SAFETY: no other reference to the column exists yet
                let numbers = unsafe { &*lent.get().column.get() }.numbers();
                let view = ArrayView2::from_shape(shape, numbers).map_err(errors::value)?;
                state.loan.columns.push((name, lent.clone().unbind()));
                // SAFETY: the base of the array is the object that owns the memory, which it neither moves nor frees while the array lives
                let array = unsafe { PyArray2::borrow_from_array(&view, lent.into_any()) };
                debug_assert_eq!(array.shape(), shape);
                let array = array.into_any();
                if !write {
                    array.call_method1("setflags", (false,))?;
                }
                if shape[1] == 1 { array.call_method1("reshape", (-1,)) } else { Ok(array) }
            })
        })
    }

    /// Takes all columns back, books the energy of what was written, and returns the id of a particle that a number which is not finite was written for.
    fn take_back(&self, _py: Python<'_>) -> PyResult<Option<u64>> {
        guarded(|| {
            self.with(|state| {
                let loan = std::mem::take(&mut state.loan);
                state.lent.clear();
                let mut is_finite = true;
                for (name, lent) in loan.columns {
                    // SAFETY: the object is alive, and the lock of the interpreter is held
                    let is_kept = unsafe { pyo3::ffi::Py_REFCNT(lent.as_ptr()) } > 1;
                    // SAFETY: the lock of the interpreter is held; arrays that were kept go on looking at the memory that stays in the object
                    let column = unsafe { &mut *lent.get().column.get() };
                    // the next step finds loads that are not, and names the particle: a look at all of them would cost as much as writing them
                    let is_checked = name != "external" && loan.written.contains(&name);
                    is_finite &= !is_checked || column.is_finite();
                    let world = &mut state.held.simulation_mut().world;
                    if is_kept {
                        column.copy().exchange(world, name);
                    } else {
                        column.exchange(world, name);
                    }
                }
                if !loan.written.is_empty() {
                    state.revision += 1;
                    state.concluded = false;
                }
                if !is_finite {
                    return Ok(wrong_particle(&state.simulation().world));
                }
                if loan.balance.is_some() || loan.kinetic.is_some() {
                    let simulation = state.held.simulation_mut();
                    simulation.book_written(loan.balance, loan.kinetic).map_err(errors::program)?;
                }
                Ok(None)
            })
        })
    }

    /// Whether anything is lent.
    fn is_lent(&self) -> PyResult<bool> {
        self.with(|state| Ok(!state.lent.is_empty()))
    }
}

/// The particle with the lowest id of which a position, velocity or load is not finite.
fn wrong_particle(world: &World) -> Option<u64> {
    let p = &world.particles;
    let finite = |slot: usize| {
        p.position[slot].is_finite()
            && p.velocity[slot].is_finite()
            && p.angular_velocity[slot].is_finite()
            && p.external.get(slot).is_none_or(|load| load.force.is_finite() && load.torque.is_finite())
    };
    (0..p.len()).filter(|&slot| !finite(slot)).map(|slot| p.id[slot]).min()
}
