//! What laws declare, and the parameters that they are given for pairs of materials.

use std::collections::BTreeMap;

use dem_core::material::PairMaterial;

use crate::law::ContactLaw;
use crate::near_field;
use crate::normal::NORMAL;
use crate::parameter::{Declaration, LawError, ModelChoice, ParameterSpec, ParameterValue};
use crate::pull;
use crate::resistance::{Rolling, Twisting};

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

/// Choices that every law has: resistance against rolling and twisting, a pull between bodies that touch, and forces at a distance.
pub fn common_choices() -> Vec<ModelChoice> {
    vec![Rolling::choice(), Twisting::choice(), pull::choice(), near_field::choice()]
}

/// What a law declares, with what can be laid over it.
pub(super) fn declaration<L: ContactLaw>() -> Declaration {
    Declaration { always: L::parameters(), choices: L::choices().into_iter().chain(common_choices()).collect() }
}

/// What a law declares with a normal model of the scene's choice.
pub(super) fn with_normal<L: ContactLaw>() -> Option<Declaration> {
    let choice = L::replaceable_normal()?;
    let Declaration { always, choices } = declaration::<L::WithNormal>();
    Some(Declaration { always, choices: [choice].into_iter().chain(choices).collect() })
}

/// Whether the words that are given put another normal model in the place of that of the law.
pub(super) fn is_replaced(
    own: &Declaration,
    with_normal: &Declaration,
    given: &BTreeMap<String, ParameterValue>,
) -> bool {
    let Some(word) = given.get(NORMAL) else { return false };
    let words = |declaration: &Declaration| {
        let kinds = declaration.choices.iter().filter(|choice| choice.choice.name == NORMAL);
        kinds.flat_map(|choice| choice.models.iter().map(|&(word, _)| word)).collect::<Vec<_>>()
    };
    let is = |known: &&str| matches!(word, ParameterValue::Word(word) if word == known);
    // the first word stands for the law's own model, unless the law has words of its own
    let (own, all) = (words(own), words(with_normal));
    let own = if own.is_empty() { &all[..all.len().min(1)] } else { &own[..] };
    !own.iter().any(is)
}

pub(super) fn parameters<L: ContactLaw>() -> Vec<ParameterSpec> {
    let mut all = declaration::<L>().all();
    for spec in with_normal::<L>().map_or(Vec::new(), |declaration| declaration.all()) {
        if all.iter().all(|known| known.name != spec.name) {
            all.push(spec);
        }
    }
    all
}
