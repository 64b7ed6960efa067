//! The integrators that scenes can name.

use std::collections::BTreeMap;

use dem_contact::{LawError, ParameterSet, ParameterSpec, ParameterValue};

use super::gear::Gear;
use super::generalized_trapezoidal::GeneralizedTrapezoidal;
use super::integrator::Integrator;
use super::newmark::Newmark;
use super::semi_implicit_euler::SemiImplicitEuler;
use crate::integrators::velocity_verlet::scheme::VelocityVerlet;

/// An integrator of the registry.
pub struct Entry {
    /// Name in scenes.
    pub key: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Whether it has a rule for rigid bodies.
    pub moves_bodies: bool,
    /// Options.
    pub options: &'static [ParameterSpec],
    construct: fn(&ParameterSet) -> Result<Box<dyn Integrator>, LawError>,
}

impl Entry {
    /// Builds it with the options that are given, and defaults otherwise.
    ///
    /// # Errors
    /// An option that does not exist, or a value that is not admissible.
    pub fn build(&self, options: BTreeMap<String, ParameterValue>) -> Result<Box<dyn Integrator>, LawError> {
        (self.construct)(&ParameterSet::resolve(self.options, options)?)
    }
}

macro_rules! entry {
    ($scheme:ident, $options:expr, $construct:expr) => {
        Entry {
            key: $scheme::KEY,
            summary: $scheme::SUMMARY,
            moves_bodies: $scheme::MOVES_BODIES,
            options: $options,
            construct: $construct,
        }
    };
}

/// All integrators, the default first.
pub const INTEGRATORS: &[Entry] = &[
    entry!(VelocityVerlet, VelocityVerlet::OPTIONS, |options| Ok(Box::new(VelocityVerlet::new(options)))),
    entry!(SemiImplicitEuler, &[], |_| Ok(Box::new(SemiImplicitEuler))),
    entry!(Newmark, Newmark::OPTIONS, |options| Ok(Box::new(Newmark::new(options)))),
    entry!(Gear, Gear::OPTIONS, |options| Ok(Box::new(Gear::new(options)))),
    entry!(GeneralizedTrapezoidal, GeneralizedTrapezoidal::OPTIONS, |options| Ok(Box::new(
        GeneralizedTrapezoidal::new(options)?
    ))),
];

/// Integrator of a name.
pub fn find(key: &str) -> Option<&'static Entry> {
    INTEGRATORS.iter().find(|entry| entry.key == key)
}
