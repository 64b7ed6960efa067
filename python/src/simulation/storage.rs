//! Saved states, and the run directory.

use std::path::PathBuf;
use std::sync::Arc;

use dem_io::atomic;
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder::moving_walls;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::run::{Ended, PictureRequest, Scenery, render_frame};
use dem_sim::simulation;
use pyo3::exceptions::PyFileExistsError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Held, Simulation};
use crate::errors;
use crate::guarded::guarded;

/// A simulation in the state of a checkpoint.
fn restored(loaded: &LoadedScene, bytes: Vec<u8>) -> PyResult<simulation::Simulation> {
    let reader = CheckpointReader::from_bytes(bytes).map_err(errors::saved_state)?;
    let mut simulation = builder::build_empty(loaded).map_err(errors::one_of_scene)?;
    let fingerprint = checkpoint::scene_fingerprint(&loaded.resolved());
    checkpoint::restore(&mut simulation, &reader, &fingerprint).map_err(errors::saved_state)?;
    Ok(simulation)
}

fn saved(simulation: &simulation::Simulation, loaded: &LoadedScene) -> PyResult<Vec<u8>> {
    simulation.check_whole().map_err(errors::program)?;
    checkpoint::save(simulation, &checkpoint::scene_fingerprint(&loaded.resolved())).map_err(errors::saved_state)
}

#[pymethods]
impl Simulation {
    /// Writes the state to a file.
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
        py.detach(|| {
            guarded(|| {
                self.with_all(|state| {
                    if !force && path.exists() {
                        return Err(PyFileExistsError::new_err(format!(
                            "{} exists; force=True replaces it",
                            path.display()
                        )));
                    }
                    let bytes = saved(state.simulation(), &state.loaded)?;
                    atomic::write_atomically(&path, &bytes).map_err(errors::saved_state)
                })
            })
        })
    }

    /// Continues from the state of a file, bit for bit. Not with a run directory.
    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| {
            guarded(|| {
                let bytes = std::fs::read(&path)
                    .map_err(|error| errors::saved_state(format!("cannot read {}: {error}", path.display())))?;
                self.with_all(|state| {
                    if matches!(state.held, Held::Run(_)) {
                        let message = "a simulation with a run directory cannot go to another state: build one without, or with start=";
                        return Err(errors::state(message));
                    }
                    let next = restored(&state.loaded, bytes)
                        .map_err(|error| Python::attach(|py| named(py, &path, error)))?;
                    state.held = Held::Alone(Box::new(next));
                    state.order = None;
                    state.has_failed = false;
                    state.revision += 1;
                    Ok(())
                })
            })
        })
    }

    /// A simulation without a run directory in the same state.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        py.detach(|| {
            guarded(|| {
                self.with_all(|state| {
                    let bytes = saved(state.simulation(), &state.loaded)?;
                    let copy = Held::Alone(Box::new(restored(&state.loaded, bytes)?));
                    Ok(Self::new(copy, Arc::clone(&state.loaded)))
                })
            })
        })
    }

    /// Writes the last row, frame, summary, pictures and checkpoint of a run directory; returns its path. Nothing happens without a run directory.
    fn finish(&self, py: Python<'_>) -> PyResult<Option<PathBuf>> {
        py.detach(|| {
            guarded(|| {
                self.with_all(|state| {
                    let Held::Run(run) = &mut state.held else { return Ok(None) };
                    if !state.concluded {
                        let is_done = run.simulation.state.stopped.is_some();
                        let ended = if is_done { Ended::Finished } else { Ended::Bound };
                        run.conclude(ended).map_err(errors::run)?;
                        run.finish(ended).map_err(errors::run)?;
                        state.concluded = true;
                    }
                    Ok(Some(run.directory().to_path_buf()))
                })
            })
        })
    }

    /// Path of the run directory, if there is one.
    #[getter]
    fn directory(&self) -> PyResult<Option<PathBuf>> {
        self.with(|state| {
            Ok(match &state.held {
                Held::Run(run) => Some(run.directory().to_path_buf()),
                Held::Alone(_) => None,
            })
        })
    }

    /// Gives up memory and run directory; every later call is refused.
    fn close(&self) -> PyResult<()> {
        let mut guard = self.lock()?;
        if guard.as_ref().is_some_and(|state| !state.lent.is_empty()) {
            return Err(errors::state("columns are lent: leave the block of raw() first"));
        }
        *guard = None;
        Ok(())
    }

    /// Whether it has been closed.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_none())
    }

    /// A picture of the present state as PNG.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        colour: String,
        width: u32,
        height: u32,
        azimuth: f64,
        elevation: f64,
        zoom: f64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            guarded(|| {
                self.with_all(|state| {
                    let world = &state.simulation().world;
                    let request = PictureRequest {
                        colour,
                        size: (width, height),
                        azimuth,
                        elevation,
                        zoom,
                        ..PictureRequest::default()
                    };
                    let frame = dem_sim::run::frame(world, false);
                    let scene = &state.loaded.scene;
                    let scenery = Scenery::of_world(world, moving_walls(scene), &scene.title);
                    render_frame(&frame, &scenery, &request).map_err(errors::value)
                })
            })
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The same error with the name of the file.
fn named(py: Python<'_>, path: &std::path::Path, error: PyErr) -> PyErr {
    errors::saved_state(format!("{}: {}", path.display(), error.value(py)))
}
