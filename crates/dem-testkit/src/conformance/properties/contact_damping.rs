//! Contact damping stands beside everything else.

use dem_contact::ParameterValue;
use dem_contact::registry;
use dem_core::DVec3;

use super::effects::completed;
use super::parameters::is_accepted;
use crate::conformance::driven_pair::{DrivenPair, Loads};
use crate::conformance::{Property, ensure, path};

/// Contact damping changes nothing but its own force.
pub const BESIDES: Property = Property {
    name: "contact damping",
    claim: "where the law declares contact_damping, it adds the same forces and torques along a path of stick and slip whatever models it is \
            combined with, friction or none, and changes no answer of theirs (1e-9 of the largest load)",
    check: besides,
};

/// Viscosity that makes the damping force as large as that of the spring along the path \[N s/m\].
const VISCOSITY: f64 = 5.0;

fn besides(law: &str) -> Result<(), String> {
    let entry = registry::find(law).ok_or("the law is not registered")?;
    let declaration = (entry.declaration)();
    let Some(spec) = declaration.all().into_iter().find(|spec| spec.name == "contact_damping") else { return Ok(()) };
    let poses = path::random(21, 120);
    let follow = |given: &_| DrivenPair::new(law, given, &poses[0], false).follow(&poses);
    let mut expected: Option<Vec<[DVec3; 4]>> = None;
    for words in declaration.combinations() {
        let Some(mut given) =
            completed(&declaration, &entry.sample(), words.clone(), &spec, ParameterValue::Number(VISCOSITY))
        else {
            continue;
        };
        for friction in [0.0, 0.4] {
            if declaration.applicable(&given).is_ok_and(|all| all.iter().any(|known| known.name == "friction")) {
                given.insert("friction".to_owned(), ParameterValue::Number(friction));
            }
            let mut without = given.clone();
            without.insert(spec.name.to_owned(), ParameterValue::Number(0.0));
            if !is_accepted(entry, &given) {
                continue;
            }
            let (with, without) = (follow(&given), follow(&without));
            let scale = |k: usize| with.iter().map(|loads| all(loads)[k].length()).fold(0.0, f64::max);
            let scales = [0, 1, 2, 3].map(scale);
            let pairs = with.iter().zip(&without);
            let found: Vec<[DVec3; 4]> = pairs.map(|(a, b)| std::array::from_fn(|k| all(a)[k] - all(b)[k])).collect();
            let share = found.iter().map(|extra| extra[0].length() / scales[0]).fold(0.0, f64::max);
            ensure(share > 0.1, || format!("contact damping adds {share:.1e} of the largest force"))?;
            let expected = expected.get_or_insert_with(|| found.clone());
            for (step, (one, other)) in found.iter().zip(expected).enumerate() {
                for k in 0..4 {
                    let off = (one[k] - other[k]).length() / scales[k];
                    ensure(off < 1e-9, || format!("{words:?}, friction {friction}, step {step}: off by {off:.1e}"))?;
                }
            }
        }
    }
    ensure(expected.is_some(), || "contact damping is never accepted".to_owned())
}

/// Forces and torques of a step.
fn all(loads: &Loads) -> [DVec3; 4] {
    [loads.force[0], loads.force[1], loads.torque[0], loads.torque[1]]
}
