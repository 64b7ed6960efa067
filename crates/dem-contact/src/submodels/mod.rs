//! Components that several laws share.

pub mod adhesion;
pub mod contact_damping;
pub mod coulomb;
pub mod damping;
pub mod dashpot;
pub mod friction;
pub mod stiffness_rule;
pub mod tangential_dashpot;
pub mod unloading;
pub mod viscoelastic;
