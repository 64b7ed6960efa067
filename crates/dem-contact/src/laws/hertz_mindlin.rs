//! Hertz with damping, and incremental Mindlin without micro-slip.

use std::marker::PhantomData;

use crate::composite::Recipe;
use crate::law::LawDescription;
use crate::normal::Hertz;
use crate::submodels::friction::{Coulomb, Friction};
use crate::tangential::MindlinNoSlip;

/// The recipe, with a friction limit that has no memory or, for static and dynamic friction, one that has.
#[derive(Clone, Copy, Debug)]
pub struct HertzMindlin<F = Coulomb>(PhantomData<F>);

impl<F: Friction> Recipe for HertzMindlin<F> {
    const KEY: &'static str = "hertz-mindlin";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz with damping, incremental Mindlin without micro-slip",
        formula: "N = max(0, 4/3 E* sqrt(r*) d^1.5 + 2 z sqrt(m* 2 E* a) d'), a = sqrt(r* d)\nT = R(T0) - 8 G* a ds, |T| <= mu N",
        source: "Hertz (1882); Tsuji et al., Powder Technol. 71 (1992) 239; Mindlin, J. Appl. Mech. 16 (1949) 259; Zabulionis et al., Bull. Pol. Acad. Sci. Tech. Sci. 60 (2012) 265",
        notes: "restitution is met exactly, the clip of tension included; damping_ratio is used as given; stiffness 8 G* a, which tangential_stiffness_factor multiplies (2/3 in some codes); the stored force is the one after the friction limit; what becomes of it while the area of contact changes is up to `unloading`, of which the published law is none",
    };
    const MAY_FORGET_WORK: bool = true;
    type Normal = Hertz;
    type Tangential = MindlinNoSlip<F>;
}
