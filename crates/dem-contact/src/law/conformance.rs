//! What the tests of all laws must know of one beyond what it declares.

use crate::parameter::ParameterValue;

/// Value of a parameter, as a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A number in SI.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(&'static str),
}

impl From<Sample> for ParameterValue {
    fn from(sample: Sample) -> Self {
        match sample {
            Sample::Number(x) => Self::Number(x),
            Sample::Flag(flag) => Self::Flag(flag),
            Sample::Word(word) => Self::Word(word.to_owned()),
        }
    }
}

/// What a law says of itself to the tests, benchmarks and studies that run every law.
#[derive(Clone, Copy, Debug)]
pub struct Conformance {
    /// Values of parameters without which the law is refused, or says nothing. `friction`, `restitution` and `normal_stiffness` need none: they are
    /// given to every law that declares them, with a `normal_stiffness` of up to 10⁶ N/m.
    pub sample: &'static [(&'static str, Sample)],
    /// Properties of the conformance table that the law does not have by design, each with the reason. A departure that does not happen is an error
    /// as well.
    pub departures: &'static [(&'static str, &'static str)],
    /// Whether friction is limited by the normal force without its dashpot, not by the whole of it.
    pub is_limited_without_dashpot: bool,
    /// Parameters that the models of the law declare and that have no effect in it, each with the reason.
    pub idle: &'static [(&'static str, &'static str)],
    /// Words of the choices of its models that the law refuses: name of the choice and the word.
    pub refused: &'static [(&'static str, &'static str)],
}

impl Conformance {
    /// Of a law that has every property, and in which every parameter acts.
    pub const FULL: Self =
        Self { sample: &[], departures: &[], is_limited_without_dashpot: false, idle: &[], refused: &[] };

    /// Whether the law refuses a word of a choice.
    pub fn refuses(&self, choice: &str, word: &str) -> bool {
        self.refused.contains(&(choice, word))
    }
}
