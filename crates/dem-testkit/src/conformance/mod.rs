//! What every contact law must satisfy, applied to every law of the registry.
//!
//! A property takes the name of a law and says what went wrong. A law that departs from one by design says so, with the reason, in its
//! [`Conformance`](dem_contact::law::Conformance); a departure that no longer happens is an error too.

pub mod departures;
pub mod driven_pair;
pub mod page;
pub mod path;
pub mod properties;
mod property;

use dem_contact::registry::{self, LAWS};

pub use departures::{Departure, IdleParameter, departures, idle_parameters};
pub use properties::PROPERTIES;
pub use property::Property;
pub(crate) use property::ensure;

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

    /// What is wrong, where it is not.
    pub fn unexpected(&self) -> Option<String> {
        let found = self.found.as_ref().err().map_or("listed as a departure, but has the property", String::as_str);
        (!self.is_as_stated()).then(|| format!("{}, {}: {found}", self.law, self.property))
    }
}

/// Every property of every law of the engine, law by law.
pub fn outcomes() -> Vec<Outcome> {
    LAWS.iter().flat_map(|law| outcomes_of(law.key)).collect()
}

/// Every property of one law.
pub fn outcomes_of(law: &'static str) -> Vec<Outcome> {
    PROPERTIES.iter().map(|property| outcome(law, property)).collect()
}

/// One property of one law.
pub fn outcome(law: &'static str, property: &Property) -> Outcome {
    let stated = registry::find(law).map_or(&[][..], |entry| entry.conformance.departures);
    Outcome {
        law,
        property: property.name,
        found: (property.check)(law),
        expected: stated.iter().find(|(name, _)| *name == property.name).map(|&(_, reason)| reason),
    }
}
