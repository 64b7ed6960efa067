//! The laws by name. Adding a law to the engine is one file in `laws/` and one line in the table of `laws/mod.rs`; a program adds its own with
//! [`register`].

mod declarations;
mod kernels;

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use dem_core::history::FieldSpec;
use dem_core::material::PairMaterial;

pub use self::declarations::{PairError, PairParameters, common_choices};
use self::declarations::{declaration, is_replaced, parameters, with_normal};
use self::kernels::{build, build_variant};
use crate::bookkeeping::{StiffnessBooked, Unbooked};
use crate::composite::Composite;
use crate::force_loop::kernel::evaluation::Evaluation;
use crate::force_loop::kernel::evaluator::{InLanes, InLanesOrOneByOne, InSharedLoop, OneByOne};
use crate::force_loop::kernel::force_kernel::ForceKernel;
use crate::law::{Conformance, ContactLaw, LawDescription, Sample};
use crate::laws::contact_laws;
use crate::near_field;
use crate::normal;
use crate::parameter::{
    Declaration, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec, ParameterValue,
};
use crate::pull;
use crate::resistance::{self, Resisted};
use crate::submodels::damping::RESTITUTION;
use crate::submodels::friction::StaticDynamic;

/// Builds the kernel of a law for the pairs of materials that it governs.
pub type Build = dyn Fn(&PairParameters) -> Result<Box<dyn ForceKernel>, PairError> + Sync;

/// A law of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name in scenes.
    pub key: &'static str,
    /// For people.
    pub description: LawDescription,
    /// For tests of all laws.
    pub conformance: Conformance,
    /// Everything it declares, with what every law knows: see [`common_choices`].
    pub declaration: &'static (dyn Fn() -> Declaration + Sync),
    /// What it declares where a scene replaces its normal model, if that may be.
    pub with_normal: &'static (dyn Fn() -> Option<Declaration> + Sync),
    /// Parameters of both declarations, each once.
    pub parameters: &'static (dyn Fn() -> Vec<ParameterSpec> + Sync),
    /// Fields of the history, of all models that it may be composed of; see [`common_fields`] for those that every law
    /// may have.
    pub fields: &'static (dyn Fn() -> Vec<FieldSpec> + Sync),
    /// Builds a kernel.
    pub build: &'static Build,
}

impl Entry {
    /// The entry of a law, in [`InLanes`], [`InSharedLoop`], [`OneByOne`] or [`InLanesOrOneByOne`].
    pub const fn of<L, E>() -> Self
    where
        L: ContactLaw,
        E: Evaluation<L> + Evaluation<Resisted<L>> + 'static,
    {
        Self {
            key: L::KEY,
            description: L::DESCRIPTION,
            conformance: L::CONFORMANCE,
            declaration: &declaration::<L>,
            with_normal: &with_normal::<L>,
            parameters: &parameters::<L>,
            fields: &fields::<L>,
            build: &build::<L, E>,
        }
    }

    /// The entry of a law with its variants `S`, whose record has room for the memory of sliding, and `U`, which keeps
    /// no work terms.
    pub const fn of_variants<L, S, U, E>() -> Self
    where
        L: ContactLaw,
        S: ContactLaw,
        U: ContactLaw,
        E: Evaluation<L> + Evaluation<Resisted<L>> + Evaluation<S> + Evaluation<Resisted<S>> + Evaluation<U> + 'static,
    {
        Self { build: &build_variant::<L, S, U, E>, ..Self::of::<L, E>() }
    }

    /// What it declares with the words that are given.
    pub fn declaration_for(&self, given: &BTreeMap<String, ParameterValue>) -> Declaration {
        let own = (self.declaration)();
        match (self.with_normal)() {
            Some(with_normal) if is_replaced(&own, &with_normal, given) => with_normal,
            _ => own,
        }
    }

    /// Parameters without which the law is refused, or says nothing, besides the usual ones: see [`Conformance::sample`].
    pub fn sample(&self) -> BTreeMap<String, ParameterValue> {
        self.conformance.sample.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect()
    }
}

/// A law that cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistrationError {
    /// The name is taken.
    #[error("a law named \"{0}\" is already registered")]
    Taken(&'static str),
    /// The name would not stand in a scene.
    #[error(
        "\"{0}\" is not a valid name of a law, expected lower-case letters, digits and hyphens, starting with a letter"
    )]
    Name(&'static str),
}

/// Laws that the program has added.
static REGISTERED: RwLock<Vec<&'static Entry>> = RwLock::new(Vec::new());

/// Adds a law for the rest of the process: scenes may name it, and `dem laws`, the schema and checkpoints know it like those of the engine.
///
/// # Errors
/// A name that another law has, or that is none.
pub fn register(entry: Entry) -> Result<(), RegistrationError> {
    let is_name = entry.key.starts_with(|c: char| c.is_ascii_lowercase())
        && entry.key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_name {
        return Err(RegistrationError::Name(entry.key));
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let mut known = LAWS.iter().chain(registered.iter().copied());
    if known.any(|known| known.key == entry.key) {
        return Err(RegistrationError::Taken(entry.key));
    }
    registered.push(Box::leak(Box::new(entry)));
    Ok(())
}

/// All laws: those of the engine, then those that the program has [registered](register).
pub fn all() -> Vec<&'static Entry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    LAWS.iter().chain(registered.iter().copied()).collect()
}

/// Names of all laws.
pub fn keys() -> Vec<&'static str> {
    all().into_iter().map(|entry| entry.key).collect()
}

/// The normal models that may stand in place of that of a law, with their parameters.
pub fn normal_models() -> Option<ModelChoice> {
    normal::normal_choice(None)
}

/// Fields that these choices add to the history of a contact, behind those of the law.
pub fn common_fields() -> Vec<FieldSpec> {
    resistance::fields().into_iter().chain(pull::fields()).chain(near_field::fields()).collect()
}

/// Fields of a law built from the smallest admissible sets of parameters, for all words of its choices.
fn fields<L: ContactLaw>() -> Vec<FieldSpec> {
    let declaration = declaration::<L>();
    let mut found: Vec<FieldSpec> = Vec::new();
    for words in declaration.combinations() {
        let smallest =
            smallest_parameters(&declaration, L::CONFORMANCE.sample, words).and_then(|set| L::new(&set, &UNIT_PAIR));
        for field in smallest.map_or(Vec::new(), |law| law.fields()) {
            if !found.contains(&field) {
                found.push(field);
            }
        }
    }
    found
}

const UNIT_PAIR: PairMaterial = PairMaterial {
    effective_young_modulus: 1.0,
    effective_shear_modulus: 0.25,
    shear_moduli: [1.0; 2],
    poisson_ratios: [0.25; 2],
};

fn smallest_parameters(
    declaration: &Declaration,
    sample: &[(&str, Sample)],
    mut given: BTreeMap<String, ParameterValue>,
) -> Result<ParameterSet, LawError> {
    for spec in declaration.applicable(&given)? {
        let stated = sample.iter().find(|(name, _)| *name == spec.name && !given.contains_key(*name));
        if let Some(&(name, value)) = stated {
            given.insert(name.to_owned(), value.into());
            continue;
        }
        match spec.kind {
            ParameterKind::Required(interval) => {
                if let Some(value) = [1.0, 0.5, 0.0].into_iter().find(|&x| interval.contains(x)) {
                    given.insert(spec.name.to_owned(), ParameterValue::Number(value));
                }
            }
            // damping is optional in several ways, one of which must be given
            _ if spec.name == RESTITUTION.name => {
                given.insert(spec.name.to_owned(), ParameterValue::Number(1.0));
            }
            _ => {}
        }
    }
    declaration.resolve(given)
}

macro_rules! entries {
    (@evaluator Straight) => { InLanes };
    (@evaluator StraightShared) => { InSharedLoop };
    (@evaluator $evaluator:ident) => { $evaluator };
    (@entry $evaluator:ty, $law:ty) => { Entry::of::<$law, $evaluator>() };
    (@entry $evaluator:ty, $law:ty, $sliding:ty, $unbooked:ty) => {
        Entry::of_variants::<$law, $sliding, $unbooked, $evaluator>()
    };
    ($(pub mod $module:ident: $law:ty $(| $sliding:ty | $unbooked:ty)? => $evaluation:ident;)*) => {
        /// The laws of the engine.
        pub static LAWS: &[Entry] = {
            use crate::laws::{$($module),*};
            &[$(entries!(@entry entries!(@evaluator $evaluation), $law $(, $sliding, $unbooked)?)),*]
        };
    };
}

contact_laws!(entries);

/// Law of a name.
pub fn find(key: &str) -> Option<&'static Entry> {
    all().into_iter().find(|entry| entry.key == key)
}
