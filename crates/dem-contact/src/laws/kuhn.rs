//! Linear spring and slider with four refinements within the step.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::normal::ContactDamped;
use crate::tangential;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Kuhn;

impl Recipe for Kuhn {
    const KEY: &'static str = "kuhn";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear spring and slider resolved within the step: forming contact, onset of sliding, rotation of the friction force",
        formula: "N = max(0, k d + c d') + nu d', c = 2 z sqrt(k m*)\nT sticks with dT = -k_t ds while |T| < mu k d; slides with |T| = mu k d and tan(th/2) = tan(th0/2) (N1/N0)^(-k_t |ds|/(mu (N1 - N0))), th the angle between T and -ds",
        source: "Kuhn, Suzuki & Daouadji, Linear-frictional contact model for 3D discrete element (DEM) simulations of granular systems, Fig. 1 and Eqs. 7 to 21",
        notes: "the friction limit is that of the elastic normal force; contact_damping is outside the limit, is not clipped and may pull; restitution is that of the dashpot alone, met exactly without contact_damping; departures from the printed algorithm are listed in the source code with their derivation",
    };
    const CONFORMANCE: Conformance = Conformance { is_limited_without_dashpot: true, ..Conformance::FULL };
    type Normal = ContactDamped;
    type Tangential = tangential::Kuhn;
}
