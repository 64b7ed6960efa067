//! Time, its step, and who integrates.

use std::collections::BTreeMap;

use dem_io::units::{Quantity, Time, UncheckedQuantity, Velocity};
use schemars::JsonSchema;
use serde::Deserialize;

use super::contact::ContactValue;

/// Time step, end and integrator.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeScene {
    /// Time step, or "auto" (default) for the largest that all criteria admit, reduced during the run if the packing stiffens, or
    /// "adaptive" for one that follows the state and becomes longer again, too.
    pub step: Option<UncheckedQuantity>,
    /// Shortest adaptive step. Default: a thousandth of the automatic one.
    pub smallest_step: Option<Quantity<Time>>,
    /// Longest adaptive step. Default: ten times the automatic one.
    pub largest_step: Option<Quantity<Time>>,
    /// The run ends at this time at the latest. Default: no limit.
    pub end: Option<Quantity<Time>>,
    /// Integrator: its name, or a table of its name and options. Default: velocity-verlet.
    pub integrator: Option<IntegratorScene>,
    /// Numbers in which the run carries orientations. Spheres move in the same way under every choice; snapshots have quaternions in any case. Default: quaternion.
    pub rotation: Option<RotationName>,
    /// How the increment of a step follows from the spin ω: "exact", a turn by |ω| Δt, or "literal", the rescaled Rodrigues vector ω Δt itself, a smaller
    /// turn, in orientations and in the slip of contacts, as published; for spheres only. Default: exact.
    pub rotation_increment: Option<RotationIncrementName>,
    /// What becomes of a rotation by half a turn that is carried as a Rodrigues vector, which has none there: "pass" goes on on the other side, "stop" ends
    /// the run. Default: pass.
    pub half_turn: Option<HalfTurnName>,
    /// Largest relative speed of impacts that `auto` assumes. Default: from velocities and the height of fall.
    pub expected_speed: Option<Quantity<Velocity>>,
}

/// What a run carries of an orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RotationName {
    /// A unit quaternion.
    Quaternion,
    /// A rescaled Rodrigues vector, 2 tan(θ/2) along the axis.
    Rodrigues,
    /// The Euler rotation vector, θ along the axis.
    RotationVector,
    /// A rotation matrix.
    Matrix,
}

/// How the increment of a step follows from the spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RotationIncrementName {
    /// By the angle of the step.
    Exact,
    /// By the rescaled Rodrigues vector ω Δt.
    Literal,
}

/// What becomes of half a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HalfTurnName {
    /// Goes on.
    Pass,
    /// Ends the run.
    Stop,
}

/// Integrator by name, with options or without.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected the name of an integrator, or a table of its name and options")]
pub enum IntegratorScene {
    /// Its name.
    Name(String),
    /// Its name and options.
    Options {
        /// Name of the integrator.
        name: String,
        /// Its options.
        #[serde(flatten)]
        options: BTreeMap<String, ContactValue>,
    },
}
