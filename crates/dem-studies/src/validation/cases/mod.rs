//! The validation cases.

mod critical_angle;
mod elastic_displacement;
mod force_loops;
mod kharaz_rebound;
mod linear_impact;
mod normal_impact;
mod sliding_direction;
mod stick_slip_switches;
mod sticking_oscillation;
mod zabulionis;

use super::Case;

/// All cases. Adding one is a file and a line.
pub const CASES: &[Case] = &[
    normal_impact::CASE,
    linear_impact::CASE,
    kharaz_rebound::CASE,
    critical_angle::CASE,
    stick_slip_switches::CASE,
    elastic_displacement::CASE,
    sliding_direction::CASE,
    sticking_oscillation::CASE,
    force_loops::CASE,
];
