//! Laws and integrators as a user names them: `NAME` or `NAME:key=value,key=value`.

use std::collections::BTreeMap;

use dem_contact::registry::{self, Entry};
use dem_contact::{ParameterKind, ParameterSpec, ParameterValue};
use dem_io::nearest;
use dem_io::units::UncheckedQuantity;
use dem_report::ReportError;
use dem_report::given::one_of;
use dem_sim::integrators;

/// A law or an integrator by its name, with parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedChoice {
    /// As the user wrote it, the label in tables and figures.
    pub label: String,
    /// Name in its registry.
    pub name: String,
    /// Parameters that are given.
    pub parameters: BTreeMap<String, ParameterValue>,
}

impl NamedChoice {
    /// A contact law of the registry.
    ///
    /// # Errors
    /// A name or a parameter that does not exist, and text of another form.
    pub fn law(text: &str) -> Result<Self, ReportError> {
        let known = registry::keys();
        Self::parse("--law", text, &known, |name| registry::find(name).map(|entry| (entry.parameters)()))
    }

    /// An integrator of the registry.
    ///
    /// # Errors
    /// As [`Self::law`].
    pub fn integrator(text: &str) -> Result<Self, ReportError> {
        let known: Vec<&str> = integrators::INTEGRATORS.iter().map(|entry| entry.key).collect();
        Self::parse("--integrator", text, &known, |name| integrators::find(name).map(|entry| entry.options.to_vec()))
    }

    fn parse(
        option: &'static str,
        text: &str,
        known: &[&str],
        find: impl Fn(&str) -> Option<Vec<ParameterSpec>>,
    ) -> Result<Self, ReportError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let refused = |allowed: String| ReportError::Option { option, value: text.to_owned(), allowed };
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
    pub fn entry(&self) -> Option<&'static Entry> {
        registry::find(&self.name)
    }

    /// Whether a parameter of a law can be given beside the words that are given, and is not yet.
    pub fn lacks(&self, parameter: &str) -> bool {
        let applicable =
            self.entry().and_then(|entry| entry.declaration_for(&self.parameters).applicable(&self.parameters).ok());
        applicable.is_some_and(|specs| specs.iter().any(|spec| spec.name == parameter))
            && !self.parameters.contains_key(parameter)
    }

    /// `key = value` for every parameter, to be joined in a scene.
    pub fn assignments(&self) -> Vec<String> {
        self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbers_flags_and_words() {
        let law = NamedChoice::law("mindlin:stiffness_rule=kohring, stiffness_point=0.5").unwrap();
        assert_eq!(law.name, "mindlin");
        assert_eq!(law.parameters["stiffness_rule"], ParameterValue::Word("kohring".into()));
        assert_eq!(law.parameters["stiffness_point"], ParameterValue::Number(0.5));
        assert_eq!(law.assignments(), ["stiffness_point = 0.5", "stiffness_rule = \"kohring\""]);
        let law = NamedChoice::law("linear:normal_stiffness=10 kN/m,friction=50 %,no_tension=false").unwrap();
        assert_eq!(law.parameters["normal_stiffness"], ParameterValue::Number(1e4));
        assert_eq!(law.parameters["friction"], ParameterValue::Number(0.5));
        assert_eq!(law.parameters["no_tension"], ParameterValue::Flag(false));
        assert!(NamedChoice::law("linear:normal_stiffness=10 kN").unwrap_err().to_string().contains("N/m"));
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        let message = |result: Result<NamedChoice, ReportError>| result.unwrap_err().to_string();
        assert!(message(NamedChoice::law("hooke")).contains("hertz-mindlin"));
        assert!(message(NamedChoice::law("hertz-mindlni")).contains("did you mean hertz-mindlin?"));
        assert!(message(NamedChoice::law("linear:frictoin=1")).contains("did you mean friction?"));
        assert!(message(NamedChoice::law("mdr:spring=3")).contains("springs"));
        assert!(message(NamedChoice::law("mdr:springs")).contains("key=value"));
        assert!(message(NamedChoice::integrator("leapfrog")).contains("velocity-verlet"));
    }

    #[test]
    fn only_a_law_with_a_linear_spring_lacks_its_stiffness() {
        assert!(NamedChoice::law("linear").unwrap().lacks("normal_stiffness"));
        assert!(!NamedChoice::law("linear:normal_stiffness=1e6").unwrap().lacks("normal_stiffness"));
        assert!(!NamedChoice::law("mdr").unwrap().lacks("normal_stiffness"));
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
}
