//! Time integrators. Adding one is one file and one line in [`INTEGRATORS`].
//!
//! Leapfrog is not among them: its kick-drift-kick form is velocity Verlet, and its staggered form has the same positions with velocities
//! of half a step earlier, which is what `semi-implicit-euler` computes. The position form is that of Newmark's `pec` on the path of its
//! predicted positions. What is left to choose, the velocity that forces see, is the option `corrected` of `velocity-verlet`.

mod bodies;
mod gear;
mod generalized_trapezoidal;
mod newmark;
mod schemes;
mod semi_implicit_euler;
mod velocity_verlet;

pub use gear::Gear;
pub use generalized_trapezoidal::{GeneralizedTrapezoidal, Sweep};
pub use newmark::Newmark;
pub use schemes::{Scheme, all_schemes};
pub use semi_implicit_euler::SemiImplicitEuler;
pub use velocity_verlet::VelocityVerlet;

use std::collections::BTreeMap;

use dem_contact::time_step::Fractions;
use dem_contact::{LawError, ParameterKind, ParameterSet, ParameterSpec, ParameterValue};

use crate::error::StepError;
use crate::forces::ForceEvaluation;
use crate::world::World;

/// Advances a world by one step.
///
/// An integrator moves particles, may evaluate forces for as many trial states as it needs, and commits exactly once for each part of the
/// step that it accepts; all but implicit ones take the step in one part. It sets `previous_position` and `rotation_increment` of every
/// particle, from which contact laws take displacements; positions at the start of a step are inside the periodic cell.
pub trait Integrator: Send + Sync {
    /// Name in scenes.
    fn key(&self) -> &'static str;

    /// Advances particles from `world.time` by `world.time_step`; walls have already moved. Time may be left at that of any part of the
    /// step, and is set to its end by the caller.
    ///
    /// # Errors
    /// What the evaluation of forces returns, and an iteration that does not converge.
    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError>;

    /// How long an automatic step is, in proportion to what contacts admit.
    fn fractions(&self) -> Fractions {
        Fractions::default()
    }

    /// What an iterating integrator has done since it was built.
    fn iterations(&self) -> Option<Iterations> {
        None
    }
}

/// Work of an iterating integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Steps, or parts of steps, that were accepted.
    pub parts: u64,
    /// Iterations, those that led to nothing included.
    pub iterations: u64,
    /// Times that a step or a part of it was halved.
    pub halvings: u64,
}

impl Iterations {
    /// Mean number of iterations per part.
    pub fn mean(&self) -> f64 {
        self.iterations as f64 / self.parts.max(1) as f64
    }
}

/// Option of schemes with an explicit prediction of velocities.
const CORRECTED: ParameterSpec = ParameterSpec {
    name: "corrected",
    unit: "-",
    meaning: "whether forces see velocities predicted for the end of the step, which keeps second order under damping",
    kind: ParameterKind::Flag(true),
};

/// An integrator of the registry.
pub struct Entry {
    /// Name in scenes.
    pub key: &'static str,
    /// One sentence.
    pub summary: &'static str,
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
        Entry { key: $scheme::KEY, summary: $scheme::SUMMARY, options: $options, construct: $construct }
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
