//! Differences between laws in pairs of the same seed.

use super::quantities::Measured;
use crate::statistics::MeanEstimate;
use crate::table::{Table, Value};

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
}

impl Difference {
    /// Whether the difference exceeds the scatter of the seeds; nothing if a single seed cannot tell.
    pub fn exceeds_scatter(&self) -> Option<bool> {
        (self.paired.count > 1).then(|| self.paired.is_significant())
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
                each: [&values[0], &values[1]].map(|values| MeanEstimate::of(values)),
                paired: MeanEstimate::of(&paired),
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
        let verdict = match d.exceeds_scatter() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "one seed",
        };
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
            verdict.into(),
        ]);
    }
    table
}
