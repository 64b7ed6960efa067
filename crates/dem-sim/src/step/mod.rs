//! One time step, in order.

pub(crate) mod assembly_stiffness;
pub(crate) mod cell_deformation;
pub(crate) mod cell_stress;
pub(crate) mod overlap_diagnosis;
pub(crate) mod own_motion;
pub mod pipeline;
pub(crate) mod tunnelling;
pub(crate) mod wall_assembly;
pub(crate) mod wall_servo;
