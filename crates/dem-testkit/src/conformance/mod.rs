//! What every contact law must satisfy, applied to every law of the registry.
//!
//! A property takes the name of a law and says what went wrong. A law that departs from one by design is listed in
//! [`departures`] with the reason; a departure that no longer happens is an error too.

pub mod departures;
pub mod driven_pair;
pub mod page;
pub mod path;
pub mod properties;

use dem_contact::registry::LAWS;

pub use departures::{DEPARTURES, IDLE_PARAMETERS};
pub use properties::PROPERTIES;

/// A property of contact laws.
#[derive(Clone, Copy)]
pub struct Property {
    /// Name, the column of the table.
    pub name: &'static str,
    /// The claim and its tolerance, in a sentence.
    pub claim: &'static str,
    /// Checks the law of a name; the error says what was found.
    pub check: fn(&str) -> Result<(), String>,
}

/// A law that does not have a property, and is not meant to.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Name of the law.
    pub law: &'static str,
    /// Name of the property.
    pub property: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// A parameter that a law declares, and that has no effect.
#[derive(Clone, Copy, Debug)]
pub struct IdleParameter {
    /// Name of the law.
    pub law: &'static str,
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// One cell of the table.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Name of the law.
    pub law: &'static str,
    /// Name of the property.
    pub property: &'static str,
    /// What went wrong.
    pub found: Result<(), String>,
    /// The reason, if the law is listed as departing.
    pub expected: Option<&'static str>,
}

impl Outcome {
    /// Whether the law does what it is said to do.
    pub fn is_as_stated(&self) -> bool {
        self.found.is_ok() == self.expected.is_none()
    }
}

/// Every property of every law, law by law.
pub fn outcomes() -> Vec<Outcome> {
    let cells = LAWS.iter().flat_map(|law| PROPERTIES.iter().map(move |property| (law.key, property)));
    cells.map(|(law, property)| outcome(law, property)).collect()
}

/// One property of one law.
pub fn outcome(law: &'static str, property: &Property) -> Outcome {
    Outcome {
        law,
        property: property.name,
        found: (property.check)(law),
        expected: DEPARTURES.iter().find(|d| d.law == law && d.property == property.name).map(|d| d.reason),
    }
}

/// An error with the text of `message` unless the condition holds.
pub(crate) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
