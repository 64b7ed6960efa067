//! A normal and a tangential model combined by name.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal::AnyNormal;
use crate::tangential::AnyTangential;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Combination;

impl Recipe for Combination {
    const KEY: &'static str = "combination";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "a normal and a tangential model combined by name",
        formula: "F = -N n + T, N by the word `normal`, T by the word `tangential`",
        source: "those of the models",
        notes: "a combination that has a law of its own runs faster under the law's name: the models are then compiled together; parameters of models that are not chosen are refused; what a tangential model needs of the normal one (a constant stiffness, an area of contact) is checked",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[("normal", Sample::Word("linear")), ("tangential", Sample::Word("spring-slider"))],
        ..Conformance::FULL
    };
    type Normal = AnyNormal;
    type Tangential = AnyTangential;
}
