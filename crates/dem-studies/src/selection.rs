//! Laws and integrators as a user names them: `NAME` or `NAME:key=value,key=value`.

use std::collections::BTreeMap;

use dem_contact::registry::{self, Entry};
use dem_contact::{ParameterSpec, ParameterValue};
use dem_sim::integrators;

use crate::error::StudyError;

/// A name with parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// As the user wrote it, the label in tables and figures.
    pub label: String,
    /// Name in its registry.
    pub name: String,
    /// Parameters that are given.
    pub parameters: BTreeMap<String, ParameterValue>,
}

impl Selection {
    /// A contact law of the registry.
    ///
    /// # Errors
    /// A name or a parameter that does not exist, and text of another form.
    pub fn law(text: &str) -> Result<Self, StudyError> {
        let known: Vec<&str> = registry::LAWS.iter().map(|entry| entry.key).collect();
        Self::parse("--law", text, &known, |name| registry::find(name).map(|entry| (entry.parameters)()))
    }

    /// An integrator of the registry.
    ///
    /// # Errors
    /// As [`Self::law`].
    pub fn integrator(text: &str) -> Result<Self, StudyError> {
        let known: Vec<&str> = integrators::INTEGRATORS.iter().map(|entry| entry.key).collect();
        Self::parse("--integrator", text, &known, |name| integrators::find(name).map(|entry| entry.options.to_vec()))
    }

    fn parse(
        option: &'static str,
        text: &str,
        known: &[&str],
        find: impl Fn(&str) -> Option<Vec<ParameterSpec>>,
    ) -> Result<Self, StudyError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let refused = |allowed: String| StudyError::Option { option, value: text.to_owned(), allowed };
        let Some(specs) = find(name) else { return Err(refused(format!("one of {}", known.join(", ")))) };
        let mut parameters = BTreeMap::new();
        for word in rest.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let Some((key, value)) = word.split_once('=') else {
                return Err(refused(format!("{name} or {name}:key=value,key=value")));
            };
            let key = key.trim();
            if specs.iter().all(|spec| spec.name != key) {
                let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
                return Err(refused(format!("parameters of {name}: {}", names.join(", "))));
            }
            parameters.insert(key.to_owned(), value_of(value.trim()));
        }
        Ok(Self { label: text.to_owned(), name: name.to_owned(), parameters })
    }

    /// The entry of a law.
    pub(crate) fn entry(&self) -> Option<&'static Entry> {
        registry::find(&self.name)
    }

    /// Whether a parameter of a law can be given beside the words that are given, and is not yet.
    pub(crate) fn lacks(&self, parameter: &str) -> bool {
        let applicable = self.entry().and_then(|entry| (entry.declaration)().applicable(&self.parameters).ok());
        applicable.is_some_and(|specs| specs.iter().any(|spec| spec.name == parameter))
            && !self.parameters.contains_key(parameter)
    }

    /// `key = value` for every parameter, to be joined in a scene.
    pub(crate) fn assignments(&self) -> Vec<String> {
        self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect()
    }
}

fn value_of(text: &str) -> ParameterValue {
    match text {
        "true" => ParameterValue::Flag(true),
        "false" => ParameterValue::Flag(false),
        _ => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => ParameterValue::Number(number),
            _ => ParameterValue::Word(text.replace(['"', '\\', '\n'], "")),
        },
    }
}

/// Numbers as a user lists them: `2,5,10`, `2..40:20` for twenty even ones from 2 to 40, or both.
///
/// # Errors
/// No number, more than ten thousand, or one that is not `allowed`.
pub fn numbers(
    option: &'static str,
    text: &str,
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<Vec<f64>, StudyError> {
    const MOST: usize = 10_000;
    let refused = |value: &str| StudyError::Option {
        option,
        value: value.to_owned(),
        allowed: format!("1 to {MOST} numbers as in 2,5,10 or 2..40:20, each {allowed}"),
    };
    let mut all = Vec::new();
    for word in text.split(',').map(str::trim) {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let range = word.split_once("..").map(|(from, rest)| (from, rest.split_once(':')));
        match range {
            None => all.push(number(word).ok_or_else(|| refused(text))?),
            Some((from, Some((to, count)))) => {
                let ends = number(from).zip(number(to)).ok_or_else(|| refused(text))?;
                let count = count.trim().parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
                let count = count.ok_or_else(|| refused(text))?;
                let share = |k: usize| if count == 1 { 0.0 } else { k as f64 / (count - 1) as f64 };
                all.extend((0..count).map(|k| ends.0 + (ends.1 - ends.0) * share(k)));
            }
            Some((_, None)) => return Err(refused(text)),
        }
    }
    if all.is_empty() || all.len() > MOST {
        return Err(refused(text));
    }
    match all.iter().find(|&&x| !admissible(x)) {
        Some(x) => Err(refused(&x.to_string())),
        None => Ok(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbers_flags_and_words() {
        let law = Selection::law("mindlin:stiffness_rule=kohring, stiffness_point=0.5").unwrap();
        assert_eq!(law.name, "mindlin");
        assert_eq!(law.parameters["stiffness_rule"], ParameterValue::Word("kohring".into()));
        assert_eq!(law.parameters["stiffness_point"], ParameterValue::Number(0.5));
        assert_eq!(law.assignments(), ["stiffness_point = 0.5", "stiffness_rule = \"kohring\""]);
        assert_eq!(value_of("true"), ParameterValue::Flag(true));
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        let message = |result: Result<Selection, StudyError>| result.unwrap_err().to_string();
        assert!(message(Selection::law("hooke")).contains("hertz-mindlin"));
        assert!(message(Selection::law("mdr:spring=3")).contains("springs"));
        assert!(message(Selection::law("mdr:springs")).contains("key=value"));
        assert!(message(Selection::integrator("leapfrog")).contains("velocity-verlet"));
    }

    #[test]
    fn only_a_law_with_a_linear_spring_lacks_its_stiffness() {
        assert!(Selection::law("linear").unwrap().lacks("normal_stiffness"));
        assert!(!Selection::law("linear:normal_stiffness=1e6").unwrap().lacks("normal_stiffness"));
        assert!(!Selection::law("mdr").unwrap().lacks("normal_stiffness"));
    }

    #[test]
    fn lists_and_ranges_of_numbers() {
        let numbers = |text| numbers("--angle", text, "in (0, 90)", |x| x > 0.0 && x < 90.0);
        assert_eq!(numbers("2, 10..30:3").unwrap(), [2.0, 10.0, 20.0, 30.0]);
        assert_eq!(numbers("7..9:1").unwrap(), [7.0]);
        for refused in ["", "2..30:0", "2..30", "0", "90", "nan", "2..30:1000000", "5,x"] {
            let message = numbers(refused).unwrap_err().to_string();
            assert!(message.starts_with("--angle = ") && message.contains("in (0, 90)"), "{refused}: {message}");
        }
    }
}
