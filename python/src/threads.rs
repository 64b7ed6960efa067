//! The threads of the process.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::errors::{state, value};

/// Whether this process was forked from one whose threads it does not have.
static FORKED: AtomicBool = AtomicBool::new(false);
/// Whether threads have been made.
static STARTED: AtomicBool = AtomicBool::new(false);

/// Sets the number of threads of all simulations.
#[pyfunction]
pub fn set_threads(count: usize) -> PyResult<()> {
    if !(1..=1024).contains(&count) {
        return Err(value(format!("threads: expected 1 to 1024, got {count}")));
    }
    check()?;
    #[expect(clippy::disallowed_methods, reason = "no result depends on how many threads there are")]
    if STARTED.load(Ordering::Relaxed) {
        let present = rayon::current_num_threads();
        return if present == count {
            Ok(())
        } else {
            Err(state(&format!(
                "there are {present} threads already: set their number before the first simulation is built"
            )))
        };
    }
    ThreadPoolBuilder::new().num_threads(count).build_global().map_err(|error| state(&error.to_string()))?;
    STARTED.store(true, Ordering::Relaxed);
    Ok(())
}

/// Number of threads of a simulation.
#[pyfunction]
pub fn threads() -> PyResult<usize> {
    check()?;
    STARTED.store(true, Ordering::Relaxed);
    #[expect(clippy::disallowed_methods, reason = "told, no result depends on it")]
    Ok(rayon::current_num_threads())
}

/// Told to a process that was forked.
#[pyfunction]
pub fn forget_threads() {
    if STARTED.load(Ordering::Relaxed) {
        FORKED.store(true, Ordering::Relaxed);
    }
}

/// Whether work can be done in this process; notes that it is.
pub fn begin() -> PyResult<()> {
    check()?;
    STARTED.store(true, Ordering::Relaxed);
    Ok(())
}

fn check() -> PyResult<()> {
    if FORKED.load(Ordering::Relaxed) {
        return Python::attach(|py| {
            let class = py.import("dem.errors")?.getattr("ForkError")?;
            let message = "this process was forked after a simulation was built, and has none of its threads: start processes with multiprocessing's \"spawn\", or use dem.map";
            Err(PyErr::from_value(class.call1((message,))?))
        });
    }
    Ok(())
}
