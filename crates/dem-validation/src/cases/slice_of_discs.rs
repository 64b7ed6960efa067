//! The slice of discs after Campello (2015), example 5.3, with and without rotation.

use dem_studies::error::StudyError;
use dem_studies::slice::{self, Options};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "slice-of-discs",
    summary: "Discs fall out of a vessel onto an inclined face, with and without rotation (Campello 2015, example 5.3): they come to rest, and rotation never holds more than a small share of the largest energy of translation.",
    claims: &[FRACTION, REST],
    run,
};

const FRACTION: Claim = Claim {
    source: "E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, example 5.3, figures 10 and 12: rotational energy is a fraction of the translational one",
    tier: Tier::Printed,
    weakness: "the container's measures are not published; few starts",
};

const REST: Claim = Claim {
    source: "damped discs under gravity come to rest; the source shows about 4 s in another container",
    tier: Tier::Own,
    weakness: "does not say where",
};

/// Largest energy of rotation over that of translation that passes: 20 starts have 1.6 % in the middle.
const PEAK_SHARE: f64 = 0.04;

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let options = Options { seeds: effort.pick(2, 4), all_integrators: false, ..Options::default() };
    let report = slice::run(&options)?;
    let mut findings = Findings::default();
    let runs = &report.tables[0];
    let largest = runs.numbers("rotational_peak_share").into_iter().fold(0.0, f64::max);
    let resting = runs.numbers("rest_s").into_iter().filter(|time| time.is_finite()).count();
    findings.checks.extend([
        FRACTION.close("largest rotational over largest translational energy", 0.0, largest, PEAK_SHARE),
        REST.close("runs that come to rest", runs.rows().len() as f64, resting as f64, 0.0),
    ]);
    findings.tables = report.tables.into_iter().take(1).map(|table| table.without(&["step_us", "run_s"])).collect();
    // the other figures are of many starts
    findings.figures = report.figures.into_iter().filter(|figure| figure.name == "slice_energy").collect();
    findings.notes.push(
        "With 80 discs in place of the 230 of the source the ratio reaches 1.4 before the packing is quiet. Whether rotation makes the packing more ordered is a question of many starts: `dem study slice` answers it with 20 pairs."
            .to_owned(),
    );
    Ok(findings)
}
