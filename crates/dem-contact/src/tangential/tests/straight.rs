//! Laws that can be written down as straight lines of arithmetic: those that the table of laws says are.

use std::collections::BTreeMap;

use super::*;
use crate::bookkeeping::Unbooked;
use crate::force_loop::kernel::lane_equality::assert_shortcuts_change_no_bit;
use crate::law::StraightLaw;
use crate::laws::{contact_laws, *};
use crate::parameter::{Declaration, ParameterKind, ParameterSpec};
use crate::resistance::Resisted;

type Parameters = BTreeMap<String, ParameterValue>;

/// A law with all parameters of a kind that it accepts, one word or flag of its choices after the other.
fn check<L: StraightLaw>() {
    check_words::<L>(&[], |_| true);
}

/// A law that keeps no work terms, under the rule of unloading that needs none.
fn check_unbooked<L: StraightLaw>() {
    let has_rule = L::parameters().iter().any(|spec| spec.name == "unloading");
    let rule = given![unloading = "none"];
    check_words::<L>(if has_rule { &rule } else { &[] }, |name| name != "unloading");
}

fn check_words<L: StraightLaw>(fixed: &[(String, ParameterValue)], is_varied: impl Fn(&str) -> bool) {
    let mut sets = vec![fixed.to_vec()];
    for spec in declaration::<L>().all().into_iter().filter(|spec| is_varied(spec.name)) {
        let taken = |value: &ParameterValue| !matches!(value, ParameterValue::Word(word) if L::CONFORMANCE.refuses(spec.name, word));
        for value in others(&spec).into_iter().filter(taken) {
            let needed = needed(spec.name);
            // a variant of the law without dynamic friction does without what needs it
            if needed.is_empty() || with_little::<L>(&given![dynamic_friction = 0.2]).is_some() {
                sets.push([fixed, &needed, &[(spec.name.to_owned(), value)]].concat());
            }
        }
    }
    for set in &sets {
        let variants = [with_little::<L>(set), with_much::<L>(set)];
        assert!(variants.iter().any(Option::is_some), "{}: never accepted with {set:?}", L::KEY);
        variants.iter().flatten().for_each(assert_shortcuts_change_no_bit);
    }
}

/// What a word needs beside it.
fn needed(name: &str) -> Vec<(String, ParameterValue)> {
    if name == "friction_law" { given![dynamic_friction = 0.2, decay_speed = 0.1].into() } else { Vec::new() }
}

/// A law with every resistance.
fn check_resisted<L: StraightLaw>() {
    for (rolling, twisting) in [("constant-torque", "spring-dashpot"), ("elastic-plastic", "marshall")] {
        let law = with_much::<Resisted<L>>(&given![rolling = rolling, twisting = twisting]);
        assert_shortcuts_change_no_bit(&law.unwrap());
    }
}

fn declaration<L: ContactLaw>() -> Declaration {
    Declaration { always: L::parameters(), choices: L::choices() }
}

fn build<L: ContactLaw>(given: &Parameters) -> Result<L, LawError> {
    L::new(&declaration::<L>().resolve(given.clone())?, &pair())
}

/// Words and flags that are not the default.
fn others(spec: &ParameterSpec) -> Vec<ParameterValue> {
    match spec.kind {
        ParameterKind::Choice(words) => words[1..].iter().map(|&word| ParameterValue::Word(word.to_owned())).collect(),
        ParameterKind::Flag(default) => vec![ParameterValue::Flag(!default)],
        _ => Vec::new(),
    }
}

/// Parameters that are fixed, and those that must be given.
fn little<L: ContactLaw>(fixed: &[(String, ParameterValue)]) -> Parameters {
    let mut given: Parameters = fixed.iter().cloned().collect();
    for spec in declaration::<L>().applicable(&given).unwrap() {
        let stated = L::CONFORMANCE.sample.iter().find(|(name, _)| *name == spec.name);
        let value = match (stated, spec.kind) {
            (Some(&(_, value)), _) => value.into(),
            (None, ParameterKind::Required(_)) => ParameterValue::Number(ordinary(spec.name)),
            // damping in one of its forms
            _ if spec.name == "restitution" => ParameterValue::Number(0.6),
            _ => continue,
        };
        given.entry(spec.name.to_owned()).or_insert(value);
    }
    given
}

/// A law with what must be given; none where that is not enough.
fn with_little<L: ContactLaw>(fixed: &[(String, ParameterValue)]) -> Option<L> {
    build(&little::<L>(fixed)).ok()
}

/// A law with every number that it does not refuse, one after the other.
fn with_much<L: ContactLaw>(fixed: &[(String, ParameterValue)]) -> Option<L> {
    let mut given = little::<L>(fixed);
    // twice, because a number may be refused until another one is there
    for spec in declaration::<L>().applicable(&given).unwrap().repeat(2) {
        if matches!(spec.kind, ParameterKind::Optional(_) | ParameterKind::Default(..)) {
            let mut more = given.clone();
            more.entry(spec.name.to_owned()).or_insert(ParameterValue::Number(ordinary(spec.name)));
            if build::<L>(&more).is_ok() {
                given = more;
            }
        }
    }
    build(&given).ok()
}

/// A value with which a parameter acts in the geometry of the checks.
fn ordinary(name: &str) -> f64 {
    match name {
        "normal_stiffness" => 2e5,
        "tangential_stiffness" => 1e5,
        "friction" => 0.5,
        "contact_damping" => 3.0,
        "tangential_damping_ratio" => 0.1,
        _ => 0.3,
    }
}

macro_rules! straight_laws {
    (@test Straight, $module:ident, $law:ty $(, $sliding:ty, $unbooked:ty)?) => {
        #[test]
        fn $module() {
            check::<$law>();
            check_resisted::<$law>();
            $(check::<$sliding>();
            check_unbooked::<$unbooked>();)?
        }
    };
    (@test StraightShared, $($law:tt)*) => { straight_laws!(@test Straight, $($law)*); };
    // in lanes, but not straight, or one contact at a time: the table says why
    (@test $evaluation:ident, $module:ident, $($law:ty),*) => {};
    ($(pub mod $module:ident: $law:ty $(| $sliding:ty | $unbooked:ty)? => $evaluation:ident;)*) => {
        /// A test for each law that is said to be straight.
        mod same_bits_without_shortcuts {
            use super::*;

            $(straight_laws!(@test $evaluation, $module, $law $(, $sliding, $unbooked)?);)*
        }
    };
}

contact_laws!(straight_laws);
