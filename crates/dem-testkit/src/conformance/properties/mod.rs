//! The properties, one function each.

mod energy;
mod force;
mod frame;
mod impact;
mod lanes;
mod memory;
mod parameters;

use super::Property;

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
    impact::CONSERVED,
    impact::RESTITUTION,
    impact::ELASTIC,
    energy::CLOSED_CYCLES,
    parameters::REFUSED,
    lanes::SAME_BITS,
];
