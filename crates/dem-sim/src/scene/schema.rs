//! The JSON Schema of scenes: that of the types, with the names that they take as text, and the parameters that belong to each.

use std::collections::BTreeMap;

use dem_contact::frame::TransportKind;
use dem_contact::geometry::{EffectiveMass, Lever, SlipForm};
use dem_contact::{ParameterKind, ParameterSpec, registry};
use dem_io::units::text_pattern;
use serde_json::{Map, Value, json};

use super::document::Scene;
use crate::integrators::registry::INTEGRATORS;

/// Names with the parameters that belong to them.
type Named = Vec<(&'static str, Vec<ParameterSpec>)>;

/// The schema that editors complete and check scenes with.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Scene).to_value();
    let laws: Named = registry::all().into_iter().map(|law| (law.key, (law.parameters)())).collect();
    let integrators: Named = INTEGRATORS.iter().map(|entry| (entry.key, entry.options.to_vec())).collect();
    let definitions = &mut schema["$defs"];

    let contact = &mut definitions["ContactScene"];
    let choices = [
        ("lever", Lever::NAMES),
        ("transport", TransportKind::NAMES),
        ("slip", SlipForm::NAMES),
        ("effective_mass", EffectiveMass::NAMES),
    ];
    for (key, names) in choices {
        contact["properties"][key]["enum"] = json!(names);
    }
    enumerate(contact, "law", &laws);
    enumerate(&mut definitions["PairScene"], "law", &laws);
    let options = &mut definitions["IntegratorScene"]["anyOf"];
    options[0]["enum"] = json!(names_of(&integrators));
    enumerate(&mut options[1], "name", &integrators);
    if let Some(actions) = definitions["ActionScene"]["oneOf"].as_array_mut() {
        for action in actions.iter_mut().filter(|action| action["properties"]["type"]["const"] == "set_contact") {
            let parameters = &mut action["properties"]["parameters"];
            parameters["properties"] = Value::Object(parameters_of(&laws));
            parameters["additionalProperties"] = json!(false);
        }
    }
    definitions["TimeScene"]["properties"]["step"]["anyOf"] =
        json!([{ "enum": ["auto", "adaptive"] }, { "$ref": "#/$defs/Time" }]);
    schema
}

fn names_of(named: &Named) -> Vec<&'static str> {
    named.iter().map(|(name, _)| *name).collect()
}

/// Lists the names that a key of a table takes, the parameters that may stand beside it, and for each name those that belong to it.
fn enumerate(table: &mut Value, key: &str, named: &Named) {
    table["properties"][key]["enum"] = json!(names_of(named));
    let fixed: Vec<String> = table["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect();
    if let Some(properties) = table["properties"].as_object_mut() {
        for (name, parameter) in parameters_of(named) {
            properties.entry(name).or_insert(parameter);
        }
    }
    let belongs = |(name, parameters): &(&'static str, Vec<ParameterSpec>)| {
        let own = parameters.iter().map(|spec| spec.name.to_owned());
        let allowed: Vec<String> = fixed.iter().cloned().chain(own).collect();
        json!({
            "if": { "properties": { key: { "const": name } }, "required": [key] },
            "then": { "propertyNames": { "enum": allowed } },
        })
    };
    table["allOf"] = named.iter().map(belongs).collect();
}

/// What each parameter takes; those of one name in several laws are one.
fn parameters_of(named: &Named) -> Map<String, Value> {
    let mut found: BTreeMap<&str, Vec<ParameterSpec>> = BTreeMap::new();
    for spec in named.iter().flat_map(|(_, parameters)| parameters) {
        let same = found.entry(spec.name).or_default();
        if !same.contains(spec) {
            same.push(*spec);
        }
    }
    let described = |(name, specs): (&str, Vec<ParameterSpec>)| {
        let mut kinds: Vec<Value> = specs.iter().map(kind).collect();
        kinds.dedup();
        let mut value = match <[Value; 1]>::try_from(kinds) {
            Ok([kind]) => kind,
            Err(kinds) => json!({ "anyOf": kinds }),
        };
        let (meaning, unit) = specs.first().map_or(("", "-"), |spec| (spec.meaning, spec.unit));
        value["description"] = json!(if unit == "-" { meaning.to_owned() } else { format!("{meaning} [{unit}]") });
        (name.to_owned(), value)
    };
    found.into_iter().map(described).collect()
}

/// What a parameter takes.
fn kind(spec: &ParameterSpec) -> Value {
    match spec.kind {
        ParameterKind::Flag(_) => json!({ "type": "boolean" }),
        ParameterKind::Choice(words) => json!({ "enum": words }),
        ParameterKind::Required(_) | ParameterKind::Optional(_) | ParameterKind::Default(..) => {
            json!({ "type": ["number", "string"], "pattern": text_pattern(spec.unit == "-") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_parameters_are_listed() {
        let schema = schema();
        let contact = &schema["$defs"]["ContactScene"];
        let laws = registry::keys();
        assert_eq!(contact["properties"]["law"]["enum"], json!(laws));
        assert_eq!(contact["properties"]["lever"]["enum"], json!(["half", "radius", "plane"]));
        let rule = contact["allOf"].as_array().unwrap().iter();
        let of_law = |name: &str| {
            let mut rules = rule.clone();
            rules.find(|rule| rule["if"]["properties"]["law"]["const"] == name).unwrap()["then"]["propertyNames"]["enum"].clone()
        };
        let knows = |law: &str, parameter: &str| of_law(law).as_array().unwrap().contains(&json!(parameter));
        assert!(knows("balevicius", "hysteresis_power") && !knows("linear", "hysteresis_power"));
        // what comes with a normal model in place of the law's own
        assert!(knows("linear", "normal_stiffness") && knows("hertz-mindlin", "yield_pressure"));
        assert!(knows("linear", "lever") && knows("mdr", "friction"));
        // every parameter that a rule admits is described
        for law in &laws {
            for name in of_law(law).as_array().unwrap() {
                let known = &contact["properties"][name.as_str().unwrap()];
                assert!(known["description"].as_str().is_some_and(|text| !text.is_empty()), "{law} {name}");
            }
        }
        let integrator = &schema["$defs"]["IntegratorScene"]["anyOf"];
        assert_eq!(integrator[0]["enum"].as_array().unwrap().len(), INTEGRATORS.len());
        assert!(integrator[1]["properties"].as_object().unwrap().len() > 2);
    }
}
