//! What the comparison says.

use dem_report::table::Value;

use super::differences::{Difference, Verdict};
use super::quantities::{COST, Measured};
use crate::error::StudyError;

/// Checks that all laws begin with the same particles, and says what became of the contact histories.
///
/// # Errors
/// Particles that differ.
pub fn beginnings(runs: &[Vec<Measured>], pours: bool) -> Result<Vec<String>, StudyError> {
    let fingerprint =
        |result: &Measured| result.beginning.as_ref().map(|beginning| beginning.particle_fingerprint.clone());
    for other in &runs[1..] {
        for (a, b) in runs[0].iter().zip(other) {
            if fingerprint(a) != fingerprint(b) {
                let [a, b] = [a, b].map(|result| result.finished.directory.display());
                return Err(StudyError::Ensemble(format!("{a} and {b} do not begin with the same particles")));
            }
        }
    }
    let particles = runs[0][0].beginning.as_ref().map_or(0, |beginning| beginning.particles);
    let mut found = vec![format!(
        "All laws begin with the same bytes: {particles} particles, {}.",
        if runs[0].len() == 1 { "one seed".to_owned() } else { format!("{} seeds", runs[0].len()) }
    )];
    if pours {
        found.push(
            "The scene pours: when and where a sphere appears depends on the steps, so beds of one seed differ as those of two.".to_owned(),
        );
    }
    for run in runs {
        if let Some(branched) = run[0].beginning.as_ref().and_then(|beginning| beginning.branched.as_ref()) {
            found.push(format!(
                "{}: {} contact histories of the saved state were kept and {} dropped{}.",
                run[0].finished.parameters[0].readable(),
                branched.kept,
                branched.dropped,
                if branched.dropped > 0 { "; tangential springs without a history begin without load" } else { "" }
            ));
        }
    }
    Ok(found)
}

/// What differs beyond scatter and what does not.
pub fn all(differences: &[Difference], seeds: usize) -> Vec<String> {
    let sentence = |d: &Difference| {
        let width =
            if d.paired.half_width.is_finite() { format!(" ± {:.2e}", d.paired.half_width) } else { String::new() };
        let [reference, law] = d.each.map(|estimate| Value::Number(estimate.mean).readable());
        format!(
            "{}: {reference} under {}, {law} under {}, difference {:+.3e}{width}",
            d.quantity, d.reference, d.law, d.paired.mean
        )
    };
    let mut found: Vec<String> = Vec::new();
    if seeds < 2 {
        found.push("One seed does not tell scatter from difference; give --seeds.".to_owned());
    }
    let of = |verdict: Verdict| differences.iter().filter(move |d| d.verdict == verdict);
    let within: Vec<&str> = of(Verdict::Within).map(|d| d.quantity).collect();
    found.extend(of(Verdict::Beyond).map(|d| format!("Beyond scatter: {}.", sentence(d))));
    if !within.is_empty() {
        found.push(format!(
            "Within scatter (95 % interval of the paired difference holds zero): {}.",
            within.join(", ")
        ));
    }
    found.extend(of(Verdict::Unscattered).filter(|d| d.paired.mean != 0.0).map(|d| {
        let [reference, law] = d.each.map(|estimate| Value::Number(estimate.mean).readable());
        format!(
            "Different by as much for all seeds: {}: {reference} under {}, {law} under {}.",
            d.quantity, d.reference, d.law
        )
    }));
    let compared = of(Verdict::Beyond).count() + within.len();
    if compared > 0 {
        let chance = 0.05 * compared as f64;
        found.push(format!(
            "{compared} quantities were compared with their scatter; {chance:.1} of them would seem to differ by chance."
        ));
    }
    let cost = differences.iter().filter(|d| d.quantity == COST);
    found.extend(cost.map(|d| {
        let [reference, law] = d.each.map(|estimate| estimate.mean);
        format!(
            "A step costs {law:.0} ns per particle under {} and {reference:.0} ns under {}, {:.2} times as much.",
            d.law,
            d.reference,
            law / reference
        )
    }));
    found
}
