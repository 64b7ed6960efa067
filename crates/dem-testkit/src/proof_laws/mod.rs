//! Two laws that the engine does not have, for its interface: what laws of plasticity and adhesion need must come through restarts, lanes,
//! the ledger and the conformance checks. They enter as a program's own laws do, through [`registry::register`].

mod hysteretic;
mod tenacious;

use dem_contact::composite::{Composite, Recipe};
use dem_contact::evaluator::InLanes;
use dem_contact::law::{Conformance, LawDescription};
use dem_contact::registry::{self, Entry};
use dem_contact::submodels::friction::StaticDynamic;
use dem_contact::tangential::SpringSlider;

pub use hysteretic::Hysteretic;
pub use tenacious::Tenacious;

/// Name of the law that remembers its largest overlap.
pub const HYSTERETIC: &str = "proof-hysteretic";
/// Name of the law whose bodies hold on to each other.
pub const TENACIOUS: &str = "proof-tenacious";

/// A share of the normal dashpot is idle where there is none.
const NO_DASHPOT: (&str, &str) =
    ("tangential_damping_share", "a share of a normal dashpot, which the law does not have");

#[derive(Clone, Copy, Debug)]
struct HystereticRecipe;

impl Recipe for HystereticRecipe {
    const KEY: &'static str = HYSTERETIC;
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "a spring that is stiffer when it unloads, and a slider",
        formula: "N = k1 d at the largest overlap D so far, k1/e^2 (d - (1 - e^2) D) below it, not below zero",
        source: "Walton & Braun, J. Rheol. 30 (1986) 949",
        notes: "a proof of the interface of laws, not for use",
    };
    const CONFORMANCE: Conformance = Conformance { idle: &[NO_DASHPOT], ..Conformance::FULL };
    type Normal = Hysteretic;
    type Tangential = SpringSlider<StaticDynamic>;
}

#[derive(Clone, Copy, Debug)]
struct TenaciousRecipe;

impl Recipe for TenaciousRecipe {
    const KEY: &'static str = TENACIOUS;
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "a linear spring that pulls bodies which have touched until they are torn apart, and a slider",
        formula: "N = k d for d > -w r*, where w r* is the reach of the hold; friction is limited by mu (N + k w r*)",
        source: "linear cohesive contact",
        notes: "a proof of the interface of laws, not for use",
    };
    const CONFORMANCE: Conformance = Conformance {
        departures: &[
            ("zero at touch", "friction is limited by mu (N + k w r*), which is not zero there"),
            ("Coulomb", "friction is limited by mu (N + k w r*)"),
            ("elastic impact", "what is torn apart dissipates"),
        ],
        idle: &[NO_DASHPOT],
        ..Conformance::FULL
    };
    type Normal = Tenacious;
    type Tangential = SpringSlider<StaticDynamic>;
}

/// Registers both laws, once for the process.
// inlined, so that only programs that call it pay for the compilation of the laws, which the build of `dem` would do otherwise
#[inline]
pub fn register() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // nobody else has these names
        let _ = registry::register(Entry::of::<Composite<HystereticRecipe>, InLanes>());
        let _ = registry::register(Entry::of::<Composite<TenaciousRecipe>, InLanes>());
    });
}
