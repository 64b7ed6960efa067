//! What is put to the test.

use std::sync::Arc;

use dem_contact::ParameterValue;
use dem_contact::parameter::ParameterKind;
use dem_contact::registry;

use super::bed::{Bed, Drive};
pub use super::case::{Case, HALVINGS, Setting};
use super::convergence::Convergence;
use super::expectations;
use super::impacts::{Directions, Impacts};
use super::stated::Stated;
use super::subject::{NormalSpring, RESISTANCES, damped};
use crate::schemes::all_schemes;

/// The law that every integrator is put to the test with: incremental, with a dashpot beside every spring, friction and resistance.
pub const REPRESENTATIVE: &str = "hertz-mindlin";

/// How much is put to the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// In a bed every law with and without resistance, every resistance with two laws and every integrator; in impacts every choice.
    Short,
    /// The same in a bed with every resistance and every option of every law and every choice of every integrator.
    Long,
}

/// A case in a setting.
pub struct Trial {
    /// Forces and integrator.
    pub case: Case,
    /// Where.
    pub setting: Setting,
    /// What is stated of it.
    pub stated: Stated,
}

/// What a trial found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Name of the case.
    pub case: String,
    /// Name of the setting.
    pub setting: &'static str,
    /// What is stated.
    pub stated: Stated,
    /// Of velocities or stresses, and of works if anything is dissipated; or why there is none.
    pub found: Result<(Convergence, Option<Convergence>), String>,
}

impl Outcome {
    /// Whether it is as stated.
    ///
    /// # Errors
    /// What is otherwise.
    pub fn check(&self) -> Result<(), String> {
        let (states, works) = self.found.as_ref().map_err(Clone::clone)?;
        self.stated.check(states, works.as_ref())
    }
}

impl Trial {
    /// Runs it.
    pub fn run(&self) -> Outcome {
        let found = self.setting.courses(&self.case.subject()).map(|courses| {
            let works = (!self.case.is_elastic).then(|| Convergence::of_works(&courses));
            (Convergence::of_states(&courses), works)
        });
        Outcome { case: self.case.name(), setting: self.setting.name(), stated: self.stated, found }
    }
}

/// All trials of an extent of the laws that are named, and of the integrators if [`REPRESENTATIVE`] is among them. Beds are prepared here.
pub fn trials(extent: Extent, names: &[&'static str]) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |cases: Vec<Case>, setting: &dyn Fn(&Case) -> Setting| {
        trials.extend(cases.into_iter().map(|case| {
            let setting = setting(&case);
            Trial { stated: expectations::of(&case, &setting), case, setting }
        }));
    };
    let impacts = Setting::Impacts(Impacts { count: 128, directions: Directions::Space });
    let (options, has_schemes) = (options(names), names.contains(&REPRESENTATIVE));
    add([laws(Extent::Long, names), options.clone()].concat(), &|_| impacts.clone());
    if has_schemes {
        add([schemes(Extent::Long), springs_alone()].concat(), &|_| impacts.clone());
    }
    let cells = [NormalSpring::Linear, NormalSpring::Hertz].map(|normal| {
        let bed = Bed::prepared(normal, Drive::Cell, 4);
        (normal, Setting::Bed(Arc::new(bed)))
    });
    let cell = |case: &Case| {
        let normal = case.subject().normal;
        cells[usize::from(normal == cells[1].0)].1.clone()
    };
    add(laws(extent, names), &cell);
    if extent == Extent::Long {
        add(options, &cell);
    }
    if !has_schemes {
        return trials;
    }
    let sites = if extent == Extent::Long { 4 } else { 3 };
    let plates = Setting::Bed(Arc::new(Bed::prepared(NormalSpring::Hertz, Drive::Plates, sites)));
    add(schemes(extent), &|_| plates.clone());
    trials
}

/// Every law with resistance and without, or every resistance.
fn laws(extent: Extent, names: &[&'static str]) -> Vec<Case> {
    let of = |&law: &&'static str| {
        let every = extent == Extent::Long || [REPRESENTATIVE, "linear"].contains(&law);
        RESISTANCES[..if every { 4 } else { 2 }].iter().map(move |&resistance| Case::of_law(law, resistance))
    };
    names.iter().flat_map(of).collect()
}

/// Every integrator with its defaults, or with every choice.
fn schemes(extent: Extent) -> Vec<Case> {
    let chosen = all_schemes().into_iter().filter(|scheme| extent == Extent::Long || scheme.options.is_empty());
    let case = Case::of_law(REPRESENTATIVE, RESISTANCES[1]);
    chosen.map(|scheme| Case { scheme: Some(scheme), ..case.clone() }).collect()
}

/// Every integrator with springs alone, of which its own order can be asked.
fn springs_alone() -> Vec<Case> {
    let alone = |case: Case| Case { resistance: RESISTANCES[0], is_elastic: true, ..case };
    schemes(Extent::Long).into_iter().map(alone).collect()
}

/// Choices that are not options of a law, or need a number beside them: laid over any law, parts of `combination`, and what changes no motion.
const OTHER_CHOICES: [&str; 8] =
    ["exponent", "rolling", "twisting", "adhesion", "near_field", "normal", "tangential", "work_bookkeeping"];

/// Every law with every word and flag of its options that is not the default, and with dynamic friction.
fn options(names: &[&str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for law in names.iter().filter_map(|name| registry::find(name)) {
        let plain = Case::of_law(law.key, RESISTANCES[0]);
        // of the models that the law is put together from here
        let applicable = (law.declaration)().applicable(&damped(law.key, RESISTANCES[0])).unwrap_or_default();
        for spec in applicable {
            let values: Vec<ParameterValue> = match spec.kind {
                _ if OTHER_CHOICES.contains(&spec.name) => Vec::new(),
                ParameterKind::Choice(words) => {
                    let taken = words[1..].iter().filter(|word| !law.conformance.refuses(spec.name, word));
                    taken.map(|&word| ParameterValue::Word(word.to_owned())).collect()
                }
                ParameterKind::Flag(default) => vec![ParameterValue::Flag(!default)],
                _ if spec.name == "dynamic_friction" => vec![ParameterValue::Number(0.3)],
                // room for all of the history
                _ if spec.name == "turning_points" => vec![ParameterValue::Number(64.0)],
                _ => Vec::new(),
            };
            cases.extend(values.into_iter().map(|value| Case { option: Some((spec.name, value)), ..plain.clone() }));
        }
    }
    cases
}
