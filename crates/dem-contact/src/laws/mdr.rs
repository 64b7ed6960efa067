//! Hertz with damping, and a foundation of springs with friction across the contact.

use crate::bookkeeping::BOOKED_BY_TRAPEZOID;
use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::normal::Hertz;
use crate::tangential::Foundation;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Mdr;

impl Recipe for Mdr {
    const KEY: &'static str = "mdr";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz with damping, Mindlin and Deresiewicz for any history by a foundation of springs",
        formula: "N = max(0, 4/3 E* sqrt(r*) d^1.5 + 2 z sqrt(m* 2 E* a) d'), a = sqrt(r* d)\nT = -8 G* dx sum u_k, |u_k| <= mu E*/(4 G*) (d - x_k^2/r*), springs at x_k = (k - 1/2) dx",
        source: "Hertz (1882); Popov & Hess, Method of Dimensionality Reduction (2015); Maw, Barber & Fawcett, Wear 38 (1976) 101",
        notes: "the friction limits of the springs add up to mu N with the dashpot; accurate for any history and direction of slip, at the price of three numbers per spring",
    };
    const CONFORMANCE: Conformance =
        Conformance { departures: &[("works never fall", BOOKED_BY_TRAPEZOID)], ..Conformance::FULL };
    type Normal = Hertz;
    type Tangential = Foundation;
}
