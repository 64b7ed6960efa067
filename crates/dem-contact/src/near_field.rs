//! A force between spheres at a distance, laid over any law.
//!
//! The force on i is `f = (κ₁ d^(−λ₁) − κ₂ d^(−λ₂)) n` with the distance d of the centres: κ₁ attracts, κ₂ repels, as from a generalised
//! Mie potential, of which that of Lennard-Jones is a special case. It acts while the surfaces are closer than the cutoff, also in
//! contact, has no torque, and takes no part in the friction limit. With `λ₁ < λ₂` the pair is in equilibrium at
//! `d = (κ₂/κ₁)^(1/(λ₂ − λ₁))`.
//!
//! Walls take part if this is requested, one by one, with the d of the centre from the nearest point of the wall in
//! place of the distance of the centres. Each part of a wall that the sphere could touch acts by itself, as in contact;
//! other walls neither attract nor repel.
//!
//! The potential energy `U = −κ₁ d^(1−λ₁)/(λ₁−1) + κ₂ d^(1−λ₂)/(λ₂−1)` is shifted to zero at the cutoff. The force ends there
//! with the size it has: energy is conserved to the extent that a step resolves this jump.
//!
//! Source: E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, Eqs. 16–18. Departures: the cutoff, which the source does not have, and
//! walls.
//!
//! Records of pairs within range live on while the surfaces are apart. What the law remembers of a contact is forgotten
//! when its surfaces separate, its work is kept, and what springs had not returned becomes released work.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec, stride};
use dem_core::lanes::functions::alone;
use dem_core::material::PairMaterial;

use crate::law::{
    Conformance, ContactLaw, Dashpots, Derived, ElasticEnergy, Kinematics, LawDescription, Response, Stiffness,
};
use crate::parameter::{Interval, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};

/// Exponents beyond this make forces that no step resolves.
const EXPONENT: Interval = Interval { low: 1.0, includes_low: false, high: 60.0, includes_high: true };

const ATTRACTION: ParameterSpec = ParameterSpec {
    name: "mie_attraction",
    unit: "-",
    meaning: "κ₁ of the attraction κ₁ d^(−λ₁) at the distance d of the centres, a plain number in N m^λ₁",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};
const ATTRACTION_EXPONENT: ParameterSpec = ParameterSpec {
    name: "mie_attraction_exponent",
    unit: "-",
    meaning: "λ₁ of the attraction",
    kind: ParameterKind::Required(EXPONENT),
};
const REPULSION: ParameterSpec = ParameterSpec {
    name: "mie_repulsion",
    unit: "-",
    meaning: "κ₂ of the repulsion κ₂ d^(−λ₂), a plain number in N m^λ₂",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};
const REPULSION_EXPONENT: ParameterSpec = ParameterSpec {
    name: "mie_repulsion_exponent",
    unit: "-",
    meaning: "λ₂ of the repulsion",
    kind: ParameterKind::Required(EXPONENT),
};
const CUTOFF: ParameterSpec = ParameterSpec {
    name: "mie_cutoff",
    unit: "m",
    meaning: "distance between the surfaces beyond which the force is zero",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

/// Fields that the force adds to the history of a law.
pub fn fields() -> [FieldSpec; 2] {
    let field = |name, meaning, role| FieldSpec { name, unit: "J", meaning, width: 1, role };
    [
        field("near_field_energy", "potential energy of the force at a distance", FieldRole::State),
        field(
            "released_work",
            "work left in springs when the surfaces separated, of a pair that is still within range",
            FieldRole::ReleasedWork,
        ),
    ]
}

/// Numbers behind those of the law: energy, released work.
const WIDTH: usize = 2;

/// The Mie force of a pair of materials.
#[derive(Clone, Copy, Debug)]
struct Mie {
    attraction: f64,
    attraction_exponent: f64,
    repulsion: f64,
    repulsion_exponent: f64,
    cutoff: f64,
}

impl Mie {
    /// Attraction minus repulsion \[N\].
    fn force(&self, d: f64) -> f64 {
        self.attraction * alone::pow(d, -self.attraction_exponent)
            - self.repulsion * alone::pow(d, -self.repulsion_exponent)
    }

    /// `U(d)`, zero at infinity \[J\].
    fn potential(&self, d: f64) -> f64 {
        let term = |strength: f64, exponent: f64| strength * alone::pow(d, 1.0 - exponent) / (exponent - 1.0);
        term(self.repulsion, self.repulsion_exponent) - term(self.attraction, self.attraction_exponent)
    }

    /// Size of `dF/dd` \[N/m\].
    fn stiffness(&self, d: f64) -> f64 {
        let term = |strength: f64, exponent: f64| strength * exponent * alone::pow(d, -exponent - 1.0);
        (term(self.repulsion, self.repulsion_exponent) - term(self.attraction, self.attraction_exponent)).abs()
    }
}

/// The words in scenes and their parameters.
pub fn choice() -> ModelChoice {
    ModelChoice {
        choice: ParameterSpec {
            name: "near_field",
            unit: "-",
            meaning: "force between spheres at a distance, and with walls that have near_field = true",
            kind: ParameterKind::Choice(&["none", "mie"]),
        },
        models: vec![
            ("none", Vec::new()),
            ("mie", vec![ATTRACTION, ATTRACTION_EXPONENT, REPULSION, REPULSION_EXPONENT, CUTOFF]),
        ],
    }
}

/// A law with a force at a distance.
#[derive(Clone, Copy, Debug)]
pub struct NearField<L> {
    law: L,
    /// Numbers in the record of the law.
    width: usize,
    mie: Option<Mie>,
}

impl<L: ContactLaw> NearField<L> {
    /// Forgets the state of a contact whose surfaces have separated; returns the energy that its springs had not
    /// returned.
    fn end_contact(&self, record: &mut [f64]) -> f64 {
        let (mut at, mut released) = (0, 0.0);
        for field in self.law.fields() {
            let numbers = &mut record[at..at + field.width];
            match field.role {
                FieldRole::State => numbers.fill(0.0),
                FieldRole::ElasticTangentialWork | FieldRole::ElasticRollingWork => {
                    released += numbers.iter().sum::<f64>();
                    numbers.fill(0.0);
                }
                FieldRole::FrictionWork
                | FieldRole::ViscousWork
                | FieldRole::StiffnessWork
                | FieldRole::RollingWork
                | FieldRole::TwistingWork
                | FieldRole::ReleasedWork
                | FieldRole::Further(_) => {}
            }
            at += field.width;
        }
        released
    }
}

impl<L: ContactLaw> ContactLaw for NearField<L> {
    type Home = L::Home;
    type WithNormal = NearField<L::WithNormal>;
    const KEY: &'static str = L::KEY;
    const DESCRIPTION: LawDescription = L::DESCRIPTION;
    const CONFORMANCE: Conformance = L::CONFORMANCE;

    fn parameters() -> Vec<ParameterSpec> {
        L::parameters()
    }

    fn replaceable_normal() -> Option<ModelChoice> {
        L::replaceable_normal()
    }

    fn choices() -> Vec<ModelChoice> {
        L::choices().into_iter().chain([choice()]).collect()
    }

    fn has_contact_area(&self) -> bool {
        self.law.has_contact_area()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let law = L::new(parameters, pair)?;
        let mie = (parameters.choice("near_field") == "mie").then(|| Mie {
            attraction: parameters.number(ATTRACTION.name),
            attraction_exponent: parameters.number(ATTRACTION_EXPONENT.name),
            repulsion: parameters.number(REPULSION.name),
            repulsion_exponent: parameters.number(REPULSION_EXPONENT.name),
            cutoff: parameters.number(CUTOFF.name),
        });
        if mie.is_some() && law.begins_by_touch() {
            let message = "= \"mie\", expected \"none\" with an adhesive law, which already attracts the bodies";
            return Err(LawError::new("near_field", message));
        }
        Ok(Self { law, width: stride(&law.fields()), mie })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        self.law.fields().into_iter().chain(fields()).collect()
    }

    fn range(&self, effective_radius: f64) -> f64 {
        self.law.range(effective_radius).max(self.mie.map_or(0.0, |mie| mie.cutoff))
    }

    fn begins_by_touch(&self) -> bool {
        self.mie.is_none() && self.law.begins_by_touch()
    }

    fn adheres(&self) -> bool {
        self.law.adheres()
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness {
        let law = self.law.stiffness(effective_radius, overlap);
        // spheres of a given r* are nearest to each other if they are equal
        let nearest = (4.0 * effective_radius - overlap).max(f64::MIN_POSITIVE);
        let near_field = self.mie.map_or(0.0, |mie| mie.stiffness(nearest));
        Stiffness { normal: law.normal + near_field, ..law }
    }

    fn near_field_stiffness(&self, distance: f64) -> f64 {
        self.mie.map_or(0.0, |mie| mie.stiffness(distance.max(f64::MIN_POSITIVE)))
    }

    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.law.elastic_normal_force(effective_radius, overlap, record.get(..self.width).unwrap_or_default())
    }

    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        self.law.dashpots(effective_radius, effective_mass, overlap)
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.contact_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        let (law, near_field) = record.split_at(self.width);
        ElasticEnergy { near_field: near_field[0], ..self.law.elastic_energy(effective_radius, overlap, law) }
    }

    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3> {
        self.law.tangential_force_without_dashpots(effective_radius, overlap, &record[..self.width])
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.elastic_slip(effective_radius, overlap, &record[..self.width])
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        self.law.facts(effective_radius, effective_mass, speed)
    }

    fn derived(&self) -> Vec<Derived> {
        let mut all = self.law.derived();
        if let Some(mie) = self.mie.filter(|mie| {
            mie.attraction > 0.0 && mie.repulsion > 0.0 && mie.attraction_exponent != mie.repulsion_exponent
        }) {
            let power = 1.0 / (mie.repulsion_exponent - mie.attraction_exponent);
            let value = alone::pow(mie.repulsion / mie.attraction, power);
            all.push(Derived { name: "distance of centres where the Mie force vanishes", value, unit: "m" });
        }
        all
    }

    #[inline(always)]
    fn respond(&self, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        let (law_start, start) = start.split_at(self.width);
        let (law_end, end) = end.split_at_mut(self.width);
        let mut released = start[1];
        let mut response = if k.overlap0 > 0.0 || k.overlap1 > 0.0 {
            self.law.respond(k, law_start, law_end)
        } else {
            law_end.copy_from_slice(law_start);
            Response::default()
        };
        if k.overlap1 <= 0.0 && k.overlap0 > 0.0 {
            released += self.end_contact(law_end);
        }
        let mut energy = 0.0;
        let (d, gap) = (k.near_field_distance, -k.overlap1);
        if let Some(mie) = self.mie.filter(|mie| d.is_finite() && gap < mie.cutoff) {
            response.normal_force -= mie.force(d);
            energy = mie.potential(d) - mie.potential(d - gap + mie.cutoff);
        }
        end[..WIDTH].copy_from_slice(&[energy, released]);
        response
    }
}
