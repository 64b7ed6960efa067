//! Loads that have been evaluated and not accepted yet.

use dem_core::DVec3;

use crate::fields::motion::Load;

/// Loads of the last evaluation.
#[derive(Clone, Copy)]
pub struct TrialLoads<'a> {
    /// Force on the particle in each slot \[N\]; on a member of a body that of its contacts.
    pub force: &'a [DVec3],
    /// Torque likewise \[N m\].
    pub torque: &'a [DVec3],
    /// Loads on rigid bodies, by their places in the table.
    pub bodies: &'a [Load],
}
