//! What is put to the test: forces and an integrator, and where.

use std::sync::Arc;

use dem_contact::ParameterValue;
use dem_sim::integrators::Scheme;

use super::bed::{Bed, Drive};
use super::convergence::Course;
use super::impacts::Impacts;
use super::subject::{Resistance, Subject, damped, elastic};

/// Number of times that the step is halved.
pub const HALVINGS: u32 = 4;

/// Forces and an integrator by their names.
#[derive(Clone, Debug)]
pub struct Case {
    /// Law.
    pub law: &'static str,
    /// Words of `rolling` and `twisting`.
    pub resistance: Resistance,
    /// An option of the law that is not the default.
    pub option: Option<(&'static str, ParameterValue)>,
    /// Whether there are springs alone, neither friction nor dashpots.
    pub is_elastic: bool,
    /// Integrator, if not the default.
    pub scheme: Option<Scheme>,
}

impl Case {
    pub(super) fn of_law(law: &'static str, resistance: Resistance) -> Self {
        Self { law, resistance, option: None, is_elastic: false, scheme: None }
    }

    /// Name in tables.
    pub fn name(&self) -> String {
        let (rolling, twisting) = self.resistance;
        let mut parts = vec![self.law.to_owned()];
        if self.is_elastic {
            parts.push("springs alone".to_owned());
        }
        parts.extend([rolling, twisting].into_iter().filter(|word| *word != "none").map(str::to_owned));
        parts.extend(self.option.as_ref().map(|(name, value)| format!("{name} = {value}")));
        parts.extend(self.scheme.as_ref().map(Scheme::to_string));
        parts.join(", ")
    }

    pub(super) fn subject(&self) -> Subject {
        let mut given = if self.is_elastic { elastic(self.law) } else { damped(self.law, self.resistance) };
        if let Some((name, value)) = &self.option {
            given.extend(needed(name, value));
            given.insert((*name).to_owned(), value.clone());
        }
        let subject = Subject::of_law(self.law, given);
        match &self.scheme {
            Some(scheme) => subject.under(scheme),
            None => subject,
        }
    }
}

/// Where contacts are put to the test.
#[derive(Clone, Debug)]
pub enum Setting {
    /// In impacts in space.
    Impacts(Impacts),
    /// In a bed under cyclic shear.
    Bed(Arc<Bed>),
}

impl Setting {
    /// Name in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Impacts(_) => "impacts",
            Self::Bed(bed) if bed.drive == Drive::Cell => "sheared cell",
            Self::Bed(_) => "sheared between plates",
        }
    }

    /// Runs a subject with the automatic step and with halves of it.
    ///
    /// # Errors
    /// A run that stops, or is no test.
    pub fn courses(&self, subject: &Subject) -> Result<Vec<Course>, String> {
        let run = |halvings: u32| match self {
            Self::Impacts(impacts) => impacts.run(subject, 1 << halvings),
            Self::Bed(bed) => bed.run(subject, 1 << halvings),
        };
        (0..=HALVINGS).map(run).collect()
    }
}

/// What an option needs beside it.
fn needed(name: &str, value: &ParameterValue) -> Vec<(String, ParameterValue)> {
    let number = |name: &str, number: f64| vec![(name.to_owned(), ParameterValue::Number(number))];
    match (name, value) {
        ("sliding_flag", _) => number("dynamic_friction", 0.3),
        ("stiffness_rule", ParameterValue::Word(rule)) if rule == "constant" => number("tangential_stiffness", 3e4),
        ("friction_law", _) => [number("dynamic_friction", 0.3), number("decay_speed", 0.05)].concat(),
        _ => Vec::new(),
    }
}
