//! Linear spring, dashpot and slider.
//!
//! The normal force is a linear spring with a linear dashpot; the tangential force a linear spring on the elastic slip,
//! cut off at the friction limit, after which the spring is shortened to what it carries.
//!
//! | symbol | meaning |
//! |---|---|
//! | δ, δ' | overlap, its rate |
//! | k, k_t | normal and tangential stiffness |
//! | c = 2ζ√(k m*) | dashpot |
//! | s | elastic slip, carried with the contact |
//!
//! `N = max(0, k δ + c δ')`, `T = −k_t s` while `|T| ≤ μN`, else `T = μN T/|T|` and `s = −T/k_t`.
//!
//! Source: P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47; truncated spring as in A. Di Renzo, F. P. Di Maio,
//! Chem. Eng. Sci. 59 (2004) 525, Eq. 36. Valid for stiffnesses that do not depend on the load.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::material::PairMaterial;

use crate::law::{ContactLaw, Derived, ElasticEnergy, Kinematics, LawDescription, Mode, Response, Stiffness};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{self, FRICTION, TANGENTIAL_DAMPING_RATIO};
use crate::submodels::damping::{DAMPING_RATIO, Damping, NO_TENSION, RESTITUTION, Spring};

/// The law for one pair of materials.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    normal_stiffness: f64,
    tangential_stiffness: f64,
    damping: Damping,
    tangential_damping_ratio: f64,
    friction: f64,
    no_tension: bool,
}

const FIELDS: &[FieldSpec] = &[
    FieldSpec {
        name: "elastic_slip",
        unit: "m",
        meaning: "elongation of the tangential spring",
        width: 3,
        role: FieldRole::State,
    },
    FieldSpec {
        name: "normal_dashpot_force",
        unit: "N",
        meaning: "damping part of the normal force",
        width: 1,
        role: FieldRole::State,
    },
    FieldSpec {
        name: "friction_work",
        unit: "J",
        meaning: "energy dissipated by friction since the contact formed",
        width: 1,
        role: FieldRole::FrictionWork,
    },
    FieldSpec {
        name: "viscous_work",
        unit: "J",
        meaning: "energy dissipated by damping since the contact formed",
        width: 1,
        role: FieldRole::ViscousWork,
    },
];

impl ContactLaw for Linear {
    const KEY: &'static str = "linear";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear spring, dashpot and slider",
        formula: "N = max(0, k d + c d'), c = 2 z sqrt(k m*)\nT = -k_t s, |T| <= mu N; sliding shortens the spring to s = -T/k_t",
        source: "Cundall & Strack, Geotechnique 29 (1979) 47; Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eq. 36",
        notes: "restitution is met exactly, the clip of tension included; damping_ratio is used as given",
    };
    const PARAMETERS: &'static [ParameterSpec] = &[
        ParameterSpec {
            name: "normal_stiffness",
            unit: "N/m",
            meaning: "normal stiffness k of the pair",
            kind: ParameterKind::Required(Interval::POSITIVE),
        },
        ParameterSpec {
            name: "stiffness_ratio",
            unit: "-",
            meaning: "tangential to normal stiffness k_t/k; the default is Mindlin's 4 G*/E* of the two materials",
            kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
        },
        FRICTION,
        RESTITUTION,
        DAMPING_RATIO,
        TANGENTIAL_DAMPING_RATIO,
        NO_TENSION,
    ];

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let normal_stiffness = parameters.number("normal_stiffness");
        let ratio = parameters.optional("stiffness_ratio").unwrap_or_else(|| pair.stiffness_ratio());
        let no_tension = parameters.flag("no_tension");
        Ok(Self {
            normal_stiffness,
            tangential_stiffness: ratio * normal_stiffness,
            damping: Damping::from_parameters(parameters, Spring::Linear, no_tension)?,
            tangential_damping_ratio: parameters.number("tangential_damping_ratio"),
            friction: parameters.number("friction"),
            no_tension,
        })
    }

    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn stiffness(&self, _effective_radius: f64, _overlap: f64) -> Stiffness {
        Stiffness {
            normal: self.normal_stiffness,
            tangential: self.tangential_stiffness,
            damping_ratio: self.damping.ratio.max(self.tangential_damping_ratio),
        }
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        speed * (effective_mass / self.normal_stiffness).sqrt()
    }

    fn contact_duration(&self, _effective_radius: f64, effective_mass: f64, _speed: f64) -> f64 {
        std::f64::consts::PI * (effective_mass / self.normal_stiffness).sqrt()
    }

    fn elastic_energy(&self, _effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        let overlap = overlap.max(0.0);
        ElasticEnergy {
            normal: 0.5 * self.normal_stiffness * overlap * overlap,
            tangential: 0.5 * self.tangential_stiffness * DVec3::from_slice(record).length_squared(),
        }
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        DVec3::from_slice(record)
    }

    fn derived(&self) -> Vec<Derived> {
        vec![
            Derived { name: "normal stiffness", value: self.normal_stiffness, unit: "N/m" },
            Derived { name: "tangential stiffness", value: self.tangential_stiffness, unit: "N/m" },
            Derived { name: "damping ratio", value: self.damping.ratio, unit: "-" },
            Derived { name: "achieved restitution", value: self.damping.restitution, unit: "-" },
        ]
    }

    #[inline(always)]
    fn respond(&self, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        let (Some(start), Some(end)) = (start.first_chunk::<6>(), end.first_chunk_mut::<6>()) else {
            return Response::default();
        };
        let overlap = k.overlap1.max(0.0);
        let elastic = self.normal_stiffness * overlap;
        let mut normal_force = 0.0;
        if k.overlap1 > 0.0 {
            let dashpot = 2.0 * self.damping.ratio * (self.normal_stiffness * k.effective_mass).sqrt();
            normal_force = elastic + dashpot * k.overlap_rate;
            if self.no_tension {
                normal_force = normal_force.max(0.0);
            }
        }
        let dashpot_force = normal_force - elastic;
        let viscous = 0.5 * (start[3] + dashpot_force) * (k.overlap1 - k.overlap0);

        let carried = k.transport.carry(DVec3::new(start[0], start[1], start[2]));
        let spring = self.tangential_stiffness;
        let tangential_dashpot = if self.tangential_damping_ratio > 0.0 {
            2.0 * self.tangential_damping_ratio * (spring * k.effective_mass).sqrt()
        } else {
            0.0
        };
        let limited = coulomb::limit(
            k,
            self.friction * normal_force.max(0.0),
            carried * -spring,
            (carried + k.slip) * -spring,
            spring,
            tangential_dashpot,
        );
        let slip = match limited.mode {
            Mode::Slide if spring > 0.0 => limited.elastic / -spring,
            Mode::Slide => DVec3::ZERO,
            _ => carried + k.slip,
        };
        *end =
            [slip.x, slip.y, slip.z, dashpot_force, start[4] + limited.friction, start[5] + viscous + limited.viscous];
        Response { normal_force, tangential_force: limited.force, couple: DVec3::ZERO, mode: limited.mode }
    }
}
