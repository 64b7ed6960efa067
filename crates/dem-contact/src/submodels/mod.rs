//! Parts that several laws share.

pub mod coulomb;
pub mod damping;
