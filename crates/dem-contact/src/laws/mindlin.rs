//! Hertz with damping, and incremental Mindlin with its published options.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::normal::Hertz;
use crate::tangential;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Mindlin;

impl Recipe for Mindlin {
    const KEY: &'static str = "mindlin";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz with damping, incremental Mindlin with the published options for stiffness, sliding direction and elastic displacement",
        formula: "N = max(0, 4/3 E* sqrt(r*) d^1.5 + 2 z sqrt(m* 2 E* a) d'), a = sqrt(r* d)\nT = R(T0) - k_t(xi) ds, |T| <= mu_s N; sliding: T = mu_d N t\nk_t(xi) = k_t0 + stiffness_point (k_t1 - k_t0)",
        source: "Hertz (1882); Mindlin, J. Appl. Mech. 16 (1949) 259; Zabulionis et al., Bull. Pol. Acad. Sci. Tech. Sci. 60 (2012) 265, Eqs. 18-48; Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 32-36",
        notes: "for studies of a contact: with the defaults the forces are those of hertz-mindlin, at a higher cost; the directions displacement and velocity make the sliding force chatter, as published; the published law has unloading = \"none\"",
    };
    const CONFORMANCE: Conformance = Conformance {
        idle: &[(
            "stiffness_ratio",
            "refused: it is a share of a constant normal stiffness, which Hertz does not have",
        )],
        ..Conformance::FULL
    };
    type Normal = Hertz;
    type Tangential = tangential::Mindlin;
}
