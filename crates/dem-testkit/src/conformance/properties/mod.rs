//! The properties, one function each.

mod contact_damping;
mod effects;
mod energy;
mod force;
mod frame;
mod impact;
mod lanes;
mod memory;
mod parameters;
mod small_steps;
mod work_identity;
mod works;

use super::property::Property;

/// All of them, in the order of the columns of the table.
pub const PROPERTIES: &[Property] = &[
    force::ZERO_AT_TOUCH,
    force::THIRD_LAW,
    force::PERPENDICULAR,
    force::COULOMB,
    frame::INDIFFERENT,
    frame::SYMMETRIC,
    memory::CLEARED,
    memory::SAVED,
    memory::TRIED,
    impact::CONSERVED,
    impact::RESTITUTION,
    impact::ELASTIC,
    energy::CLOSED_CYCLES,
    work_identity::BOOKED,
    works::NEVER_FALL,
    small_steps::LIMIT,
    small_steps::ACROSS,
    contact_damping::BESIDES,
    parameters::REFUSED,
    effects::ACTS,
    lanes::SAME_BITS,
];
