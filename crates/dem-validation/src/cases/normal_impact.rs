//! The head-on impact of Kharaz's sphere: largest values and duration, Table 1 of Di Renzo and Di Maio (2004).

use dem_reference::hertz_impact::NormalImpact;
use dem_studies::error::StudyError;
use dem_studies::impact::{Collision, Options};
use dem_studies::named_choice::NamedChoice;
use dem_studies::sphere_and_partner::Approach;

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "normal-impact",
    summary: "Largest contact radius, overlap and force, duration and stiffness of the head-on impact of Kharaz's sphere.",
    claims: &[PRINTED, CLOSED],
    run,
};

const PRINTED: Claim = Claim {
    source: "Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Table 1 and section 4.1",
    tier: Tier::Printed,
    weakness: "one pair and speed",
};

const CLOSED: Claim = Claim {
    source: "Hertz (1882), energy and a quadrature",
    tier: Tier::ClosedForm,
    weakness: "largest values among the steps",
};

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let options = Options { laws: vec![NamedChoice::law("hertz-mindlin")?], angles: vec![1.0], ..Options::default() };
    let case = options.cases()?.remove(0);
    let exact = NormalImpact::new(&case.bodies.pair()?, 3.9);
    let approach = Approach { normal_speed: 3.9, tangential_velocity: 0.0, spin: 0.0 };
    let collision = Collision::run(&case.bodies, approach, effort.pick(2000.0, 20_000.0))?;
    let overlap = collision.largest(|m| m.overlap);
    let force = collision.largest(|m| m.normal_force);
    let radius = (case.bodies.radius * overlap).sqrt();
    Ok(Findings {
        checks: vec![
            PRINTED.printed("largest contact radius [m]", 2.1e-4, radius, 2),
            PRINTED.printed("largest overlap [m]", 1.7e-5, overlap, 2),
            PRINTED.printed("largest force [N]", 293.0, force, 3),
            // the paper cuts 1.7285e7 off
            PRINTED.close("stiffness, force over overlap [N/m]", 1.72e7, force / overlap, 1e5),
            CLOSED.relative("largest overlap [m]", exact.overlap, overlap, 1e-5),
            CLOSED.relative("largest force [N]", exact.force, force, 1e-5),
            CLOSED.relative("duration [s]", exact.duration, collision.contact_time, 1e-5),
            CLOSED.close("normal restitution", 1.0, collision.normal_restitution(), 1e-5),
        ],
        ..Findings::default()
    })
}
