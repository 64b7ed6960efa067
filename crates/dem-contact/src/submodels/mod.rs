//! Parts that several laws share.

pub mod contact_damping;
pub mod coulomb;
pub mod damping;
pub mod friction;
pub mod stiffness_rule;
