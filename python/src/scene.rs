//! A scene that has been read.

use std::path::PathBuf;
use std::sync::Arc;

use dem_io::document::{Override, SceneError};
use dem_io::units::{DimensionVector, parse_quantity};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::run::{Origin, Run, count_outputs, first_state, pass_outputs};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors;
use crate::guarded::guarded;
use crate::simulation::{Held, Simulation};
use crate::threads;

/// A scene that has been read, with the files that it names.
#[pyclass(module = "dem._engine", frozen)]
pub struct Scene {
    pub loaded: Arc<LoadedScene>,
    name: String,
    text: String,
    overrides: Vec<Override>,
}

impl Scene {
    /// The exception for an error, with all others of the scene.
    fn refused(&self, error: SceneError) -> PyErr {
        all_errors(&self.loaded.folder, &self.name, &self.text, &self.overrides, error)
    }

    fn build_held(&self, start: Option<PathBuf>, out: Option<PathBuf>, force: bool) -> PyResult<Held> {
        let origin = start.map_or(Origin::Scene, Origin::Branch);
        let explained = |error| match error {
            dem_sim::run::RunError::Scene(error) => self.refused(error),
            other => errors::run(other),
        };
        Ok(match out {
            Some(directory) => {
                Held::Run(Box::new(Run::begin(&self.loaded, &directory, &origin, force).map_err(explained)?))
            }
            None => {
                let mut simulation = first_state(&self.loaded, &origin).map_err(explained)?.0;
                count_outputs(&mut simulation, &self.loaded.scene.output);
                pass_outputs(&mut simulation);
                Held::Alone(Box::new(simulation))
            }
        })
    }
}

fn all_errors(folder: &std::path::Path, name: &str, text: &str, overrides: &[Override], first: SceneError) -> PyErr {
    errors::scene(&builder::all_errors_in(folder, name, text, overrides, first))
}

#[pymethods]
impl Scene {
    /// Reads a text; `name` is that of messages, files that it names are relative to `folder`.
    #[new]
    fn new(py: Python<'_>, text: String, name: String, folder: PathBuf, overrides: Vec<String>) -> PyResult<Self> {
        py.detach(|| {
            guarded(|| {
                threads::begin()?;
                let overrides = overrides
                    .iter()
                    .map(|text| Override::parse(text))
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(errors::one_of_scene)?;
                let loaded = builder::parse_scene_in(&folder, &name, &text, &overrides)
                    .map_err(|error| all_errors(&folder, &name, &text, &overrides, error))?;
                Ok(Self { loaded: Arc::new(loaded), name, text, overrides })
            })
        })
    }

    /// The scene with what was set, as TOML.
    fn resolved(&self) -> PyResult<String> {
        guarded(|| Ok(self.loaded.document.resolved().to_string()))
    }

    /// What follows from it, as JSON.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            guarded(|| {
                threads::begin()?;
                let mut simulation = builder::build(&self.loaded).map_err(|error| self.refused(error))?;
                simulation.initialise().map_err(|error| errors::simulation(&error))?;
                Ok(dem_cli::checked(&self.name, &self.loaded, simulation).to_string())
            })
        })
    }

    /// Builds a simulation, from a saved state if one is given, and with a run directory if one is.
    fn build(&self, py: Python<'_>, start: Option<PathBuf>, out: Option<PathBuf>, force: bool) -> PyResult<Simulation> {
        py.detach(|| {
            guarded(|| {
                threads::begin()?;
                Ok(Simulation::new(self.build_held(start, out, force)?, Arc::clone(&self.loaded)))
            })
        })
    }
}

/// A number in SI from a number or a text with a unit.
pub fn quantity(value: &Bound<'_, PyAny>, unit: &str) -> PyResult<f64> {
    if let Ok(text) = value.extract::<String>() {
        // a zero needs no unit, as in scenes
        if text.trim().parse() == Ok(0.0) {
            return Ok(0.0);
        }
        let dimension = DimensionVector::from_unit_text(unit).map_err(errors::value)?;
        return parse_quantity(&text, dimension).map_err(errors::value);
    }
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!(
            "expected a number in {unit} or a text with a unit, got a truth value"
        )));
    }
    finite(value.extract::<f64>()?)
}

fn finite(number: f64) -> PyResult<f64> {
    if number.is_finite() { Ok(number) } else { Err(errors::value(format!("expected a finite number, got {number}"))) }
}
