//! Parameters that several forces at a distance have.

use crate::parameter::{Interval, ParameterKind, ParameterSpec};

/// The parameter that chooses the force.
pub const NEAR_FIELD: &str = "near_field";

/// Where forces that grow without bound as the surfaces approach stop growing.
pub(super) const SEPARATION_MINIMUM: ParameterSpec = ParameterSpec {
    name: "separation_minimum",
    unit: "m",
    meaning: "distance of the surfaces below which the force at a distance, or the lubrication of a liquid bridge, does not grow any more; \
              closer surfaces and those in contact count as that far apart",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};
