//! What the numbers of the study say.

use super::results::{Outcome, Results};
use super::turns::{Choice, choices};

impl Choice {
    /// In words.
    pub(super) fn describe(&self) -> String {
        let defaults = choices()[0];
        let mut text = self.transport.to_owned();
        if self.slip != defaults.slip {
            text += &format!(", slip {}", self.slip);
        }
        if self.lever != defaults.lever {
            text += &format!(", lever {}", self.lever);
        }
        text
    }
}

/// A sentence for the state, and one for each choice.
pub fn all(results: &Results) -> Vec<String> {
    let clusters = if results.bodies > 0 { format!(" in {} clusters", results.bodies) } else { String::new() };
    let mut findings = vec![format!(
        "{} spheres{clusters}, stopped at q/p = {:.3} with a mean overlap of {:.1e} diameters, turned by 90 degrees; tensors in the frame of the start, compression positive.",
        results.particles, results.q_over_p, results.overlap
    )];
    for choice in choices() {
        let mut of_choice: Vec<&Outcome> = results.outcomes.iter().filter(|o| o.choice == choice).collect();
        of_choice.sort_by_key(|outcome| outcome.increments);
        let worst = of_choice.chunk_by(|a, b| a.increments == b.increments).map(|group| {
            let error = group.iter().map(|outcome| outcome.error).fold(0.0, f64::max);
            format!("{error:.1e} in {}", group[0].increments)
        });
        let worst: Vec<String> = worst.collect();
        findings.push(format!(
            "{}: largest change of the stress over its norm {} increments.",
            choice.describe(),
            worst.join(", ")
        ));
    }
    findings
}
