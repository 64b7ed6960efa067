//! Hertz with damping, and Mindlin–Deresiewicz micro-slip with loading history.

use crate::bookkeeping::BOOKED_BY_TRAPEZOID;
use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription};
use crate::{normal, tangential};

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct MindlinDeresiewicz;

impl Recipe for MindlinDeresiewicz {
    const KEY: &'static str = "mindlin-deresiewicz";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz with damping, Mindlin and Deresiewicz with micro-slip and loading history",
        formula: "N = max(0, 4/3 E* sqrt(r*) d^1.5 + 2 z sqrt(m* 2 E* a) d'), a = sqrt(r* d)\nT = mu N (1 - (1 - 16 G* a x/(3 mu N))^1.5) on first loading, T = T* - 2 mu N (1 - (1 - 8 G* a x/(3 mu N))^1.5) back from a turning point T*, x the slip since",
        source: "Hertz (1882); Mindlin & Deresiewicz, J. Appl. Mech. 20 (1953) 327; Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eqs. 9-26",
        notes: "exact for constant N and for any N as long as overlap does not grow faster than slip; branch chosen by the displacement left after the transport by N, closed curves instead of their tangents; N with the dashpot; a fluctuating normal load makes the tangential force creep (1 % of overlap: to a third in 200 cycles at 40 % of the sliding slip); for slip that is not along a straight line the same annuli have directions, continuous in the transverse slip; on curved paths that is an approximation, in the mean of a random path 0.05 mu N from mdr: use mdr where the slip changes its direction and this matters",
    };
    const CONFORMANCE: Conformance =
        Conformance { departures: &[("works never fall", BOOKED_BY_TRAPEZOID)], ..Conformance::FULL };
    type Normal = normal::Hertz;
    type Tangential = tangential::MindlinDeresiewicz;
}
