//! What a law says of itself to people.

/// A quantity that follows from the parameters, for `dem check`.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// What it is.
    pub name: &'static str,
    /// Value in SI.
    pub value: f64,
    /// Unit.
    pub unit: &'static str,
}

/// Description of a law for people.
#[derive(Clone, Copy, Debug)]
pub struct LawDescription {
    /// One sentence.
    pub summary: &'static str,
    /// Formulae as text.
    pub formula: &'static str,
    /// Publications.
    pub source: &'static str,
    /// Departures from the sources, and limits of validity.
    pub notes: &'static str,
}
