//! Steps without the interpreter's lock. Signals are looked for by the clock; a run that they end stops where the state is whole.

use std::time::{Duration, Instant};

use dem_sim::run::{RunBounds, Status, next_output, pass_outputs};
use dem_sim::simulation;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Held, Simulation, State};
use crate::errors;
use crate::guarded::guarded;

/// Time between two looks for signals.
const PATIENCE: Duration = Duration::from_millis(40);
/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// Steps in one go.
const AT_ONCE: u64 = 16;

/// Looks for signals and reports progress while steps are taken.
struct Watch<'a> {
    report: Option<&'a Py<PyAny>>,
    last_look: Instant,
    error: Option<PyErr>,
}

impl Watch<'_> {
    /// Whether something has happened that ends the run.
    fn looks(&mut self) -> bool {
        if self.error.is_none() && self.last_look.elapsed() > PATIENCE {
            self.last_look = Instant::now();
            self.error = Python::attach(|py| py.check_signals()).err();
        }
        self.error.is_some()
    }

    fn tell(&mut self, status: &Status) {
        let Some(report) = self.report else { return };
        let told = Python::attach(|py| report.call1(py, (described(py, status)?,)).map(|_| ()));
        if let Err(error) = told {
            self.error.get_or_insert(error);
        }
    }
}

fn described<'py>(py: Python<'py>, status: &Status) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    table.set_item("step", status.step)?;
    table.set_item("time", status.time)?;
    table.set_item("stage", &status.stage)?;
    table.set_item("particles", status.particles)?;
    table.set_item("contacts", status.contacts)?;
    table.set_item("kinetic_energy", status.kinetic_energy)?;
    table.set_item("rate", status.rate)?;
    table.set_item("done", status.done)?;
    table.set_item("remaining", status.remaining.map(|time| time.as_secs_f64()))?;
    Ok(table)
}

/// Where a call stops at the latest.
fn bounds(steps: Option<u64>, time: Option<f64>) -> PyResult<RunBounds> {
    if time.is_some_and(|time| !(time.is_finite() && time >= 0.0)) {
        return Err(PyValueError::new_err(format!("until: expected a finite time of at least 0 s, got {time:?}")));
    }
    Ok(RunBounds { step: steps, time })
}

#[pymethods]
impl Simulation {
    /// Takes steps up to a step, a time \[s\] or the end of the simulation, whichever comes first. Returns whether it has come to its own end. `report` is
    /// called with how far it is.
    #[pyo3(signature = (step=None, time=None, report=None))]
    fn advance(
        &self,
        py: Python<'_>,
        step: Option<u64>,
        time: Option<f64>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let pause = bounds(step, time)?;
        let error = py.detach(|| {
            guarded(|| {
                self.change(|state| {
                    let mut watch = Watch { report: report.as_ref(), last_look: Instant::now(), error: None };
                    match &mut state.held {
                        Held::Alone(simulation) => {
                            let proceeded = proceed(simulation, &pause, &mut watch);
                            state.has_failed = proceeded.is_err();
                            proceeded?;
                        }
                        Held::Run(run) => {
                            let failed = {
                                let shared = std::cell::RefCell::new(&mut watch);
                                run.proceed(&pause, &mut || shared.borrow_mut().looks(), &mut |status| {
                                    shared.borrow_mut().tell(status)
                                })
                            };
                            state.has_failed = failed.is_err();
                            failed.map_err(errors::run)?;
                        }
                    }
                    Ok(watch.error)
                })
            })
        })?;
        match error {
            Some(error) => Err(error),
            None => self.with(|state| Ok(state.simulation().state.stopped.is_some())),
        }
    }

    /// Steps done.
    #[getter]
    fn step(&self) -> PyResult<u64> {
        self.with(|state| Ok(state.simulation().world.step))
    }

    /// Time \[s\].
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.with(|state| Ok(state.simulation().world.time))
    }

    /// Length of the next step \[s\].
    #[getter]
    fn time_step(&self) -> PyResult<f64> {
        self.with(|state| Ok(state.simulation().world.time_step))
    }

    /// End of time of the scene \[s\].
    #[getter]
    fn end(&self) -> PyResult<Option<f64>> {
        self.with(|state| Ok(state.simulation().end))
    }

    /// Name of the present stage.
    #[getter]
    fn stage(&self) -> PyResult<String> {
        self.with(|state| Ok(state.simulation().stage_name().to_owned()))
    }

    /// Why the simulation has ended, if it has.
    #[getter]
    fn stopped(&self) -> PyResult<Option<&'static str>> {
        self.with(|state| Ok(state.simulation().state.stopped.as_ref().map(|reason| reason.describe())))
    }

    /// Whether the state is that after a whole step.
    #[getter]
    fn is_whole(&self) -> PyResult<bool> {
        self.with(|state| Ok(!state.has_failed && state.simulation().check_whole().is_ok()))
    }

    /// Takes steps one by one, each as whoever looks at the state after it does, and looks at nothing: what a callback of every step is measured against.
    fn advance_singly(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        py.detach(|| {
            guarded(|| {
                self.change(|state| {
                    let simulation = state.held.simulation_mut();
                    for _ in 0..steps {
                        simulation.advance().map_err(|error| errors::simulation(&error))?;
                        pass_outputs(simulation);
                    }
                    Ok(())
                })
            })
        })
    }

    /// Number that changes with the state.
    #[getter]
    fn revision(&self) -> PyResult<u64> {
        self.with(|state| Ok(state.revision))
    }

    /// Number of particles.
    fn __len__(&self) -> PyResult<usize> {
        self.with(|state: &mut State| Ok(state.simulation().world.particles.len()))
    }
}

/// Takes the steps of a simulation without a run directory.
fn proceed(simulation: &mut simulation::Simulation, pause: &RunBounds, watch: &mut Watch<'_>) -> PyResult<()> {
    let begun = (Instant::now(), simulation.world.step, simulation.world.time);
    let mut last_report = begun.0;
    while simulation.state.stopped.is_none() {
        let world = &simulation.world;
        if pause.step.is_some_and(|step| world.step >= step) || pause.time.is_some_and(|time| world.has_reached(time)) {
            break;
        }
        let is_interrupted = watch.looks();
        if is_interrupted && world.forces.are_known() {
            break;
        }
        let is_last = is_interrupted || pause.step.is_some_and(|step| world.step + 1 >= step);
        let next_look = pause.time.unwrap_or(f64::INFINITY).min(next_output(simulation));
        let look = if is_last { f64::NEG_INFINITY } else { next_look };
        // the last step by itself: its state is read
        let most = pause.step.map_or(AT_ONCE, |step| AT_ONCE.min(step - world.step - 1)).max(1);
        simulation
            .advance_unseen_unless(look, most, &mut || watch.looks())
            .map_err(|error| errors::simulation(&error))?;
        // so that the state is that of a simulation with a run directory
        pass_outputs(simulation);
        if watch.report.is_some() && last_report.elapsed() > REPORT_EVERY {
            last_report = Instant::now();
            watch.tell(&status(simulation, pause, begun));
        }
    }
    if watch.report.is_some() {
        watch.tell(&status(simulation, pause, begun));
    }
    Ok(())
}

fn status(
    simulation: &simulation::Simulation,
    pause: &RunBounds,
    (start, first_step, first_time): (Instant, u64, f64),
) -> Status {
    let world = &simulation.world;
    let elapsed = start.elapsed().as_secs_f64().max(1e-9);
    let share = |from: f64, to: f64, now: f64| if to > from { ((now - from) / (to - from)).min(1.0) } else { 1.0 };
    let times = [pause.time, simulation.end].into_iter().flatten().map(|end| share(first_time, end, world.time));
    let steps = pause.step.map(|step| share(first_step as f64, step as f64, world.step as f64));
    let done = times.chain(steps).reduce(f64::max);
    let remaining = done.filter(|&done| done > 1e-6).map(|done| elapsed * (1.0 - done) / done);
    let rate = (world.step - first_step) as f64 * world.particles.len() as f64 / elapsed;
    let remaining = remaining.filter(|seconds| *seconds < 1e9).map(Duration::from_secs_f64);
    Status::of(simulation, rate, done, remaining)
}
