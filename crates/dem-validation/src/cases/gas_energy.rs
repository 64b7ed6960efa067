//! Energy of gases of soft spheres: conserved to second order without friction and damping, accounted for with them.

use dem_core::energy::EnergyLedger;
use dem_report::statistics::slope;
use dem_studies::error::StudyError;
use dem_testkit::gas::Gas;
use dem_testkit::worlds;
use rayon::prelude::*;

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "gas-energy",
    summary: "Energy of a gas of soft spheres in a periodic box over three mean free times: conserved without dissipation, accounted for with friction and damping.",
    claims: &[CONSERVED, CLOSED],
    run,
};

const CONSERVED: Claim = Claim {
    source: "conservation of energy",
    tier: Tier::ClosedForm,
    weakness: "soft spheres: a mean free time is 2.2 durations of a contact",
};

const CLOSED: Claim = Claim {
    source: "kinetic, elastic and dissipated energy together stay what they were",
    tier: Tier::ClosedForm,
    weakness: "does not tell which term is wrong",
};

/// Steps to the duration of a contact.
const STEPS: [f64; 4] = [50.0, 80.0, 125.0, 200.0];
/// Mean free times.
const FREE_TIMES: f64 = 3.0;
/// Laws with friction and damping.
const LAWS: [&str; 5] = ["linear", "hertz-mindlin", "kuhn", "mindlin-deresiewicz", "mdr"];

/// Ledger at the start and the end, and the largest error of the balance over the energy at the start.
fn course(
    gas: &Gas,
    law: &str,
    [friction, restitution]: [f64; 2],
    steps: f64,
) -> Result<(EnergyLedger, EnergyLedger, f64), StudyError> {
    let mut world = gas.world(law, &Gas::parameters(law, friction, restitution));
    world.time_step = gas.contact_duration(&world) / steps;
    let mut pipeline = worlds::pipeline();
    // Hertz has no limit of its own, and the fastest spheres of a soft gas go deep
    pipeline.limits.overlap_ratio = 1.0;
    pipeline.initialise(&mut world)?;
    let start = world.energy();
    let mut worst = 0.0f64;
    // the same instants for every time step
    let every = (steps / 10.0) as u64;
    while world.time < FREE_TIMES * gas.mean_free_time() {
        pipeline.step(&mut world)?;
        if world.step.is_multiple_of(every) {
            worst = worst.max((world.energy().balance() - start.balance()).abs() / start.kinetic());
        }
    }
    Ok((start, world.energy(), worst))
}

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let gas = Gas { count: effort.pick(216, 1000), ..Gas::default() };
    let errors: Vec<f64> = STEPS
        .par_iter()
        .map(|&steps| course(&gas, "hertz-mindlin", [0.0, 1.0], steps).map(|(.., worst)| worst))
        .collect::<Result<_, _>>()?;
    let points: Vec<[f64; 2]> = STEPS.iter().zip(&errors).map(|(&steps, &error)| [1.0 / steps, error]).collect();
    let mut findings = Findings::default();
    findings.checks.extend([
        CONSERVED.close("hertz-mindlin, T_c/200: largest error over the energy", 0.0, errors[STEPS.len() - 1], 5e-6),
        CONSERVED.between("hertz-mindlin: order of the error in the step", 1.8, 2.2, slope(&points)),
    ]);
    let dissipating: Vec<(EnergyLedger, EnergyLedger, f64)> =
        LAWS.par_iter().map(|law| course(&gas, law, [0.4, 0.8], 100.0)).collect::<Result<_, _>>()?;
    for (law, (start, end, _)) in LAWS.iter().zip(dissipating) {
        let error = (end.balance() - start.balance()) / end.dissipated_at_contacts();
        findings.checks.push(CLOSED.close(
            format!("{law}: error of the balance over what is dissipated"),
            0.0,
            error,
            1e-3,
        ));
    }
    Ok(findings)
}
