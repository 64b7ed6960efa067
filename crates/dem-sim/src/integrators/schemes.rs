//! The integrators of the registry with every choice that makes another scheme of them, for comparisons and tests.

use std::collections::BTreeMap;

use dem_contact::{LawError, ParameterKind, ParameterValue};

use super::integrator::Integrator;
use super::registry::{Entry, INTEGRATORS, find};

/// An integrator with options.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheme {
    /// Name in scenes.
    pub integrator: &'static str,
    /// Options that are not the default.
    pub options: BTreeMap<String, ParameterValue>,
}

impl Scheme {
    /// An integrator with numbers, flags and words.
    pub fn new(integrator: &'static str, options: BTreeMap<String, ParameterValue>) -> Self {
        Self { integrator, options }
    }

    /// The same with another option.
    #[must_use]
    pub fn with(mut self, name: &str, value: ParameterValue) -> Self {
        self.options.insert(name.to_owned(), value);
        self
    }

    /// Builds the integrator.
    ///
    /// # Errors
    /// An integrator that is not in the registry, an option that it refuses.
    pub fn build(&self) -> Result<Box<dyn Integrator>, LawError> {
        let unknown = || LawError {
            parameter: "integrator".to_owned(),
            message: format!("= {}, expected one of the registry", self.integrator),
        };
        find(self.integrator).ok_or_else(unknown)?.build(self.options.clone())
    }

    /// As a value of `time.integrator` in a scene.
    pub fn toml(&self) -> String {
        let options: String = self.options.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
        format!("{{ name = \"{}\"{options} }}", self.integrator)
    }
}

impl std::fmt::Display for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.integrator)?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

/// All integrators with all combinations of their words and flags, numbers at their defaults, the default scheme first.
pub fn all_schemes() -> Vec<Scheme> {
    INTEGRATORS.iter().flat_map(schemes_of).collect()
}

fn schemes_of(entry: &Entry) -> Vec<Scheme> {
    let mut all = vec![Scheme::new(entry.key, BTreeMap::new())];
    for spec in entry.options {
        let others: Vec<ParameterValue> = match spec.kind {
            ParameterKind::Choice(words) => {
                words[1..].iter().map(|&word| ParameterValue::Word(word.to_owned())).collect()
            }
            ParameterKind::Flag(default) => vec![ParameterValue::Flag(!default)],
            ParameterKind::Required(_) | ParameterKind::Optional(_) | ParameterKind::Default(..) => Vec::new(),
        };
        let more: Vec<Scheme> = others
            .iter()
            .flat_map(|value| all.iter().map(|scheme| scheme.clone().with(spec.name, value.clone())))
            .collect();
        all.extend(more);
    }
    all
}
