//! Parameters that must be refused.

use std::collections::BTreeMap;

use dem_contact::parameter::{Interval, ParameterKind, ParameterSpec};
use dem_contact::registry::{self, Entry, PairParameters};
use dem_contact::{Declaration, ParameterValue};
use dem_core::material::PairMaterial;

use crate::conformance::{Property, ensure};

/// Nonsense is refused by name.
pub const REFUSED: Property = Property {
    name: "refusals",
    claim: "NaN, infinite, negative and out-of-range values of every number that the law declares are refused with the name of the parameter",
    check: refused,
};

const PAIR: PairMaterial = PairMaterial {
    effective_young_modulus: 1e9,
    effective_shear_modulus: 2e8,
    shear_moduli: [4e8; 2],
    poisson_ratios: [0.25; 2],
};

fn refused(law: &str) -> Result<(), String> {
    let entry = registry::find(law).ok_or("the law is not registered")?;
    let declaration = (entry.declaration)();
    for spec in declaration.all() {
        let Some(interval) = interval(&spec) else { continue };
        let given = admissible(&declaration, &spec).ok_or_else(|| format!("{} never applies", spec.name))?;
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, interval.low - 1.0, interval.high + 1.0, -1e-300] {
            if interval.contains(value) {
                continue;
            }
            let mut given = given.clone();
            given.insert(spec.name.to_owned(), ParameterValue::Number(value));
            let Some(error) = refusal(entry, given) else {
                return Err(format!("{} = {value} is accepted", spec.name));
            };
            let says = error.parameter == spec.name && error.message.contains(&format!("expected {interval}"));
            ensure(says, || format!("{} = {value} is refused with \"{error}\"", spec.name))?;
        }
    }
    Ok(())
}

fn interval(spec: &ParameterSpec) -> Option<Interval> {
    match spec.kind {
        ParameterKind::Required(interval) | ParameterKind::Optional(interval) | ParameterKind::Default(_, interval) => {
            Some(interval)
        }
        _ => None,
    }
}

/// Words with which a parameter applies, and all other numbers that are then required.
fn admissible(declaration: &Declaration, spec: &ParameterSpec) -> Option<BTreeMap<String, ParameterValue>> {
    declaration.combinations().into_iter().find_map(|mut given| {
        let applicable = declaration.applicable(&given).ok()?;
        applicable.iter().find(|known| known.name == spec.name)?;
        for other in applicable.iter().filter(|other| other.name != spec.name) {
            if let ParameterKind::Required(interval) = other.kind {
                let value = [1.0, 0.5, 0.0, interval.low + 1.0].into_iter().find(|&x| interval.contains(x))?;
                given.insert(other.name.to_owned(), ParameterValue::Number(value));
            }
        }
        Some(given)
    })
}

/// Whether a law can be built with these parameters.
pub(super) fn is_accepted(entry: &Entry, given: &BTreeMap<String, ParameterValue>) -> bool {
    refusal(entry, given.clone()).is_none()
}

fn refusal(entry: &Entry, given: BTreeMap<String, ParameterValue>) -> Option<dem_contact::LawError> {
    let parameters = PairParameters { materials: 1, pairs: vec![Some((PAIR, given))] };
    (entry.build)(&parameters).err().map(|error| error.error)
}
