//! The laws by name. Adding a law is one file in `laws/` and one line in the table below.

use std::collections::BTreeMap;

use dem_core::history::FieldSpec;
use dem_core::material::PairMaterial;

use crate::composite::Composite;
use crate::evaluator::{Evaluator, Lanes};
use crate::kernel::{ForceKernel, LawKernel, PairTable};
use crate::law::{ContactLaw, LawDescription};
use crate::laws;
use crate::parameter::{LawError, ParameterSet, ParameterSpec, ParameterValue};

/// Parameters of the pairs of materials that a law governs; `None` where another law does.
pub struct PairParameters {
    /// Number of materials.
    pub materials: usize,
    /// Row by row, `materials × materials`.
    pub pairs: Vec<Option<(PairMaterial, BTreeMap<String, ParameterValue>)>>,
}

/// A parameter that was refused, and the pair of materials it was for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct PairError {
    /// The two materials.
    pub materials: (usize, usize),
    /// What is wrong.
    pub error: LawError,
}

/// A law of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name in scenes.
    pub key: &'static str,
    /// For people.
    pub description: LawDescription,
    /// Declared parameters.
    pub parameters: fn() -> Vec<ParameterSpec>,
    /// Fields of the history for default parameters.
    pub fields: fn() -> Vec<FieldSpec>,
    /// Builds a kernel.
    pub build: fn(&PairParameters) -> Result<Box<dyn ForceKernel>, PairError>,
}

fn build<L: ContactLaw, E: Evaluator<L>>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError> {
    let specs = L::parameters();
    let mut laws = Vec::with_capacity(parameters.pairs.len());
    for (index, pair) in parameters.pairs.iter().enumerate() {
        let fail = |error| PairError { materials: (index / parameters.materials, index % parameters.materials), error };
        laws.push(match pair {
            Some((material, given)) => {
                let set = ParameterSet::resolve(&specs, given.clone()).map_err(fail)?;
                Some(L::new(&set, material).map_err(fail)?)
            }
            None => None,
        });
    }
    let Some(any) = laws.iter().flatten().next().copied() else {
        return Err(PairError { materials: (0, 0), error: LawError::new("law", "no pair of materials uses it") });
    };
    let laws = laws.into_iter().map(|law| law.unwrap_or(any)).collect();
    Ok(Box::new(LawKernel::<L, E>::new(PairTable::new(parameters.materials, laws))))
}

/// Fields of a law built from the smallest admissible set of parameters.
fn fields<L: ContactLaw>() -> Vec<FieldSpec> {
    let specs = L::parameters();
    let given = specs
        .iter()
        .filter(|spec| spec.name != "damping_ratio")
        .filter_map(|spec| match spec.kind {
            crate::ParameterKind::Required(interval) | crate::ParameterKind::Optional(interval) => {
                let value = [1.0, 0.5, 0.0].into_iter().find(|&x| interval.contains(x))?;
                Some((spec.name.to_owned(), ParameterValue::Number(value)))
            }
            _ => None,
        })
        .collect();
    let unit = PairMaterial {
        effective_young_modulus: 1.0,
        effective_shear_modulus: 0.25,
        shear_moduli: [1.0; 2],
        poisson_ratios: [0.25; 2],
    };
    ParameterSet::resolve(&specs, given).and_then(|set| L::new(&set, &unit)).map_or(Vec::new(), |law| law.fields())
}

/// One line per law: its type, and whether it is evaluated in [`Lanes`] or [`OneByOne`].
macro_rules! contact_laws {
    ($($law:ty => $evaluator:ty),* $(,)?) => {
        /// All laws.
        pub const LAWS: &[Entry] = &[$(Entry {
            key: <$law as ContactLaw>::KEY,
            description: <$law as ContactLaw>::DESCRIPTION,
            parameters: <$law as ContactLaw>::parameters,
            fields: fields::<$law>,
            build: build::<$law, $evaluator>,
        }),*];
    };
}

contact_laws! {
    Composite<laws::linear::Linear> => Lanes,
    Composite<laws::hertz_mindlin::HertzMindlin> => Lanes,
}

/// Law of a name.
pub fn find(key: &str) -> Option<&'static Entry> {
    LAWS.iter().find(|entry| entry.key == key)
}
