//! Adhesion by Derjaguin, Muller and Toporov, and incremental Mindlin without micro-slip.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal;
use crate::submodels::friction::StaticDynamic;
use crate::tangential::MindlinNoSlip;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Dmt;

impl Recipe for Dmt {
    const KEY: &'static str = "dmt";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "DMT adhesion of stiff bodies with a small surface energy, incremental Mindlin without micro-slip",
        formula: "N = 4/3 E* sqrt(r*) d^1.5 - 4 pi g r* + 2 z sqrt(m* 2 E* a) d' for d > 0, a = sqrt(r* d)\nT = R(T0) - 8 G* a ds, |T| <= mu 4/3 E* sqrt(r*) d^1.5",
        source: "Derjaguin, Muller & Toporov, J. Colloid Interface Sci. 53 (1975) 314",
        notes: "g is the surface energy of one face; the force jumps by the pull where bodies touch and part, and neither jump loses energy; friction is limited by Hertz's part, or as in LAMMPS with friction_limit = \"hertz-plus-twice-pull\"; restitution is that of the same bodies without adhesion; known as dmt in LAMMPS and DMT in Yade; the laws JKRAdhesive of MercuryDPM and jkr of DIRT are a constant pull, too",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[("surface_energy", Sample::Number(0.05))],
        departures: &[("Coulomb", "friction is limited by Hertz's part of the normal force")],
        ..Conformance::FULL
    };
    type Normal = normal::Dmt;
    type Tangential = MindlinNoSlip<StaticDynamic>;
}
