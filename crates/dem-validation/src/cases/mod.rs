//! The validation cases.

mod adhesion;
mod bodies;
mod conformance;
mod container_filling;
mod critical_angle;
mod elastic_displacement;
mod finite_sliding;
mod force_loops;
mod gas_energy;
mod integrators;
mod kharaz_rebound;
mod linear_impact;
mod liquid_bridge;
mod normal_impact;
mod objectivity;
mod rotations;
mod slice_of_discs;
mod sliding_direction;
mod slip_within_a_step;
mod step_convergence;
mod stick_slip_switches;
mod sticking_oscillation;
mod stress_probe;
mod yielding;
mod zabulionis;

use dem_report::ReportError;

use crate::case::Case;

/// All cases, by what they are about: impacts, sliding and sticking, single contacts, motion, assemblies. Adding one is a file and a line.
pub const CASES: &[Case] = &[
    normal_impact::CASE,
    linear_impact::CASE,
    kharaz_rebound::CASE,
    adhesion::CASE,
    yielding::CASE,
    liquid_bridge::CASE,
    critical_angle::CASE,
    stick_slip_switches::CASE,
    elastic_displacement::CASE,
    sliding_direction::CASE,
    sticking_oscillation::CASE,
    force_loops::CASE,
    slip_within_a_step::CASE,
    finite_sliding::CASE,
    conformance::CASE,
    step_convergence::CASE,
    objectivity::CASE,
    stress_probe::CASE,
    integrators::CASE,
    rotations::CASE,
    bodies::CASE,
    slice_of_discs::CASE,
    gas_energy::CASE,
    container_filling::CASE,
];

/// Cases by name; all if none is given.
///
/// # Errors
/// A name that does not exist.
pub fn select(names: &[String]) -> Result<Vec<Case>, ReportError> {
    if names.is_empty() {
        return Ok(CASES.to_vec());
    }
    let find = |name: &String| {
        CASES.iter().find(|case| case.name == name).copied().ok_or_else(|| {
            let known: Vec<&str> = CASES.iter().map(|case| case.name).collect();
            ReportError::Option {
                option: "--case",
                value: name.clone(),
                allowed: format!("one of {}", known.join(", ")),
            }
        })
    };
    names.iter().map(find).collect()
}
