//! Volumes that the forms of liquid bridges are not made for.

use std::collections::BTreeMap;

use super::forms::REGRESSION;
use super::{BRIDGE_FORM, BRIDGE_VOLUME};
use crate::near_field::NEAR_FIELD;
use crate::parameter::ParameterValue;

/// A volume V* up to which the regression was made.
const REGRESSION_VOLUME: f64 = 0.1;

/// What to tell about given parameters of bridges between bodies whose effective radii \[m\] go from the first to the second: volumes V* that
/// their form is not made for.
pub fn beyond_validity(given: &BTreeMap<String, ParameterValue>, effective_radii: [f64; 2]) -> Option<String> {
    let word = |name: &str| {
        given.get(name).and_then(|value| if let ParameterValue::Word(word) = value { Some(word) } else { None })
    };
    let Some(&ParameterValue::Number(volume)) = given.get(BRIDGE_VOLUME.name) else { return None };
    if word(NEAR_FIELD).is_none_or(|word| word != "liquid-bridge") {
        return None;
    }
    let [largest, smallest] = effective_radii.map(|radius| volume / (8.0 * radius * radius * radius));
    let is_regression = word(BRIDGE_FORM.name).is_none_or(|word| word == "willett");
    let least = *REGRESSION.start();
    if largest >= REGRESSION_VOLUME {
        Some(format!(
            "{} is up to {largest:.1e} R^3, R = 2 r*; the forms of liquid bridges are made for less than {REGRESSION_VOLUME}",
            BRIDGE_VOLUME.name
        ))
    } else if is_regression && smallest < least {
        Some(format!(
            "{} is down to {smallest:.1e} R^3, R = 2 r*; below {least:.0e} {} = \"willett-closed\" takes the place of \"willett\"",
            BRIDGE_VOLUME.name, BRIDGE_FORM.name
        ))
    } else {
        None
    }
}
