//! Options that several integrators share.

use dem_contact::{ParameterKind, ParameterSpec};

/// Option of schemes with an explicit prediction of velocities.
pub(crate) const CORRECTED: ParameterSpec = ParameterSpec {
    name: "corrected",
    unit: "-",
    meaning: "whether forces are computed from velocities predicted for the end of the step, which keeps second order under damping",
    kind: ParameterKind::Flag(true),
};
