//! Linear spring and slider cut at the end of the step, to compare with `kuhn`.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::normal::ContactDamped;
use crate::tangential;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Conventional;

impl Recipe for Conventional {
    const KEY: &'static str = "conventional";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear spring and slider cut to the friction limit at the end of the step, the reference of `kuhn`",
        formula: "N = max(0, k d + c d') + nu d', c = 2 z sqrt(k m*)\nT = Tt min(1, mu k d/|Tt|), Tt = R(T0) - k_t ds",
        source: "Kuhn, Suzuki & Daouadji, Linear-frictional contact model for 3D discrete element (DEM) simulations of granular systems, Figs. 4 and 5; Cundall & Strack, Geotechnique 29 (1979) 47",
        notes: "same parameters, history and frame transport as `kuhn` without its refinements, so that one continues from a state of the other; differs from `linear` in the limit, which is that of the elastic normal force, and in contact_damping, which is outside the limit, is not clipped and may pull",
    };
    const CONFORMANCE: Conformance = Conformance { is_limited_without_dashpot: true, ..Conformance::FULL };
    type Normal = ContactDamped;
    type Tangential = tangential::Conventional;
}
