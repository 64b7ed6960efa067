//! What can be wrong with a quantity.

/// A text or number that is not the quantity that was asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum UnitError {
    /// The text does not begin with a number.
    #[error("\"{text}\" does not start with a number, expected {expected}")]
    NoNumber {
        /// The text as written.
        text: String,
        /// What was expected, in words.
        expected: String,
    },
    /// A text without a unit where the quantity has a dimension.
    #[error("\"{text}\" has no unit, expected {expected}")]
    NoUnit {
        /// The text as written.
        text: String,
        /// What was expected, in words.
        expected: String,
    },
    /// The number is infinite, not a number, or too large for a double.
    #[error("{text} is not a finite number, expected {expected}")]
    NotFinite {
        /// The text or number as written.
        text: String,
        /// What was expected, in words.
        expected: String,
    },
    /// The number is beyond [`LARGEST`](super::LARGEST).
    #[error("{text} is beyond {limit:e}, the largest number of a scene, expected {expected}")]
    TooLarge {
        /// The text or number as written.
        text: String,
        /// Largest size of a number \[SI\].
        limit: f64,
        /// What was expected, in words.
        expected: String,
    },
    /// A symbol that is no unit.
    #[error("\"{text}\" has the unknown unit `{symbol}`{hint}, expected {expected}")]
    UnknownUnit {
        /// The text as written.
        text: String,
        /// The symbol that was not recognised.
        symbol: String,
        /// Either empty or ` (did you mean …?)`.
        hint: String,
        /// What was expected, in words.
        expected: String,
    },
    /// The unit is well formed but of another dimension.
    #[error("\"{text}\" is in {found}, expected {expected}")]
    WrongDimension {
        /// The text as written.
        text: String,
        /// The dimension of the text, in SI base units.
        found: String,
        /// What was expected, in words.
        expected: String,
    },
    /// `Hz` where radians per second are meant.
    #[error("\"{text}\" uses Hz, which counts cycles and not radians; write rad/s, deg/s, rev/s or rpm")]
    CyclesForAngle {
        /// The text as written.
        text: String,
    },
    /// The unit expression cannot be read.
    #[error("\"{text}\" has a malformed unit: {reason}, expected {expected}")]
    Malformed {
        /// The text as written.
        text: String,
        /// What is wrong, in words.
        reason: &'static str,
        /// What was expected, in words.
        expected: String,
    },
}
