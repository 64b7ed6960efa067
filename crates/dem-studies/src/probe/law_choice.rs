//! Laws that are compared in probes, and those that tell the elastic part.

use dem_sim::scene::Scene;

use crate::error::StudyError;
use crate::named_choice::NamedChoice;

/// Friction with which nothing slides.
const WITHOUT_SLIP: f64 = 1e9;

/// A law as changes of the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct LawChoice {
    /// In tables, figures and names of files.
    pub label: String,
    /// `key.path=value` of the scene.
    pub changes: Vec<String>,
    /// Set again in the parameters that a stage gives contacts.
    pub friction: Option<f64>,
}

/// Refinements of the law `kuhn` and the switches that stand for them.
const REFINEMENTS: [&[&str]; 3] =
    [&["fresh_contact_split", "separation_split"], &["stick_slip_split"], &["slip_rotation"]];

impl LawChoice {
    /// A law as the user names it: `NAME` or `NAME:key=value,key=value`.
    ///
    /// # Errors
    /// A law or parameter that does not exist.
    pub fn parse(text: &str) -> Result<Self, StudyError> {
        let selection = NamedChoice::law(text)?;
        let mut changes = vec![format!("contact.law=\"{}\"", selection.name)];
        changes.extend(selection.assignments().into_iter().map(|assignment| format!("contact.{assignment}")));
        Ok(Self { label: selection.label, changes, friction: None })
    }

    /// The law that a scene has.
    pub fn of_scene(scene: &Scene) -> Self {
        let own = scene.pairs.iter().any(|pair| pair.law.is_some());
        // of several laws the scene is the only name
        let label = if own { "scene".to_owned() } else { scene.contact.law.clone() };
        Self { label, changes: Vec::new(), friction: None }
    }

    /// `kuhn` with some of its refinements within the step only, `kuhn-13` for the first and the third: fresh and parting contacts, the onset
    /// of sliding, the turn of the friction force. With all of them it is `kuhn`, without any `conventional`.
    pub fn refined(kept: [bool; 3]) -> Self {
        let digits: String = (0..3).filter(|&k| kept[k]).map(|k| ["1", "2", "3"][k]).collect();
        let mut changes = vec!["contact.law=\"kuhn\"".to_owned()];
        for (switches, keep) in REFINEMENTS.iter().zip(kept) {
            changes.extend(switches.iter().map(|switch| format!("contact.{switch}={keep}")));
        }
        Self { label: format!("kuhn-{digits}"), changes, friction: None }
    }

    /// All six combinations that are neither `kuhn` nor `conventional`.
    pub fn all_refined() -> Vec<Self> {
        let kept = |code: u32| [code & 1 != 0, code & 2 != 0, code & 4 != 0];
        (1..7).map(|code| Self::refined(kept(code))).collect()
    }

    /// The law of the scene without slip.
    pub fn elastic() -> Self {
        Self { label: "elastic".to_owned(), changes: Vec::new(), friction: Some(WITHOUT_SLIP) }
    }

    /// Label in names of files.
    pub fn file_label(&self) -> String {
        let keep = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '.' { c } else { '_' };
        self.label.chars().map(keep).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_become_changes_of_the_scene() {
        let law = LawChoice::parse("kuhn:slip_rotation=false").unwrap();
        assert_eq!(law.changes, ["contact.law=\"kuhn\"", "contact.slip_rotation = false"]);
        assert_eq!(law.file_label(), "kuhn_slip_rotation_false");
        let labels: Vec<String> = LawChoice::all_refined().into_iter().map(|law| law.label).collect();
        assert_eq!(labels, ["kuhn-1", "kuhn-2", "kuhn-12", "kuhn-3", "kuhn-13", "kuhn-23"]);
        assert!(LawChoice::parse("hooke").unwrap_err().to_string().contains("kuhn"));
    }
}
