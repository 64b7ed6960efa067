//! The engine as a Python module: `dem._engine`, which the package `dem` is built on.
//!
//! Nothing here is for users directly. Classes hold the state and refuse what it does not allow; names, defaults and conversions are those of the package.
//! No panic leaves this module: what should not happen becomes `dem.InternalError`.

mod errors;
mod guarded;
mod scene;
mod simulation;
mod threads;

use std::ffi::OsString;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use guarded::guarded;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: dem_cli::memory::HugePages = dem_cli::memory::HugePages;

/// Runs the command `dem` with arguments, the name of the program first; returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    py.detach(|| guarded(|| Ok(dem_cli::run_command(arguments))))
}

/// The commands of `dem` with their arguments, as JSON.
#[pyfunction]
fn commands() -> PyResult<String> {
    guarded(|| Ok(dem_cli::commands().to_string()))
}

/// The JSON Schema of scenes.
#[pyfunction]
fn schema() -> PyResult<String> {
    guarded(|| Ok(dem_sim::scene::schema().to_string()))
}

/// A number in SI from a number or a text with a unit; `unit` is that of the number in SI.
#[pyfunction]
fn quantity(value: Bound<'_, PyAny>, unit: &str) -> PyResult<f64> {
    guarded(|| scene::quantity(&value, unit))
}

/// Version, with the commit that was built.
#[pyfunction]
fn version() -> &'static str {
    dem_cli::VERSION
}

/// Names of the contact laws.
#[pyfunction]
fn laws() -> Vec<&'static str> {
    dem_contact::registry::keys()
}

/// Instructions that contacts are computed with on this processor.
#[pyfunction]
fn lanes() -> &'static str {
    dem_core::lanes::Width::fastest().name()
}

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    dem_cli::note_commit();
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(commands, module)?)?;
    module.add_function(wrap_pyfunction!(schema, module)?)?;
    module.add_function(wrap_pyfunction!(quantity, module)?)?;
    module.add_function(wrap_pyfunction!(version, module)?)?;
    module.add_function(wrap_pyfunction!(laws, module)?)?;
    module.add_function(wrap_pyfunction!(lanes, module)?)?;
    module.add_function(wrap_pyfunction!(threads::set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::forget_threads, module)?)?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<simulation::Simulation>()
}
