//! The time integrator with its options.

use std::collections::BTreeMap;

use dem_contact::{ParameterKind, ParameterSpec, ParameterValue};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::nearest;
use dem_io::units::{DimensionVector, UncheckedQuantity};

use super::values::without_value;
use crate::integrators;
use crate::integrators::integrator::Integrator;
use crate::integrators::registry::{Entry, INTEGRATORS};
use crate::scene::contact::ContactValue;
use crate::scene::time::IntegratorScene;

/// Builds the integrator of a scene, or the default.
pub(super) fn build(
    document: &SceneDocument,
    scene: Option<&IntegratorScene>,
) -> Result<Box<dyn Integrator>, SceneError> {
    let path = KeyPath::from(&["time", "integrator"]);
    let none = BTreeMap::new();
    let (name, options, name_path) = match scene {
        None => (INTEGRATORS[0].key, &none, path.clone()),
        Some(IntegratorScene::Name(name)) => (name.as_str(), &none, path.clone()),
        Some(IntegratorScene::Options { name, options }) => (name.as_str(), options, path.child("name")),
    };
    let entry = integrators::find(name).ok_or_else(|| {
        let known: Vec<&str> = INTEGRATORS.iter().map(|entry| entry.key).collect();
        let error = document.error_at(name_path, format!("expected one of {}", known.join(", ")));
        match nearest(name, known.iter().copied()) {
            Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
            None => error,
        }
    })?;
    let mut given = BTreeMap::new();
    for (name, value) in options {
        let path = path.child(name);
        let spec = entry.options.iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| unknown_option(document, path.clone(), entry, name))?;
        given.insert(name.clone(), convert(document, path, spec, value)?);
    }
    entry.build(given).map_err(|error| document.error_at(path.child(&error.parameter), without_value(&error.message)))
}

fn unknown_option(document: &SceneDocument, path: KeyPath, entry: &Entry, name: &str) -> SceneError {
    let names = |entry: &Entry| entry.options.iter().map(|spec| spec.name).collect::<Vec<_>>();
    let known = names(entry);
    let error = document.error_at(path, format!("unknown option of integrator {}", entry.key));
    let owners: Vec<&str> =
        INTEGRATORS.iter().filter(|other| names(other).contains(&name)).map(|other| other.key).collect();
    let hint = if owners.is_empty() {
        nearest(name, known.iter().copied()).map_or_else(String::new, |known| format!("did you mean `{known}`? "))
    } else {
        format!("it is one of {}; ", owners.join(" and "))
    };
    let listed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    error.with_help(format!("{hint}known options: {listed}"))
}

fn convert(
    document: &SceneDocument,
    path: KeyPath,
    spec: &ParameterSpec,
    value: &ContactValue,
) -> Result<ParameterValue, SceneError> {
    Ok(match (value, spec.kind) {
        (ContactValue::Flag(flag), _) => ParameterValue::Flag(*flag),
        (ContactValue::Quantity(UncheckedQuantity::Text(word)), ParameterKind::Choice(_) | ParameterKind::Flag(_)) => {
            ParameterValue::Word(word.clone())
        }
        (ContactValue::Quantity(quantity), _) => ParameterValue::Number(
            quantity.in_dimension(DimensionVector::NONE).map_err(|error| document.error_at(path, error))?,
        ),
    })
}
