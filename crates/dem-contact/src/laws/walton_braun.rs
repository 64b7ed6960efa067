//! A spring that is stiffer when it unloads, and a slider.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal;
use crate::submodels::friction::StaticDynamic;
use crate::tangential::SpringSlider;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct WaltonBraun;

impl Recipe for WaltonBraun {
    const KEY: &'static str = "walton-braun";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear spring that is stiffer when it unloads, and a slider",
        formula: "N = k1 d at the largest overlap D so far, max(0, k2 (d - (1 - k1/k2) D)) below it, k2 given or k1 (1 + S D)\nT = -k_t s, |T| <= mu N, k_t in proportion to k1",
        source: "Walton & Braun, J. Rheol. 30 (1986) 949",
        notes: "restitution sqrt(k1/k2), the same at all speeds, or (1 + S v sqrt(m*/k1))^(-1/2) with stiffening; known as hooke/hysteresis in LIGGGHTS and ElastPlast in Yade",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[("loading_stiffness", Sample::Number(1e6)), ("unloading_stiffness", Sample::Number(2e6))],
        departures: &[("elastic impact", "plastic deformation dissipates, whatever the damping")],
        ..Conformance::FULL
    };
    type Normal = normal::WaltonBraun;
    type Tangential = SpringSlider<StaticDynamic>;
}
