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
    /// Largest relative speed of impacts that `auto` assumes. Default: from velocities and the height of fall.
    pub expected_speed: Option<Quantity<Velocity>>,
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
