//! Kernels of the laws of the registry: parameters are resolved for every pair of materials, and what a pair requires is laid over its law.

use std::collections::BTreeMap;
use std::sync::Arc;

use dem_core::history::FieldSpec;
use dem_core::material::PairMaterial;

use super::declarations::{PairError, PairParameters, declaration, is_replaced, with_normal};
use crate::bookkeeping::WORK_BOOKKEEPING;
use crate::force_loop::kernel::evaluation::{Evaluation, one_by_one};
use crate::force_loop::kernel::evaluator::OneByOne;
use crate::force_loop::kernel::force_kernel::ForceKernel;
use crate::force_loop::kernel::law_kernel::LawKernel;
use crate::law::ContactLaw;
use crate::near_field::{NEAR_FIELD, NearField};
use crate::normal::NORMAL;
use crate::pair_law::PairLaw;
use crate::parameter::{Declaration, LawError, ParameterSet, ParameterValue};
use crate::pull::{Overlay, Pulled};
use crate::resistance::Resisted;
use crate::submodels::friction::DYNAMIC_FRICTION;
use crate::submodels::unloading::UNLOADING;

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

pub(super) fn build<L, E>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError>
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
pub(super) fn build_variant<L, S, U, E>(parameters: &PairParameters) -> Result<Box<dyn ForceKernel>, PairError>
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
