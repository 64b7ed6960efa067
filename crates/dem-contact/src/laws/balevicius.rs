//! Hertz with damping, and finite sliding with hysteresis.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::normal::Hertz;
use crate::tangential;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Balevicius;

impl Recipe for Balevicius {
    const KEY: &'static str = "balevicius";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz with damping, finite sliding with hysteresis after reversals",
        formula: "N = max(0, 4/3 E* sqrt(r*) d^1.5 + 2 z sqrt(m* 2 E* a) d'), a = sqrt(r* d)\nsliding: |T| = mu N; after a reversal T changes by 2 mu N_A x^p over x = |s - s_A|/d_u = 0..1, d_u = c mu d/k (1 + D/(ri + rj))/2, k = 4G*/E*",
        source: "Hertz (1882); Balevicius & Mroz, A finite sliding model of two identical spheres under displacement and force control, part II, Acta Mech. (2013)",
        notes: "rigid until the first reversal; the tangent is infinite at a reversal; published for slip along a straight line; for other slip the same rule with vectors, continuous in the transverse slip: a slip by more than a right angle from the force, or from the slip of the transition, is a reversal; energy that a transition gives back is booked as negative friction work",
    };
    const CONFORMANCE: Conformance = Conformance {
        departures: &[
            (
                "closed cycles",
                "a contact that slides over a short way s while the load grows to N_A takes ∫ μN ds, and on the way back gives \
                 μN_A s (1 − 2 (s/δ_u)^p/(1 + p)), which is more; the ledger books it as negative friction work. Published for constant N",
            ),
            (
                "works never fall",
                "what a transition gives back after a reversal is booked as friction undone: no state of the law tells what it holds",
            ),
        ],
        ..Conformance::FULL
    };
    type Normal = Hertz;
    type Tangential = tangential::Balevicius;
}
