//! Parameters that act.

use std::collections::BTreeMap;

use dem_contact::parameter::{ParameterKind, ParameterSpec};
use dem_contact::registry;
use dem_contact::{Declaration, ModelChoice, ParameterValue};
use dem_core::DVec3;

use super::parameters::is_accepted;
use crate::conformance::driven_pair::DrivenPair;
use crate::conformance::path::{self, OVERLAP, Pose, RADII};
use crate::conformance::{Property, ensure};

/// No parameter is declared in vain.
pub const ACTS: Property = Property {
    name: "effects",
    claim: "another value of any number, flag or word that the law declares changes the loads along a path that approaches, forms, loads, slips, \
            rolls, twists and separates; `sliding_work`, `separation_split`, `elastic_displacement` and `work_bookkeeping` change the work or the \
            history that is booked, and no load; `film_share` acts on films, which no law holds; parameters without any use are listed below",
    check: acts,
};

/// Parameters of what is booked.
const BOOKING: [&str; 4] = ["sliding_work", "separation_split", "elastic_displacement", "work_bookkeeping"];

/// What acts between steps, where films of liquid are held: see the tests of films in dem-sim.
const BETWEEN_STEPS: [&str; 1] = ["film_share"];

type Given = BTreeMap<String, ParameterValue>;

fn acts(law: &str) -> Result<(), String> {
    let entry = registry::find(law).ok_or("the law is not registered")?;
    let declaration = (entry.declaration)();
    let poses = path();
    let sample = entry.sample();
    let refused = refused(law);
    for spec in declaration
        .all()
        .into_iter()
        .filter(|spec| !refused.contains(&spec.name) && !BETWEEN_STEPS.contains(&spec.name))
    {
        let values = values(&spec, &sample);
        let is_refused = |value: &ParameterValue| matches!(value, ParameterValue::Word(word) if entry.conformance.refuses(spec.name, word));
        for value in values[1..].iter().filter(|value| !is_refused(value)) {
            let mut differences = declaration.combinations().into_iter().filter_map(|words| {
                let [one, other] = [&values[0], value]
                    .map(|value| completed(&declaration, &sample, words.clone(), &spec, value.clone()));
                let pair = [one?, other?];
                pair.iter().all(|given| is_accepted(entry, given)).then(|| differs(law, &pair, &poses))
            });
            let expected = if BOOKING.contains(&spec.name) { (false, true) } else { (true, true) };
            let found = differences.any(|found| found == expected);
            let is_idle = entry.conformance.idle.iter().any(|(name, _)| *name == spec.name);
            ensure(found != is_idle, || {
                let what = if is_idle { "acts, but is listed as idle" } else { "does not do what is said" };
                format!("{} = {value} in place of {} {what}", spec.name, values[0])
            })?;
        }
    }
    Ok(())
}

/// Parameters of what a law refuses: of a pull where it adheres, and of forces at a distance where its bodies hold on to each other.
fn refused(law: &str) -> Vec<&'static str> {
    let pose = Pose::still(OVERLAP, DVec3::X);
    let mut pair = DrivenPair::common(law, 1.0, &pose);
    pair.step(&pose);
    let is_refused = |choice: &ModelChoice| match choice.choice.name {
        "near_field" => pair.world.range() > 0.0 || pair.world.adheres(),
        "adhesion" => pair.world.adheres(),
        _ => false,
    };
    let choices = registry::common_choices().into_iter().filter(is_refused);
    choices
        .flat_map(|choice| Declaration { always: Vec::new(), choices: vec![choice] }.all())
        .map(|spec| spec.name)
        .collect()
}

/// Words with a value of the parameter that is looked at, and what else must be given then, from the sample of the law if it is there; `None` where
/// the parameter does not apply.
pub(super) fn completed(
    declaration: &Declaration,
    sample: &Given,
    mut given: Given,
    spec: &ParameterSpec,
    value: ParameterValue,
) -> Option<Given> {
    let known = declaration.all();
    let needed = prerequisites(spec.name, &value).into_iter();
    given.extend(needed.filter(|(name, _)| known.iter().any(|spec| spec.name == name)));
    given.insert(spec.name.to_owned(), value);
    let has = |name: &str| known.iter().any(|spec| spec.name == name);
    if ["no_tension", "tangential_damping_share"].contains(&spec.name) && has("damping_ratio") && !has("restitution") {
        // of laws that need no dashpot
        given.insert("damping_ratio".to_owned(), ParameterValue::Number(0.3));
    }
    let applicable = declaration.applicable(&given).ok()?;
    applicable.iter().find(|known| known.name == spec.name)?;
    for other in &applicable {
        if let Some(value) = sample.get(other.name).filter(|_| !is_rival(other.name, spec.name)) {
            given.entry(other.name.to_owned()).or_insert(value.clone());
        }
        // damping in one of its forms
        let damping =
            other.name == "restitution" && !["damping_ratio", "damping_rate", "dissipation_time"].contains(&spec.name);
        if damping || matches!(other.kind, ParameterKind::Required(_)) {
            given.entry(other.name.to_owned()).or_insert(ParameterValue::Number(ordinary(other.name)));
        }
    }
    Some(given)
}

/// Whether the loads differ, and whether anything does.
fn differs(law: &str, [one, other]: &[Given; 2], poses: &[Pose]) -> (bool, bool) {
    let mut pair = [one, other].map(|given| DrivenPair::new(law, given, &poses[0], false));
    let (mut loads, mut books) = (false, false);
    for pose in poses {
        let [a, b] = pair.each_mut().map(|pair| pair.step(pose));
        loads |= a != b;
        let [a, b] = pair.each_ref().map(|pair| {
            let records: Vec<Vec<f64>> = pair.save().into_iter().map(|saved| saved.record).collect();
            (records, pair.world.energy())
        });
        books |= a != b;
        if loads && books {
            break;
        }
    }
    (loads, loads || books)
}

/// From out of range into contact, along two paths with a separation between them, and apart again.
fn path() -> Vec<Pose> {
    let gaps = [1.5, 0.75, 0.4, 0.1].map(|millimetres| Pose::still(-1e-3 * millimetres, DVec3::X));
    // loops within loops, so that a contact has many turning points to remember
    let loops = (0..400).map(|step: u32| {
        let sign = if (step / 10).is_multiple_of(2) { 1.0 } else { -1.0 };
        let size = 0.1 * OVERLAP / RADII[1] * (1.0 - f64::from(step) / 400.0);
        Pose { rotation: [DVec3::Z * (sign * size), DVec3::ZERO], ..Pose::still(OVERLAP, DVec3::X) }
    });
    gaps.into_iter()
        .chain(path::random(12, 300))
        .chain(path::random(13, 100))
        .chain(gaps)
        .chain(loops)
        .chain(gaps.into_iter().rev())
        .collect()
}

/// An ordinary value and those to compare it with.
fn values(spec: &ParameterSpec, sample: &Given) -> Vec<ParameterValue> {
    match spec.kind {
        ParameterKind::Required(interval) | ParameterKind::Optional(interval) | ParameterKind::Default(_, interval) => {
            let value = match sample.get(spec.name) {
                Some(ParameterValue::Number(value)) => *value,
                _ => ordinary(spec.name),
            };
            let other = [0.5, 0.75, 1.5].map(|factor| factor * value).into_iter().find(|&x| interval.contains(x));
            [Some(value), other].into_iter().flatten().map(ParameterValue::Number).collect()
        }
        ParameterKind::Flag(default) => [default, !default].map(ParameterValue::Flag).to_vec(),
        ParameterKind::Choice(words) => words.iter().map(|&word| ParameterValue::Word(word.to_owned())).collect(),
    }
}

/// Whether one of two parameters is given in place of the other.
fn is_rival(one: &str, other: &str) -> bool {
    [("surface_energy", "work_of_adhesion"), ("unloading_stiffness", "stiffening")].contains(&(one, other))
}

/// What a parameter or a word needs to act, besides the words that bring it.
fn prerequisites(name: &str, value: &ParameterValue) -> Vec<(String, ParameterValue)> {
    let number = |name: &str| vec![(name.to_owned(), ParameterValue::Number(ordinary(name)))];
    let word = |name: &str, word: &str| vec![(name.to_owned(), ParameterValue::Word(word.to_owned()))];
    match (name, value) {
        ("twisting", ParameterValue::Word(model)) if model == "marshall" => number("twisting_radius"),
        ("sliding_dashpot", _) => number("tangential_damping_ratio"),
        ("exponent", ParameterValue::Word(form)) if form == "linear" => number("loading_stiffness"),
        ("loading_stiffness", _) => word("exponent", "linear"),
        ("work_bookkeeping", _) => word("unloading", "none"),
        ("sliding_flag", _) => number("dynamic_friction"),
        ("liquid_viscosity", _) => number("separation_minimum"),
        ("tangential_stiffness", _) => word("stiffness_rule", "constant"),
        ("stiffness_rule", ParameterValue::Word(rule)) if rule == "constant" => number("tangential_stiffness"),
        ("friction_law", ParameterValue::Word(law)) if law == "exponential" => {
            [number("dynamic_friction"), number("decay_speed")].concat()
        }
        ("decay_speed", _) => [number("dynamic_friction"), word("friction_law", "exponential")].concat(),
        _ => Vec::new(),
    }
}

/// A value that matters for the spheres of the path.
fn ordinary(name: &str) -> f64 {
    match name {
        "normal_stiffness" | "tangential_stiffness" | "loading_stiffness" => 1e6,
        "friction" => 0.4,
        "dynamic_friction" => 0.2,
        "decay_speed" => 0.01,
        "dissipation_time" => 1e-7,
        "restitution" => 0.6,
        "damping_rate" | "tangential_damping_rate" => 1e3,
        "turning_points" => 8.0,
        "springs" => 30.0,
        "mie_attraction" => 1e-4,
        "mie_attraction_exponent" => 2.0,
        "mie_repulsion" => 1e-8,
        "mie_repulsion_exponent" => 4.0,
        "mie_cutoff" | "van_der_waals_cutoff" => 1e-3,
        "hamaker_constant" => 1e-15,
        "separation_minimum" => 1e-6,
        // one of the gaps is between the rupture distances
        "bridge_volume" => 4.196e-11,
        _ => 0.3,
    }
}
