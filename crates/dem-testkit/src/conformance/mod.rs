//! What every contact law must satisfy, applied to every law of the registry.
//!
//! A property takes the name of a law and says what went wrong. A law that departs from one by design is listed in
//! [`departures`] with the reason; a departure that no longer happens is an error too.

pub mod departures;
pub mod driven_pair;
pub mod page;
pub mod path;
pub mod properties;
mod property;

use dem_contact::registry::LAWS;

pub use departures::{DEPARTURES, Departure, IDLE_PARAMETERS, IdleParameter};
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
