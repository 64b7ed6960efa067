//! Parameters of a law, declared in a table: the source of validation, `dem laws`, the scene schema and error messages.

use std::collections::BTreeMap;

/// A parameter that was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{parameter}: {message}")]
pub struct LawError {
    /// Name of the parameter.
    pub parameter: String,
    /// Why, with the value and what is allowed.
    pub message: String,
}

impl LawError {
    /// An error about a parameter.
    pub fn new(parameter: &str, message: impl Into<String>) -> Self {
        Self { parameter: parameter.to_owned(), message: message.into() }
    }
}

/// Interval of admissible numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Whether the lower end is admissible.
    pub includes_low: bool,
    /// Upper end.
    pub high: f64,
    /// Whether the upper end is admissible.
    pub includes_high: bool,
}

impl Interval {
    /// `value > 0`.
    pub const POSITIVE: Self = Self { low: 0.0, includes_low: false, high: f64::INFINITY, includes_high: false };
    /// `value >= 0`.
    pub const NOT_NEGATIVE: Self = Self { low: 0.0, includes_low: true, high: f64::INFINITY, includes_high: false };
    /// `0 < value <= 1`.
    pub const UNIT: Self = Self { low: 0.0, includes_low: false, high: 1.0, includes_high: true };

    /// Whether a number is admissible; NaN never is.
    pub fn contains(&self, value: f64) -> bool {
        (value > self.low || self.includes_low && value == self.low)
            && (value < self.high || self.includes_high && value == self.high)
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = |included| if included { "<=" } else { "<" };
        write!(f, "{} {} value", self.low, sign(self.includes_low))?;
        if self.high < f64::INFINITY {
            write!(f, " {} {}", sign(self.includes_high), self.high)?;
        }
        Ok(())
    }
}

/// What a parameter accepts and what it is when not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A number that must be given.
    Required(Interval),
    /// A number that may be left out.
    Optional(Interval),
    /// A number with a default.
    Default(f64, Interval),
    /// Yes or no, with a default.
    Flag(bool),
    /// One of a list of words; the first is the default.
    Choice(&'static [&'static str]),
}

/// Declaration of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterSpec {
    /// Key in a scene.
    pub name: &'static str,
    /// Unit in SI, "-" if none.
    pub unit: &'static str,
    /// Meaning in a sentence.
    pub meaning: &'static str,
    /// What it accepts.
    pub kind: ParameterKind,
}

/// A choice of a model by a word, and the parameters that each word brings.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelChoice {
    /// The parameter that chooses.
    pub choice: ParameterSpec,
    /// Words with their parameters.
    pub models: Vec<(&'static str, Vec<ParameterSpec>)>,
}

impl ModelChoice {
    /// The word that is given, or the default.
    fn chosen(
        &self,
        given: &BTreeMap<String, ParameterValue>,
    ) -> Result<&(&'static str, Vec<ParameterSpec>), LawError> {
        let value = check(&self.choice, given.get(self.choice.name).cloned())?;
        self.models
            .iter()
            .find(|(word, _)| matches!(&value, Some(ParameterValue::Word(given)) if given == word))
            .ok_or_else(|| LawError::new(self.choice.name, "has no models"))
    }

    fn words_with(&self, name: &str) -> Vec<&'static str> {
        self.models.iter().filter(|(_, specs)| specs.iter().any(|s| s.name == name)).map(|&(word, _)| word).collect()
    }
}

/// Everything that a law declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declaration {
    /// Parameters that always apply.
    pub always: Vec<ParameterSpec>,
    /// Choices of models.
    pub choices: Vec<ModelChoice>,
}

impl Declaration {
    /// All parameters, each once.
    pub fn all(&self) -> Vec<ParameterSpec> {
        let chosen = self.choices.iter().flat_map(|choice| {
            std::iter::once(&choice.choice).chain(choice.models.iter().flat_map(|(_, specs)| specs))
        });
        unique(self.always.iter().chain(chosen))
    }

    /// Parameters that apply with the words that are given.
    ///
    /// # Errors
    /// A word that is no choice.
    pub fn applicable(&self, given: &BTreeMap<String, ParameterValue>) -> Result<Vec<ParameterSpec>, LawError> {
        let mut all: Vec<&ParameterSpec> = self.always.iter().collect();
        for choice in &self.choices {
            all.push(&choice.choice);
            all.extend(&choice.chosen(given)?.1);
        }
        Ok(unique(all.into_iter()))
    }

    /// Under which choices a parameter applies, in words; `None` if it always does.
    pub fn condition(&self, name: &str) -> Option<String> {
        let always = self.always.iter().any(|spec| spec.name == name);
        let chooses_or_is_chosen =
            |c: &ModelChoice| c.choice.name == name || c.words_with(name).len() == c.models.len();
        if always || self.choices.iter().any(chooses_or_is_chosen) {
            return None;
        }
        let conditions: Vec<String> = self
            .choices
            .iter()
            .filter_map(|choice| {
                let words: Vec<String> = choice.words_with(name).iter().map(|word| format!("\"{word}\"")).collect();
                (!words.is_empty()).then(|| format!("{} = {}", choice.choice.name, words.join(" or ")))
            })
            .collect();
        (!conditions.is_empty()).then(|| conditions.join(" or "))
    }

    /// The refusal of a parameter that does not apply with the words that are given.
    pub fn refusal(&self, name: &str, given: &BTreeMap<String, ParameterValue>) -> LawError {
        let value = given.get(name).map_or_else(String::new, |value| format!("= {value}, "));
        let Some(condition) = self.condition(name) else {
            let known: Vec<&str> = self.always.iter().map(|spec| spec.name).collect();
            return LawError::new(name, format!("{value}unknown parameter, expected one of {}", known.join(", ")));
        };
        let present: Vec<String> = self
            .choices
            .iter()
            .filter(|choice| !choice.words_with(name).is_empty())
            .filter_map(|choice| Some(format!("{} = \"{}\"", choice.choice.name, choice.chosen(given).ok()?.0)))
            .collect();
        LawError::new(name, format!("{value}expected only with {condition}, but {}", present.join(", ")))
    }

    /// Checks values against what applies with the words that are given, and fills in defaults.
    ///
    /// # Errors
    /// As [`ParameterSet::resolve`], and a parameter of a model that is not chosen.
    pub fn resolve(&self, given: BTreeMap<String, ParameterValue>) -> Result<ParameterSet, LawError> {
        let applicable = self.applicable(&given)?;
        if let Some(name) = given.keys().find(|name| applicable.iter().all(|spec| spec.name != **name)) {
            return Err(self.refusal(name, &given));
        }
        ParameterSet::resolve(&applicable, given)
    }

    /// One set of words for every combination of the choices.
    pub fn combinations(&self) -> Vec<BTreeMap<String, ParameterValue>> {
        let mut all = vec![BTreeMap::new()];
        for choice in &self.choices {
            all = all
                .iter()
                .flat_map(|words| {
                    choice.models.iter().map(move |&(word, _)| {
                        let mut words = words.clone();
                        words.insert(choice.choice.name.to_owned(), ParameterValue::Word(word.to_owned()));
                        words
                    })
                })
                .collect();
        }
        all
    }
}

fn unique<'a>(specs: impl Iterator<Item = &'a ParameterSpec>) -> Vec<ParameterSpec> {
    let mut found: Vec<ParameterSpec> = Vec::new();
    for spec in specs {
        if found.iter().all(|known| known.name != spec.name) {
            found.push(*spec);
        }
    }
    found
}

/// A value given for a parameter, in SI.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
}

impl std::fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Flag(x) => write!(f, "{x}"),
            Self::Word(x) => write!(f, "\"{x}\""),
        }
    }
}

/// Values that have passed their declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterSet {
    values: BTreeMap<String, ParameterValue>,
}

impl ParameterSet {
    /// Checks values against the declarations and fills in defaults.
    ///
    /// # Errors
    /// An unknown name, a value of the wrong kind or out of range, or a required parameter that is missing.
    pub fn resolve(specs: &[ParameterSpec], mut given: BTreeMap<String, ParameterValue>) -> Result<Self, LawError> {
        let mut values = BTreeMap::new();
        for spec in specs {
            let value = given.remove(spec.name);
            if let Some(value) = check(spec, value)? {
                values.insert(spec.name.to_owned(), value);
            }
        }
        if let Some(name) = given.keys().next() {
            let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            return Err(LawError::new(name, format!("unknown parameter, expected one of {}", known.join(", "))));
        }
        Ok(Self { values })
    }

    /// A number that is required or has a default; NaN if the name was never declared, which no law lets pass.
    pub fn number(&self, name: &str) -> f64 {
        self.optional(name).unwrap_or(f64::NAN)
    }

    /// A number that counts things.
    ///
    /// # Errors
    /// It is not whole.
    pub(crate) fn whole_number(&self, name: &str) -> Result<usize, LawError> {
        let value = self.number(name);
        if value.fract() != 0.0 {
            return Err(LawError::new(name, format!("= {value}, expected a whole number")));
        }
        Ok(value as usize)
    }

    /// A number that may be left out.
    pub fn optional(&self, name: &str) -> Option<f64> {
        match self.values.get(name) {
            Some(ParameterValue::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(ParameterValue::Flag(true)))
    }

    /// A chosen word; empty if the name was never declared.
    pub fn choice(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(ParameterValue::Word(word)) => word,
            _ => "",
        }
    }

    /// All values by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ParameterValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }
}

fn check(spec: &ParameterSpec, value: Option<ParameterValue>) -> Result<Option<ParameterValue>, LawError> {
    use ParameterKind as Kind;
    use ParameterValue as Value;
    let number = |value: Value, interval: Interval| match value {
        Value::Number(x) if interval.contains(x) => Ok(Some(Value::Number(x))),
        Value::Number(x) => Err(LawError::new(spec.name, format!("= {x} [{}], expected {interval}", spec.unit))),
        other => Err(LawError::new(spec.name, format!("= {other}, expected a number [{}]", spec.unit))),
    };
    match (spec.kind, value) {
        (Kind::Required(_), None) => {
            Err(LawError::new(spec.name, format!("missing: {} [{}]", spec.meaning, spec.unit)))
        }
        (Kind::Required(interval) | Kind::Optional(interval) | Kind::Default(_, interval), Some(value)) => {
            number(value, interval)
        }
        (Kind::Optional(_), None) => Ok(None),
        (Kind::Default(x, _), None) => Ok(Some(Value::Number(x))),
        (Kind::Flag(default), None) => Ok(Some(Value::Flag(default))),
        (Kind::Flag(_), Some(Value::Flag(x))) => Ok(Some(Value::Flag(x))),
        (Kind::Flag(_), Some(other)) => Err(LawError::new(spec.name, format!("= {other}, expected true or false"))),
        (Kind::Choice(words), None) => Ok(words.first().map(|word| Value::Word((*word).to_owned()))),
        (Kind::Choice(words), Some(Value::Word(word))) if words.contains(&word.as_str()) => Ok(Some(Value::Word(word))),
        (Kind::Choice(words), Some(other)) => {
            Err(LawError::new(spec.name, format!("= {other}, expected one of {}", words.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[ParameterSpec] = &[
        ParameterSpec {
            name: "friction",
            unit: "-",
            meaning: "",
            kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
        },
        ParameterSpec { name: "no_tension", unit: "-", meaning: "", kind: ParameterKind::Flag(true) },
    ];

    fn resolve(given: &[(&str, ParameterValue)]) -> Result<ParameterSet, LawError> {
        ParameterSet::resolve(SPECS, given.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect())
    }

    #[test]
    fn refuses_what_is_not_declared_missing_or_out_of_range() {
        assert!(resolve(&[]).unwrap_err().message.contains("missing"));
        let nan = resolve(&[("friction", ParameterValue::Number(f64::NAN))]).unwrap_err();
        assert!(nan.message.contains("expected 0 <= value"), "{nan}");
        assert!(resolve(&[("friction", ParameterValue::Number(-0.1))]).is_err());
        assert!(resolve(&[("friction", ParameterValue::Flag(true))]).is_err());
        let unknown = resolve(&[("friction", ParameterValue::Number(0.1)), ("mu", ParameterValue::Number(0.1))]);
        assert!(unknown.unwrap_err().message.contains("friction, no_tension"));
    }

    const LIMIT: ParameterSpec =
        ParameterSpec { name: "limit", unit: "-", meaning: "", kind: ParameterKind::Required(Interval::POSITIVE) };

    fn declaration() -> Declaration {
        Declaration {
            always: SPECS.to_vec(),
            choices: vec![ModelChoice {
                choice: ParameterSpec {
                    name: "rolling",
                    unit: "-",
                    meaning: "",
                    kind: ParameterKind::Choice(&["none", "spring"]),
                },
                models: vec![("none", Vec::new()), ("spring", vec![LIMIT])],
            }],
        }
    }

    fn given(pairs: &[(&str, ParameterValue)]) -> BTreeMap<String, ParameterValue> {
        pairs.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect()
    }

    #[test]
    fn parameters_of_models_that_are_not_chosen_are_refused_with_the_choice() {
        let (friction, limit) = (("friction", ParameterValue::Number(0.5)), ("limit", ParameterValue::Number(1.0)));
        let spring = ("rolling", ParameterValue::Word("spring".to_owned()));
        let refused = declaration().resolve(given(&[friction.clone(), limit.clone()])).unwrap_err();
        assert_eq!(refused.parameter, "limit");
        assert_eq!(refused.message, "= 1, expected only with rolling = \"spring\", but rolling = \"none\"");
        let set = declaration().resolve(given(&[friction.clone(), limit, spring.clone()])).unwrap();
        assert_eq!((set.choice("rolling"), set.number("limit")), ("spring", 1.0));
        let missing = declaration().resolve(given(&[friction.clone(), spring])).unwrap_err();
        assert_eq!((missing.parameter.as_str(), missing.message.contains("missing")), ("limit", true));
        let word = ("rolling", ParameterValue::Word("screw".to_owned()));
        let unknown = declaration().resolve(given(&[friction, word])).unwrap_err();
        assert!(unknown.message.contains("expected one of none, spring"), "{unknown}");
    }

    #[test]
    fn every_parameter_is_listed_once_with_its_condition() {
        let names: Vec<&str> = declaration().all().iter().map(|spec| spec.name).collect();
        assert_eq!(names, ["friction", "no_tension", "rolling", "limit"]);
        assert_eq!(declaration().condition("limit").as_deref(), Some("rolling = \"spring\""));
        assert_eq!(declaration().condition("friction"), None);
        assert_eq!(declaration().combinations().len(), 2);
    }

    #[test]
    fn fills_in_defaults() {
        let set = resolve(&[("friction", ParameterValue::Number(0.5))]).unwrap();
        assert_eq!((set.number("friction"), set.flag("no_tension")), (0.5, true));
    }
}
