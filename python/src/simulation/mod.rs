//! A simulation in the hands of a program.

mod changes;
mod columns;
mod contacts;
mod lending;
mod stepping;
mod storage;
mod surroundings;

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use dem_sim::builder::LoadedScene;
use dem_sim::run::Run;
use dem_sim::simulation;
use pyo3::prelude::*;

use crate::errors;
use crate::threads;

/// A simulation by itself, or one that writes a run directory.
pub enum Held {
    Alone(Box<simulation::Simulation>),
    Run(Box<Run>),
}

impl Held {
    fn simulation(&self) -> &simulation::Simulation {
        match self {
            Self::Alone(simulation) => simulation,
            Self::Run(run) => &run.simulation,
        }
    }

    fn simulation_mut(&mut self) -> &mut simulation::Simulation {
        match self {
            Self::Alone(simulation) => simulation,
            Self::Run(run) => &mut run.simulation,
        }
    }
}

/// What tells that slots are as they were: rebuilds of the contact list, particles, and the id that the next one gets.
type Slots = (u64, usize, u64);

/// What a simulation consists of for a program.
pub struct State {
    held: Held,
    loaded: Arc<LoadedScene>,
    /// Columns that are lent, by name.
    lent: Vec<&'static str>,
    loan: lending::Loan,
    /// Counts changes of the state: what was read before one is old after it.
    revision: u64,
    /// Slots in order of ids, and what they hold for.
    order: Option<(Slots, Arc<Vec<u32>>)>,
    /// Whether the last row, frame and checkpoint of a run directory are written.
    concluded: bool,
    /// Whether the last step has failed.
    has_failed: bool,
}

impl State {
    /// Slots in order of ids.
    fn order(&mut self) -> Arc<Vec<u32>> {
        let simulation = self.held.simulation();
        let p = &simulation.world.particles;
        let key = (simulation.pipeline.forces.rebuilds, p.len(), p.next_id);
        match &self.order {
            Some((known, order)) if *known == key => Arc::clone(order),
            _ => {
                let order = Arc::new(p.slots_by_id());
                self.order = Some((key, Arc::clone(&order)));
                order
            }
        }
    }

    fn simulation(&self) -> &simulation::Simulation {
        self.held.simulation()
    }
}

/// A simulation. One thread at a time may use it.
#[pyclass(module = "dem._engine", frozen)]
pub struct Simulation {
    state: Mutex<Option<State>>,
}

impl Simulation {
    pub fn new(held: Held, loaded: Arc<LoadedScene>) -> Self {
        let state = State {
            held,
            loaded,
            lent: Vec::new(),
            loan: lending::Loan::default(),
            revision: 0,
            order: None,
            concluded: false,
            has_failed: false,
        };
        Self { state: Mutex::new(Some(state)) }
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Option<State>>> {
        threads::begin()?;
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::WouldBlock) => Err(errors::state(
                "the simulation is in use by another thread, or by the call that this one is made from",
            )),
            Err(TryLockError::Poisoned(_)) => {
                Err(errors::state("the simulation cannot be used after an internal error"))
            }
        }
    }

    /// Uses the state as it is.
    fn with<T>(&self, work: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        let mut guard = self.lock()?;
        match guard.as_mut() {
            Some(state) => work(state),
            None => Err(errors::state("the simulation is closed")),
        }
    }

    /// Uses the state while no column is lent.
    fn with_all<T>(&self, work: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        self.with(|state| match state.lent.first() {
            Some(name) => Err(errors::state(&format!("{name} is lent: leave the block of raw() first"))),
            None => work(state),
        })
    }

    /// Changes the state; what was read before is old then. After a step that has failed there is nothing to change.
    fn change<T>(&self, work: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        self.with_all(|state| {
            if state.has_failed {
                let message = "the last step has failed: the state can be read, but only a saved one, see load, can be changed or go on";
                return Err(errors::state(message));
            }
            state.revision += 1;
            state.concluded = false;
            work(state)
        })
    }
}

/// Vectors as an array of shape (n, 3).
fn vectors(py: Python<'_>, rows: Vec<dem_core::DVec3>) -> PyResult<Bound<'_, PyAny>> {
    use numpy::{PyArray1, PyArrayMethods};
    let count = rows.len();
    // a cast: the numbers of vectors lie one behind the other
    let flat: Vec<f64> = bytemuck::allocation::cast_vec(rows);
    Ok(PyArray1::from_vec(py, flat).reshape([count, 3])?.into_any())
}
