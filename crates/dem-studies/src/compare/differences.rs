//! Differences between laws in pairs of the same seed.

use dem_report::statistics::{MeanEstimate, is_constant};
use dem_report::table::{Table, Value};

use super::quantities::{Measured, is_of_machine};

/// A quantity under one law and under the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The quantity.
    pub quantity: &'static str,
    /// The first law.
    pub reference: String,
    /// The other.
    pub law: String,
    /// Under each over the seeds.
    pub each: [MeanEstimate; 2],
    /// The other minus the first, in pairs.
    pub paired: MeanEstimate,
    /// What is known of it.
    pub verdict: Verdict,
}

/// Whether a difference exceeds the scatter of the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Beyond,
    /// It does not.
    Within,
    /// A single seed cannot tell.
    OneSeed,
    /// It is the same for all seeds: there is no scatter.
    Unscattered,
    /// It is a time of the machine.
    OfMachine,
}

impl Verdict {
    fn of(quantity: &str, differences: &[f64]) -> Self {
        if is_of_machine(quantity) {
            Self::OfMachine
        } else if differences.len() < 2 {
            Self::OneSeed
        } else if is_constant(differences) {
            Self::Unscattered
        } else if MeanEstimate::of(differences).is_significant() {
            Self::Beyond
        } else {
            Self::Within
        }
    }

    /// In tables.
    fn name(self) -> &'static str {
        match self {
            Self::Beyond => "yes",
            Self::Within => "no",
            Self::OneSeed => "one seed",
            Self::Unscattered => "same for all seeds",
            Self::OfMachine => "of the machine",
        }
    }
}

/// All quantities of all laws but the first; those that a run lacks are left out.
pub fn all(runs: &[Vec<Measured>]) -> Vec<Difference> {
    let label = |run: &[Measured]| match &run[0].finished.parameters[0] {
        Value::Text(text) => text.clone(),
        other => other.readable(),
    };
    let mut found = Vec::new();
    for other in &runs[1..] {
        for &(quantity, _) in &runs[0][0].quantities {
            let values =
                [&runs[0], other].map(|run| run.iter().map(|result| result.quantity(quantity)).collect::<Vec<_>>());
            if values.iter().flatten().any(|value| !value.is_finite()) {
                continue;
            }
            let paired: Vec<f64> = values[1].iter().zip(&values[0]).map(|(b, a)| b - a).collect();
            found.push(Difference {
                quantity,
                reference: label(&runs[0]),
                law: label(other),
                each: [&values[0], &values[1]].map(|values| MeanEstimate::over_seeds(values)),
                paired: MeanEstimate::over_seeds(&paired),
                verdict: Verdict::of(quantity, &paired),
            });
        }
    }
    found
}

/// They as a table.
pub fn table(differences: &[Difference]) -> Table {
    let columns = [
        "quantity",
        "law",
        "mean",
        "deviation",
        "reference",
        "mean_reference",
        "deviation_reference",
        "difference",
        "half_width_95",
        "difference_%",
        "exceeds_scatter",
    ];
    let mut table = Table::new("differences", &columns);
    for d in differences {
        let [reference, law] = d.each;
        table.push([
            d.quantity.into(),
            d.law.as_str().into(),
            law.mean.into(),
            law.deviation.into(),
            d.reference.as_str().into(),
            reference.mean.into(),
            reference.deviation.into(),
            d.paired.mean.into(),
            d.paired.half_width.into(),
            (100.0 * d.paired.mean / reference.mean.abs()).into(),
            d.verdict.name().into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_machine_and_what_seeds_do_not_change_have_no_scatter_to_exceed() {
        let apart = [1.0, 1.1, 0.9];
        assert_eq!(Verdict::of("coordination", &apart), Verdict::Beyond);
        assert_eq!(Verdict::of("wall_seconds", &apart), Verdict::OfMachine);
        assert_eq!(Verdict::of("cost_ns_per_particle_step", &apart), Verdict::OfMachine);
        assert_eq!(Verdict::of("coordination", &[1.0, -1.0]), Verdict::Within);
        assert_eq!(Verdict::of("time_step_s", &[1e-6, 1e-6]), Verdict::Unscattered);
        assert_eq!(Verdict::of("coordination", &[1.0]), Verdict::OneSeed);
    }
}
