//! A spring that yields, unloads stiffly and pulls on the way out, and a slider.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal;
use crate::submodels::friction::StaticDynamic;
use crate::tangential::SpringSlider;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Luding;

impl Recipe for Luding {
    const KEY: &'static str = "luding";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear plastic spring that unloads more stiffly the deeper it was loaded, and pulls on the way out; slider",
        formula: "N = k1 d, k2 (d - D) + k1 D, -kc d: the middle one; k2 = k1 + (kp - k1) D/d_l, d_l = kp/(kp - k1) phi 2 r*\nT = -k_t s, |T| <= mu (N + kc d), k_t in proportion to k1",
        source: "Luding, Granular Matter 10 (2008) 235",
        notes: "under a pull the memory D shrinks to the line of unloading through the present point, so that the force has no jump where the motion turns; memory = \"literal\" is the published rule, which lags by a step; known as LinearPlasticViscoelastic in MercuryDPM and luding in LIGGGHTS",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[
            ("loading_stiffness", Sample::Number(1e6)),
            ("unloading_stiffness_limit", Sample::Number(5e6)),
            ("cohesive_stiffness", Sample::Number(5e5)),
            ("plasticity_depth", Sample::Number(0.01)),
        ],
        departures: &[
            ("Coulomb", "friction is limited by mu (N + kc d)"),
            ("elastic impact", "plastic deformation dissipates, whatever the damping"),
        ],
        idle: &[("memory", "acts where the motion turns under a pull, which it does not on the path of the test")],
        ..Conformance::FULL
    };
    type Normal = normal::Luding;
    type Tangential = SpringSlider<StaticDynamic>;
}
