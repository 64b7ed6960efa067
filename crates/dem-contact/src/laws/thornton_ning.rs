//! Elastic and plastic spheres by Thornton, and incremental Mindlin without micro-slip.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal;
use crate::submodels::friction::StaticDynamic;
use crate::tangential::MindlinNoSlip;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct ThorntonNing;

impl Recipe for ThorntonNing {
    const KEY: &'static str = "thornton-ning";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "Hertz up to a largest pressure and plastic beyond, incremental Mindlin without micro-slip",
        formula: "N = 4/3 E* a^3/r* up to a_y = pi r* p_y/2E*, then N = F_y + pi p_y (a^2 - a_y^2), a = sqrt(r* d)\nunloading from a = A: Hertz with r_p = 4/3 E* A^3/N(A), shifted so that A stays\nT = R(T0) - 8 G* a ds, |T| <= mu N",
        source: "Thornton, J. Appl. Mech. 64 (1997) 383; Thornton & Ning, Powder Technol. 99 (1998) 154",
        notes: "in closed form, so that results do not depend on steps; the dent is forgotten when the undeformed spheres part; the restitution follows from the yield pressure and falls with the speed, see dem check; damping_ratio adds a dashpot; known as thornton_ning in LIGGGHTS, which integrates the stiffness by steps",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[("yield_pressure", Sample::Number(1e8))],
        departures: &[("elastic impact", "plastic deformation dissipates, whatever the damping")],
        refused: &[("unloading", "hyperelastic")],
        ..Conformance::FULL
    };
    type Normal = normal::Thornton;
    type Tangential = MindlinNoSlip<StaticDynamic>;
}
