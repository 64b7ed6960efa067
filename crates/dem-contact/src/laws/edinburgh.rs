//! The Edinburgh elasto-plastic adhesive model, and incremental Mindlin.

use crate::composite::Recipe;
use crate::law::{Conformance, LawDescription, Sample};
use crate::normal;
use crate::tangential;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Edinburgh;

impl Recipe for Edinburgh {
    const KEY: &'static str = "edinburgh";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "plastic spring of Hertz's or linear form with a pull in proportion to the dent, incremental Mindlin",
        formula: "N = -F0 + k1 d^n, k2 (d^n - l D^n), -ka d^n: the middle one; k2 = k1/(1 - l), n = 1.5 with k1 = 4/3 E* sqrt(r*), or 1\npull-off (3/2) pi w sqrt(2 r* d_p), d_p = (l D^n)^(1/n), at most k2 l D^n/2\nT by the law mindlin, |T| <= mu (N + F0 + ka d^n)",
        source: "Morrissey, thesis, University of Edinburgh (2013); Thakur et al., Granular Matter 16 (2014) 383",
        notes: "w is the work of adhesion, twice the surface energy of a face; the exponent of the pull is that of the spring, and its cap is of d^n, so that the force does not jump; with exponent = \"linear\" give stiffness_rule = \"constant\"; evaluated one contact at a time; known as edinburgh in LIGGGHTS and EEPA in EDEM",
    };
    const CONFORMANCE: Conformance = Conformance {
        sample: &[("plasticity_ratio", Sample::Number(0.5)), ("surface_energy", Sample::Number(0.05))],
        departures: &[
            ("Coulomb", "friction is limited by mu (N + F0 + ka d^n)"),
            ("elastic impact", "plastic deformation dissipates, whatever the damping"),
        ],
        idle: &[(
            "stiffness_ratio",
            "refused but for exponent = \"linear\": it is a share of a constant normal stiffness",
        )],
        ..Conformance::FULL
    };
    type Normal = normal::Edinburgh;
    type Tangential = tangential::Mindlin;
}
