//! Laws and integrators as a user names them: `NAME` or `NAME:key=value,key=value`.

use std::collections::BTreeMap;

use dem_contact::registry::{self, Entry};
use dem_contact::{ParameterKind, ParameterSpec, ParameterValue};
use dem_io::nearest;
use dem_io::units::UncheckedQuantity;
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
        let known = registry::keys();
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
        let Some(specs) = find(name) else { return Err(refused(one_of(name, known))) };
        let mut parameters = BTreeMap::new();
        for word in rest.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let Some((key, value)) = word.split_once('=') else {
                return Err(refused(format!("{name} or {name}:key=value,key=value")));
            };
            let key = key.trim();
            let Some(spec) = specs.iter().find(|spec| spec.name == key) else {
                let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
                let meant = nearest(key, names.iter().copied());
                let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
                return Err(refused(format!("parameters of {name}: {}{meant}", names.join(", "))));
            };
            let value = value_of(spec, value.trim()).map_err(|why| refused(format!("{key}: {why}")))?;
            parameters.insert(key.to_owned(), value);
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

/// What is allowed where a name is none of those that are known, with the one that is probably meant.
pub fn one_of(name: &str, known: &[&str]) -> String {
    let meant = nearest(name, known.iter().copied());
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
    format!("one of {}{meant}", known.join(", "))
}

/// Laws of a list: commas separate them; a part `key=value` belongs to the law before it.
pub fn separate(given: &[String]) -> Vec<String> {
    let mut laws: Vec<String> = Vec::new();
    for list in given {
        for (number, part) in list.split(',').enumerate() {
            match laws.last_mut().filter(|_| number > 0) {
                Some(last) if part.contains('=') && !part.contains(':') => {
                    last.push(',');
                    last.push_str(part);
                }
                _ => laws.push(part.trim().to_owned()),
            }
        }
    }
    laws
}

/// The value of a parameter: a number, in SI or with its unit, yes or no, or a word.
fn value_of(spec: &ParameterSpec, text: &str) -> Result<ParameterValue, String> {
    let word = || Ok(ParameterValue::Word(text.replace(['"', '\\', '\n'], "")));
    match (text, spec.kind) {
        ("true", _) => Ok(ParameterValue::Flag(true)),
        ("false", _) => Ok(ParameterValue::Flag(false)),
        (_, ParameterKind::Choice(_) | ParameterKind::Flag(_)) => word(),
        _ => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(ParameterValue::Number(number)),
            _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
                let unit = if spec.unit == "-" { "" } else { spec.unit };
                let number = UncheckedQuantity::Text(text.to_owned()).in_unit(unit);
                number.map(ParameterValue::Number).map_err(|error| error.to_string())
            }
            _ => word(),
        },
    }
}

/// A number, or a share in percent.
fn number_or_percent(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim_end().parse::<f64>().ok().map(|x| x / 100.0),
        None => text.parse().ok(),
    };
    number.filter(|x| x.is_finite())
}

/// A number of the command line without a dimension: plain, or in percent.
///
/// # Errors
/// In words, for another text.
pub fn share(text: &str) -> Result<f64, String> {
    number_or_percent(text).ok_or_else(|| "expected a finite number such as 0.05, or 5 %".to_owned())
}

/// Numbers as a user lists them, in percent, too: `2,5,10`, `5 %, 10 %`, `2..40:20` for twenty even ones from 2 to 40, or all of these.
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
        let number = number_or_percent;
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
        let law = Selection::law("linear:normal_stiffness=10 kN/m,friction=50 %,no_tension=false").unwrap();
        assert_eq!(law.parameters["normal_stiffness"], ParameterValue::Number(1e4));
        assert_eq!(law.parameters["friction"], ParameterValue::Number(0.5));
        assert_eq!(law.parameters["no_tension"], ParameterValue::Flag(false));
        assert!(Selection::law("linear:normal_stiffness=10 kN").unwrap_err().to_string().contains("N/m"));
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        let message = |result: Result<Selection, StudyError>| result.unwrap_err().to_string();
        assert!(message(Selection::law("hooke")).contains("hertz-mindlin"));
        assert!(message(Selection::law("hertz-mindlni")).contains("did you mean hertz-mindlin?"));
        assert!(message(Selection::law("linear:frictoin=1")).contains("did you mean friction?"));
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
    fn laws_are_separated_by_commas_and_keep_their_parameters() {
        let separate = |given: &[&str]| separate(&given.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        assert_eq!(separate(&["linear, hertz-mindlin"]), ["linear", "hertz-mindlin"]);
        assert_eq!(
            separate(&["linear:normal_stiffness=1e4,friction=0.2,mdr", "kuhn"]),
            ["linear:normal_stiffness=1e4,friction=0.2", "mdr", "kuhn"]
        );
        assert_eq!(separate(&["linear", "friction=1"]), ["linear", "friction=1"]);
    }

    #[test]
    fn shares_are_plain_or_in_percent() {
        assert_eq!((share("5 %"), share("0.05"), share(" 50% ")), (Ok(0.05), Ok(0.05), Ok(0.5)));
        for text in ["", "%", "5 m", "nan", "inf %"] {
            assert!(share(text).is_err(), "{text}");
        }
        assert_eq!(numbers("--friction", "10 %, 0.5", "0 or positive", |x| x >= 0.0).unwrap(), [0.1, 0.5]);
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
