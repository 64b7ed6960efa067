//! What laws say of themselves in their [`Conformance`](dem_contact::law::Conformance), with their names.

use dem_contact::registry::LAWS;

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

/// Departures of the laws of the engine.
pub fn departures() -> Vec<Departure> {
    let of = |law: &'static str, stated: &'static [(&'static str, &'static str)]| {
        stated.iter().map(move |&(property, reason)| Departure { law, property, reason })
    };
    LAWS.iter().flat_map(|law| of(law.key, law.conformance.departures)).collect()
}

/// Parameters without effect of the laws of the engine.
pub fn idle_parameters() -> Vec<IdleParameter> {
    let of = |law: &'static str, stated: &'static [(&'static str, &'static str)]| {
        stated.iter().map(move |&(parameter, reason)| IdleParameter { law, parameter, reason })
    };
    LAWS.iter().flat_map(|law| of(law.key, law.conformance.idle)).collect()
}
