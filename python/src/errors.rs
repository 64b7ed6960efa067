//! Errors of the engine as the exceptions of `dem.errors`.

use dem_io::document::SceneError;
use dem_sim::builder::AllErrors;
use dem_sim::error::StepError;
use dem_sim::program::{Partner, ProgramError};
use dem_sim::run::RunError;
use dem_sim::simulation::SimulationError;
use pyo3::exceptions::{PyFileExistsError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception of a class of `dem.errors`.
fn exception(class: &str, message: &str, fields: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>) -> PyErr {
    Python::attach(|py| {
        let made = || -> PyResult<PyErr> {
            let class = py.import("dem.errors")?.getattr(class)?;
            let keywords = PyDict::new(py);
            fields(&keywords)?;
            Ok(PyErr::from_value(class.call((message,), Some(&keywords))?))
        };
        made().unwrap_or_else(|_| PyRuntimeError::new_err(message.to_owned()))
    })
}

fn plain(class: &str, message: &str) -> PyErr {
    exception(class, message, |_| Ok(()))
}

/// A call that the state of an object does not allow.
pub fn state(message: &str) -> PyErr {
    plain("StateError", message)
}

/// A fault of the package.
pub fn internal(what: &str) -> PyErr {
    plain("InternalError", &format!("{what}; this is a fault of the package, please report it"))
}

/// Wrong values.
pub fn value(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// A wrong saved state.
pub fn saved_state(message: impl std::fmt::Display) -> PyErr {
    plain("SavedStateError", &message.to_string())
}

/// The first error of a scene with what is known of its place, and all of them.
pub fn scene(all: &AllErrors) -> PyErr {
    let mut message = all.errors.iter().map(SceneError::to_string).collect::<Vec<_>>().join("\n");
    if all.are_more {
        message += "\nthe search for further errors was stopped";
    }
    exception("SceneError", &message, |fields| {
        let listed = PyList::empty(fields.py());
        for (number, error) in all.errors.iter().enumerate() {
            let entry = PyDict::new(fields.py());
            describe(&entry, error)?;
            if number == 0 {
                describe(fields, error)?;
            }
            entry.set_item("message", error.to_string())?;
            listed.append(entry)?;
        }
        fields.set_item("errors", listed)
    })
}

fn describe(fields: &Bound<'_, PyDict>, error: &SceneError) -> PyResult<()> {
    fields.set_item("file", error.file())?;
    fields.set_item("line", error.line())?;
    fields.set_item("column", error.column())?;
    fields.set_item("key", error.key_path().to_string())?;
    // messages say what is expected, help what is probably meant or known
    let expected = error.message().split_once("expected ").map(|(_, expected)| expected);
    fields.set_item("allowed", expected.or(error.help()))
}

/// One error of a scene.
pub fn one_of_scene(error: SceneError) -> PyErr {
    scene(&AllErrors { errors: vec![error], are_more: false })
}

/// A step that failed.
pub fn simulation(error: &SimulationError) -> PyErr {
    match error {
        SimulationError::Step(error) => step(error),
        other => plain("StepError", &other.to_string()),
    }
}

fn step(error: &StepError) -> PyErr {
    let text = error.to_string();
    macro_rules! with {
        ($class:literal, $($field:ident),*) => {
            exception($class, &text, |fields| {
                $(fields.set_item(stringify!($field), $field)?;)*
                Ok(())
            })
        };
    }
    match error {
        StepError::NonFinite { step, particle } => with!("NonFiniteError", step, particle),
        StepError::Escaped { step, particle, face, position } => with!("EscapedError", step, particle, face, position),
        StepError::HalfTurn { step, particle } => with!("HalfTurnError", step, particle),
        StepError::Overlap { step, first, second, ratio, limit, .. } => {
            with!("OverlapLimitError", step, first, second, ratio, limit)
        }
        StepError::TooFast { step, particle, partner, ratio, speed, time_step } => {
            with!("TooFastError", step, particle, partner, ratio, speed, time_step)
        }
        StepError::CreatedEnergy { step, created, total, limit, particle, speed } => {
            with!("CreatedEnergyError", step, created, total, limit, particle, speed)
        }
        StepError::NotConverged { step, time_step, error, tolerance } => {
            with!("NotConvergedError", step, time_step, error, tolerance)
        }
        StepError::StressOutOfReach { step, component, stress, target, strain } => {
            with!("StressOutOfReachError", step, component, stress, target, strain)
        }
        StepError::ForceOutOfReach { step, wall, force, target, travel, limit } => {
            with!("ForceOutOfReachError", step, wall, force, target, travel, limit)
        }
        _ => plain("StepError", &text),
    }
}

/// What a run could not do.
pub fn run(error: RunError) -> PyErr {
    match error {
        RunError::Scene(error) => one_of_scene(error),
        RunError::Simulation(error) => simulation(&error),
        RunError::SavedState { .. } | RunError::NoCheckpoint(_) | RunError::BeforeCheckpoints(_) => saved_state(error),
        RunError::DirectoryExists(_) => PyFileExistsError::new_err(error.to_string()),
        other => plain("Error", &other.to_string()),
    }
}

/// A change that a program could not make.
pub fn program(error: ProgramError) -> PyErr {
    let text = error.to_string();
    match error {
        ProgramError::Action(error) => one_of_scene(error),
        ProgramError::Simulation(error) => simulation(&error),
        ProgramError::NoParticle(_) => plain("ParticleIdError", &text),
        ProgramError::Unfinished => state(&text),
        ProgramError::Overlap { row, partner, ratio, .. } => exception("OverlapError", &text, |fields| {
            fields.set_item("first", row)?;
            fields.set_item("ratio", ratio)?;
            match partner {
                Partner::Particle(id) => fields.set_item("second", id),
                Partner::Row(row) => fields.set_item("second_row", row),
                Partner::Wall(name) => fields.set_item("second", name),
            }
        }),
        _ => value(text),
    }
}
