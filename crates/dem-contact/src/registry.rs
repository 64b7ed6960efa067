//! The laws by name. Adding a law to the engine is one file in `laws/` and one line in the table of `laws/mod.rs`; a program adds its own with
//! [`register`].

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use dem_core::history::FieldSpec;
use dem_core::material::PairMaterial;

use crate::bookkeeping::{StiffnessBooked, Unbooked, WORK_BOOKKEEPING};
use crate::composite::Composite;
use crate::force_loop::kernel::evaluation::{Evaluation, one_by_one};
use crate::force_loop::kernel::evaluator::{InLanes, InLanesOrOneByOne, InSharedLoop, OneByOne};
use crate::force_loop::kernel::force_kernel::ForceKernel;
use crate::force_loop::kernel::law_kernel::LawKernel;
use crate::law::{Conformance, ContactLaw, LawDescription, Sample};
use crate::laws::contact_laws;
use crate::near_field::{self, NEAR_FIELD, NearField};
use crate::normal::{self, NORMAL};
use crate::pair_law::PairLaw;
use crate::parameter::{
    Declaration, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec, ParameterValue,
};
use crate::pull::{self, Overlay, Pulled};
use crate::resistance::{self, Resisted, Rolling, Twisting};
use crate::submodels::damping::RESTITUTION;
use crate::submodels::friction::{DYNAMIC_FRICTION, StaticDynamic};
use crate::submodels::unloading::UNLOADING;

/// Parameters of the pairs of materials that a law governs; `None` where another law does.
pub struct PairParameters {
    /// Number of materials.
    pub materials: usize,
    /// Row by row, `materials × materials`.
    pub pairs: Vec<Option<(PairMaterial, BTreeMap<String, ParameterValue>)>>,
}

/// A parameter that was refused, and the pair of materials it was for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct PairError {
    /// The two materials.
    pub materials: (usize, usize),
    /// What is wrong.
    pub error: LawError,
}

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

/// Choices that every law has: resistance against rolling and twisting, a pull between bodies that touch, and forces at a distance.
pub fn common_choices() -> Vec<ModelChoice> {
    vec![Rolling::choice(), Twisting::choice(), pull::choice(), near_field::choice()]
}

/// The normal models that may stand in place of that of a law, with their parameters.
pub fn normal_models() -> Option<ModelChoice> {
    normal::normal_choice(None)
}

/// Fields that these choices add to the history of a contact, behind those of the law.
pub fn common_fields() -> Vec<FieldSpec> {
    resistance::fields().into_iter().chain(pull::fields()).chain(near_field::fields()).collect()
}

/// What a law declares, with what can be laid over it.
fn declaration<L: ContactLaw>() -> Declaration {
    Declaration { always: L::parameters(), choices: L::choices().into_iter().chain(common_choices()).collect() }
}

/// What a law declares with a normal model of the scene's choice.
fn with_normal<L: ContactLaw>() -> Option<Declaration> {
    let choice = L::replaceable_normal()?;
    let Declaration { always, choices } = declaration::<L::WithNormal>();
    Some(Declaration { always, choices: [choice].into_iter().chain(choices).collect() })
}

/// Whether the words that are given put another normal model in the place of that of the law.
fn is_replaced(own: &Declaration, with_normal: &Declaration, given: &BTreeMap<String, ParameterValue>) -> bool {
    let Some(word) = given.get(NORMAL) else { return false };
    let words = |declaration: &Declaration| {
        let kinds = declaration.choices.iter().filter(|choice| choice.choice.name == NORMAL);
        kinds.flat_map(|choice| choice.models.iter().map(|&(word, _)| word)).collect::<Vec<_>>()
    };
    let is = |known: &&str| matches!(word, ParameterValue::Word(word) if word == known);
    // the first word stands for the law's own model, unless the law has words of its own
    let (own, all) = (words(own), words(with_normal));
    let own = if own.is_empty() { &all[..all.len().min(1)] } else { &own[..] };
    !own.iter().any(is)
}

fn parameters<L: ContactLaw>() -> Vec<ParameterSpec> {
    let mut all = declaration::<L>().all();
    for spec in with_normal::<L>().map_or(Vec::new(), |declaration| declaration.all()) {
        if all.iter().all(|known| known.name != spec.name) {
            all.push(spec);
        }
    }
    all
}

fn any_replaces_normal<L: ContactLaw>(parameters: &PairParameters) -> bool {
    let given = || parameters.pairs.iter().flatten().map(|(_, given)| given).filter(|given| given.contains_key(NORMAL));
    let own = declaration::<L>();
    given().next().is_some()
        && with_normal::<L>().is_some_and(|other| given().any(|given| is_replaced(&own, &other, given)))
}

/// Builds a law with normal models of the scene's choice.
fn build_with_normal<L: ContactLaw>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError> {
    let resolved = resolve(&with_normal::<L>().unwrap_or_default(), parameters)?;
    let booked = |set: &ParameterSet| {
        set.iter().all(|(name, _)| name != WORK_BOOKKEEPING.name) || set.flag(WORK_BOOKKEEPING.name)
    };
    if let Some(index) = resolved.pairs.iter().position(|pair| pair.as_ref().is_some_and(|(_, set)| !booked(set))) {
        let message = format!("= false, expected true with {NORMAL}, whose models keep works");
        return Err(resolved.fail(index, LawError::new(WORK_BOOKKEEPING.name, message)));
    }
    kernel_with_overlays::<L::WithNormal, OneByOne>(&resolved)
}

/// Validated parameters by pair of materials.
struct ResolvedPairs {
    materials: usize,
    pairs: Vec<Option<(PairMaterial, ParameterSet)>>,
}

impl ResolvedPairs {
    fn fail(&self, index: usize, error: LawError) -> PairError {
        PairError { materials: (index / self.materials, index % self.materials), error }
    }

    /// The law of each pair of materials, made of its parameters.
    fn laws<T>(
        &self,
        make: impl Fn(&ParameterSet, &PairMaterial) -> Result<T, LawError>,
    ) -> Result<Vec<Option<T>>, PairError> {
        let of_pair = |(index, pair): (usize, &Option<(PairMaterial, ParameterSet)>)| {
            let law = pair.as_ref().map(|(material, set)| make(set, material)).transpose();
            law.map_err(|error| self.fail(index, error))
        };
        self.pairs.iter().enumerate().map(of_pair).collect()
    }

    fn any_chooses(&self, choice: &str) -> bool {
        self.pairs.iter().flatten().any(|(_, set)| set.choice(choice) != "none")
    }
}

fn resolve(declaration: &Declaration, parameters: &PairParameters) -> Result<ResolvedPairs, PairError> {
    let mut resolved = ResolvedPairs { materials: parameters.materials, pairs: Vec::new() };
    // a law's own model may be named; it is no choice then
    let is_choice = declaration.choices.iter().any(|choice| choice.choice.name == NORMAL);
    for (index, pair) in parameters.pairs.iter().enumerate() {
        let pair = match pair {
            Some((material, given)) => {
                let mut given = given.clone();
                if !is_choice {
                    given.remove(NORMAL);
                }
                let set = declaration.resolve(given).map_err(|error| resolved.fail(index, error))?;
                Some((*material, set))
            }
            None => None,
        };
        resolved.pairs.push(pair);
    }
    Ok(resolved)
}

fn build<L, E>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError>
where
    L: ContactLaw,
    E: Evaluation<L> + Evaluation<Resisted<L>>,
{
    if any_replaces_normal::<L>(parameters) {
        return build_with_normal::<L>(parameters);
    }
    kernel_with_overlays::<L, E>(&resolve(&declaration::<L>(), parameters)?)
}

/// The kernel of a law with what its pairs of materials require; what no pair requires costs nothing.
fn kernel_with_overlays<L, E>(resolved: &ResolvedPairs) -> Result<Box<dyn ForceKernel>, PairError>
where
    L: ContactLaw,
    E: Evaluation<L> + Evaluation<Resisted<L>>,
{
    let has_resistance = resolved.any_chooses("rolling") || resolved.any_chooses("twisting");
    if resolved.any_chooses(NEAR_FIELD) {
        near_field_kernel::<L>(resolved)
    } else if resolved.any_chooses("adhesion") {
        if has_resistance { pulled_kernel::<Resisted<L>, E>(resolved) } else { pulled_kernel::<L, E>(resolved) }
    } else if has_resistance {
        // a loop of its own would be faster by less than a tenth and take as long to compile as that of the law
        kernel_of(resolved, laws::<Resisted<L>>(resolved)?, ContactLaw::fields, E::kernel_in_shared_loop)
    } else {
        kernel::<L, E>(resolved)
    }
}

/// Builds `L`, or its variant `S` with a record that has room for the memory of sliding if some pair has dynamic
/// friction, or `U`, which keeps no work terms, if they are not requested.
fn build_variant<L, S, U, E>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError>
where
    L: ContactLaw,
    S: ContactLaw,
    U: ContactLaw,
    E: Evaluation<L> + Evaluation<Resisted<L>> + Evaluation<S> + Evaluation<Resisted<S>> + Evaluation<U>,
{
    let any = |is: fn(&BTreeMap<String, ParameterValue>) -> bool| {
        parameters.pairs.iter().flatten().any(|(_, given)| is(given))
    };
    if any_replaces_normal::<S>(parameters) {
        // the variant with room for the memory of sliding knows all that the other one does
        build_with_normal::<S>(parameters)
    } else if any(|given| given.get(WORK_BOOKKEEPING.name) == Some(&ParameterValue::Flag(false))) {
        build_without_work::<U, E>(parameters)
    } else if any(|given| given.contains_key(DYNAMIC_FRICTION.name)) {
        build::<S, E>(parameters)
    } else {
        build::<L, E>(parameters)
    }
}

fn build_without_work<L, E>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError>
where
    L: ContactLaw,
    E: Evaluation<L>,
{
    let resolved = resolve(&declaration::<L>(), parameters)?;
    let needed = |message: &str| LawError::new(WORK_BOOKKEEPING.name, format!("= false, expected true {message}"));
    for (index, set) in resolved.pairs.iter().enumerate().filter_map(|(index, pair)| Some((index, &pair.as_ref()?.1))) {
        let choice =
            ["rolling", "twisting", "adhesion", NEAR_FIELD].into_iter().find(|choice| set.choice(choice) != "none");
        if let Some(choice) = choice {
            return Err(resolved.fail(index, needed(&format!("with {choice}, whose history includes work terms"))));
        }
        if set.optional(DYNAMIC_FRICTION.name).is_some() {
            return Err(resolved.fail(index, needed(&format!("with {}", DYNAMIC_FRICTION.name))));
        }
        if let Some(rule) = ["carried", "hyperelastic"].into_iter().find(|rule| set.choice(UNLOADING.name) == *rule) {
            let message = format!(
                "with {} = \"{rule}\", which needs the energy of the tangential spring; give one of none, area, neutral, total, displacement",
                UNLOADING.name
            );
            return Err(resolved.fail(index, needed(&message)));
        }
        if set.flag(WORK_BOOKKEEPING.name) {
            return Err(resolved.fail(
                index,
                LawError::new(
                    WORK_BOOKKEEPING.name,
                    "= true, expected false as for another pair of materials".to_owned(),
                ),
            ));
        }
    }
    kernel::<L, E>(&resolved)
}

fn kernel<L: ContactLaw, E: Evaluation<L>>(resolved: &ResolvedPairs) -> Result<Box<dyn ForceKernel>, PairError> {
    kernel_of(resolved, laws::<L>(resolved)?, ContactLaw::fields, E::kernel)
}

/// The kernel of laws with pulls laid over them.
fn pulled_kernel<L: ContactLaw, E: Evaluation<L>>(resolved: &ResolvedPairs) -> Result<Box<dyn ForceKernel>, PairError> {
    let laws = resolved.laws(|set, material| {
        let law = L::new(set, material)?;
        Ok((law, Overlay::new(set, &law)?))
    })?;
    kernel_of(resolved, laws, |(law, _)| law.fields(), E::kernel_of_pulled)
}

/// The kernel of laws with forces at a distance. Records have room for liquid bridges where any pair of materials has them.
fn near_field_kernel<L: ContactLaw>(resolved: &ResolvedPairs) -> Result<Box<dyn ForceKernel>, PairError> {
    let mut laws = resolved.laws(|set, material| {
        let law: Arc<dyn PairLaw> = Arc::new(Resisted::<L>::new(set, material)?);
        let overlay = Overlay::new(set, law.as_ref())?;
        NearField::new(Arc::new(Pulled::new(law, overlay)), set)
    })?;
    if laws.iter().flatten().any(NearField::forms_bridges) {
        laws = laws.into_iter().map(|law| law.map(NearField::keeping_bridges)).collect();
    }
    kernel_of(resolved, laws, PairLaw::fields, |materials, laws| {
        one_by_one(materials, laws.into_iter().map(|law| Arc::new(law) as Arc<dyn PairLaw>).collect())
    })
}

/// The law of each pair of materials.
fn laws<L: ContactLaw>(resolved: &ResolvedPairs) -> Result<Vec<Option<L>>, PairError> {
    resolved.laws(L::new)
}

fn kernel_of<T: Clone>(
    resolved: &ResolvedPairs,
    laws: Vec<Option<T>>,
    fields: impl Fn(&T) -> Vec<FieldSpec>,
    make: impl FnOnce(usize, Vec<T>) -> LawKernel,
) -> Result<Box<dyn ForceKernel>, PairError> {
    let Some(any) = laws.iter().flatten().next().cloned() else {
        return Err(resolved.fail(0, LawError::new("law", "no pair of materials uses it")));
    };
    let expected = fields(&any);
    for (index, law) in laws.iter().enumerate() {
        if law.as_ref().is_some_and(|law| fields(law) != expected) {
            // one store holds the histories of all pairs
            let message = "has other history fields than another pair of materials, expected for all pairs of a law the same models, and the same value of every parameter that sets the size of their history";
            return Err(resolved.fail(index, LawError::new("law", message)));
        }
    }
    let laws = laws.into_iter().map(|law| law.unwrap_or_else(|| any.clone())).collect();
    Ok(Box::new(make(resolved.materials, laws)))
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
