//! Hertz with damping, and the total form of Mindlin.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::normal::Hertz;
use crate::tangential::TotalForm;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct MindlinTotal;

impl Recipe for MindlinTotal {
    const KEY: &'static str = "mindlin-total";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz with damping, Mindlin in total form with a truncated spring (H-MDns)",
        formula: "N = max(0, 4/3 E* sqrt(r*) d^1.5 + 2 z sqrt(m* 2 E* a) d'), a = sqrt(r* d)\nT = -k_t(d) s, |T| <= mu_s N; sliding: T = mu_d N T/|T|, s = -T/k_t",
        source: "Hertz (1882); Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eqs. 36-37; Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 30-38",
        notes: "creates energy when N grows while the spring is loaded, 1/2 dk_t s^2: for comparison with published results; Campello's law has stiffness_rule = \"campello\", sliding_flag = false and, in [contact], lever = \"radius\" and slip = \"start-points\"",
    };
    const CONFORMANCE: Conformance = Conformance {
        departures: &[(
            "closed cycles",
            "the force is the present stiffness times the whole elastic slip: a slip s taken at k₁ costs ½ k₁ s² and gives back ½ k₂ s² if the load has \
             grown meanwhile, a gain of ½ (k₂ − k₁) s² from nothing. Kept for comparison with published results",
        )],
        idle: &[(
            "stiffness_ratio",
            "refused: it is a share of a constant normal stiffness, which Hertz does not have",
        )],
        ..Conformance::FULL
    };
    type Normal = Hertz;
    type Tangential = TotalForm;
}
