//! Velocity Verlet with predicted velocities: the scheme, and its parts for several particles in SIMD lanes.

pub(crate) mod correction;
pub(crate) mod lane_state;
pub(crate) mod one_by_one;
pub(crate) mod prediction;
pub(crate) mod scheme;
pub(crate) mod transition;
