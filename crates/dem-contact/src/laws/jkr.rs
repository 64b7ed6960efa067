//! Adhesion by Johnson, Kendall and Roberts, and incremental Mindlin without micro-slip on its area.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal;
use crate::submodels::friction::StaticDynamic;
use crate::tangential::MindlinNoSlip;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Jkr;

impl Recipe for Jkr {
    const KEY: &'static str = "jkr";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "JKR adhesion of soft bodies with a large surface energy, incremental Mindlin without micro-slip",
        formula: "d = a^2/r* - 2 sqrt(pi g a/E*), N = 4 E* a^3/(3 r*) - 4 sqrt(pi g E*) a^1.5 + 2 z sqrt(m* 2 E* a) d', from d = 0 until a = (pi g r*^2/4E*)^(1/3)\nT = R(T0) - 8 G* a ds, |T| <= mu (N_el + 6 pi g r*)",
        source: "Johnson, Kendall & Roberts, Proc. R. Soc. Lond. A 324 (1971) 301; Thornton & Ning, Powder Technol. 99 (1998) 154; Thornton, J. Phys. D 24 (1991) 1942",
        notes: "g is the surface energy of one face, the work of adhesion is 2 g; in closed form, without iterating; a contact ends at the fold of the curve, separation = \"peak\" at its minimum, as in LAMMPS, where bodies stick at 0.70 of the right speed; restitution is that of the same bodies without adhesion; peeling by shear is left out; known as jkr in LAMMPS, Kratos and EDEM; the laws of that name in MercuryDPM and DIRT are a constant pull",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[("surface_energy", Sample::Number(0.05))],
        departures: &[
            ("zero at touch", "surfaces that touch snap together: the force jumps to -8/9 of the pull-off force"),
            ("Coulomb", "friction is limited by mu (N_el + 6 pi g r*)"),
            (
                "restitution",
                "restitution is that of the same bodies without adhesion: what snapping takes comes on top",
            ),
        ],
        idle: &[(
            "separation",
            "acts between the peak of the pull and the fold, where the path of the test has no step",
        )],
        refused: &[("unloading", "hyperelastic")],
        ..Conformance::FULL
    };
    type Normal = normal::Jkr;
    type Tangential = MindlinNoSlip<StaticDynamic>;
}
