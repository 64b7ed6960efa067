//! Forces at a distance, laid over any law.
//!
//! | `near_field` | force |
//! |---|---|
//! | `mie` | between centres, as from a generalised Mie potential (`mie.rs`) |
//! | `van-der-waals` | van der Waals attraction of spheres (`van_der_waals.rs`) |
//! | `liquid-bridge` | capillary and viscous force of liquid between bodies that have touched (`liquid_bridge/mod.rs`) |
//!
//! A normal force at a distance takes no part in the friction limit, which is that of the solid contact, and has no torque.
//!
//! Walls take part if this is requested, one by one. Each part of a wall that the sphere could touch acts by itself, as in contact;
//! other walls neither attract nor repel.
//!
//! Records of pairs within range live on while the surfaces are apart. What the law remembers of a contact is forgotten
//! when its surfaces separate, its work is kept, and what springs had not returned becomes released work.

mod liquid_bridge;
mod mie;
mod parameters;
mod van_der_waals;

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec, stride};
use dem_core::lanes::{LaneTask, Lanes, Width};

use self::liquid_bridge::LiquidBridge;
pub use self::liquid_bridge::beyond_validity;
use self::mie::Mie;
pub use self::parameters::NEAR_FIELD;
use self::van_der_waals::VanDerWaals;
use crate::law::{Dashpots, Derived, ElasticEnergy, Films, Kinematics, LawDescription, Needs, Response, Stiffness};
use crate::pair_law::PairLaw;
use crate::parameter::{LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};

/// Fields that the force adds to the history of a law; those of bridges only where some pair of materials has them.
pub fn fields() -> Vec<FieldSpec> {
    let field = |name, meaning, role| FieldSpec { name, unit: "J", meaning, width: 1, role };
    let always = [
        field(
            "near_field_energy",
            "potential energy of the force at a distance; zero for liquid bridges, whose energy follows from the distance",
            FieldRole::State,
        ),
        field(
            "released_work",
            "work left in springs when the surfaces separated, of a pair that is still within range",
            FieldRole::ReleasedWork,
        ),
    ];
    always.into_iter().chain(liquid_bridge::fields()).collect()
}

/// Numbers behind those of the law that are always there: energy, released work.
const WIDTH: usize = 2;

/// The force of a pair of materials.
#[derive(Clone, Copy, Debug)]
enum Force {
    None,
    Mie(Mie),
    VanDerWaals(VanDerWaals),
    LiquidBridge(LiquidBridge),
}

impl Force {
    fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        Ok(match parameters.choice(NEAR_FIELD) {
            "mie" => Self::Mie(Mie::new(parameters)),
            "van-der-waals" => Self::VanDerWaals(VanDerWaals::new(parameters)?),
            "liquid-bridge" => Self::LiquidBridge(LiquidBridge::new(parameters)?),
            _ => Self::None,
        })
    }

    /// Distance between the surfaces up to which it acts, whatever the bodies \[m\].
    fn range(&self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Mie(force) => force.range(),
            Self::VanDerWaals(force) => force.range(),
            Self::LiquidBridge(force) => force.range(),
        }
    }
}

/// The words in scenes and their parameters.
pub fn choice() -> ModelChoice {
    ModelChoice {
        choice: ParameterSpec {
            name: NEAR_FIELD,
            unit: "-",
            meaning: "force between spheres at a distance, and with walls that have near_field = true",
            kind: ParameterKind::Choice(&["none", "mie", "van-der-waals", "liquid-bridge"]),
        },
        models: vec![
            ("none", Vec::new()),
            ("mie", Mie::parameters()),
            ("van-der-waals", VanDerWaals::parameters()),
            ("liquid-bridge", LiquidBridge::parameters()),
        ],
    }
}

/// A law with a force at a distance, one contact at a time.
#[derive(Clone)]
pub struct NearField {
    law: Arc<dyn PairLaw>,
    /// Numbers in the record of the law.
    width: usize,
    force: Force,
    /// Whether records have room for bridges.
    keeps_bridges: bool,
}

impl NearField {
    /// A force at a distance over a law.
    ///
    /// # Errors
    /// Parameters that do not go together, and an adhesive law.
    pub fn new(law: Arc<dyn PairLaw>, parameters: &ParameterSet) -> Result<Self, LawError> {
        let force = Force::new(parameters)?;
        if !matches!(force, Force::None) && (law.begins_by_touch() || law.adheres()) {
            let message = format!(
                "= \"{}\", expected \"none\" with an adhesive law, which already attracts the bodies",
                parameters.choice(NEAR_FIELD)
            );
            return Err(LawError::new(NEAR_FIELD, message));
        }
        let keeps_bridges = matches!(force, Force::LiquidBridge(_));
        Ok(Self { width: stride(&law.fields()), law, force, keeps_bridges })
    }

    /// Whether it forms liquid bridges.
    pub(crate) fn forms_bridges(&self) -> bool {
        matches!(self.force, Force::LiquidBridge(_))
    }

    /// The same law with the records of laws that form bridges: all pairs of materials have records of one kind.
    pub(crate) fn keeping_bridges(self) -> Self {
        Self { keeps_bridges: true, ..self }
    }

    /// Forgets the state of a contact whose surfaces have separated; returns the energy that its springs had not
    /// returned.
    fn end_contact(&self, record: &mut [f64]) -> f64 {
        let (mut at, mut released) = (0, 0.0);
        for field in self.law.fields() {
            let numbers = &mut record[at..at + field.width];
            match field.role {
                FieldRole::State | FieldRole::Liquid => numbers.fill(0.0),
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

impl PairLaw for NearField {
    fn as_pair_law(&self) -> &dyn PairLaw {
        self
    }

    fn key(&self) -> &'static str {
        self.law.key()
    }

    fn description(&self) -> LawDescription {
        self.law.description()
    }

    fn needs(&self) -> Needs {
        // viscous liquid depends on all motions
        Needs::EVERYTHING
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let kept = if self.keeps_bridges { usize::MAX } else { WIDTH };
        self.law.fields().into_iter().chain(fields().into_iter().take(kept)).collect()
    }

    fn range(&self, effective_radius: f64) -> f64 {
        self.law.range(effective_radius).max(self.force.range())
    }

    fn begins_by_touch(&self) -> bool {
        match self.force {
            Force::None => self.law.begins_by_touch(),
            Force::Mie(_) | Force::VanDerWaals(_) => false,
            Force::LiquidBridge(_) => true,
        }
    }

    fn adheres(&self) -> bool {
        self.law.adheres()
    }

    fn films(&self) -> Option<Films> {
        if let Force::LiquidBridge(force) = self.force { force.films() } else { None }
    }

    fn fill_bridge(&self, effective_radius: f64, overlap: f64, volume: f64, record: &mut [f64]) {
        if let Force::LiquidBridge(force) = self.force
            && let Some(own) = record.get_mut(self.width + WIDTH..).and_then(|own| own.first_chunk_mut())
        {
            force.fill(effective_radius, overlap, volume, own);
        }
    }

    fn touches_apart(&self) -> bool {
        matches!(self.force, Force::None) && self.law.touches_apart()
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness {
        let law = self.law.stiffness(effective_radius, overlap);
        let near_field = match self.force {
            Force::None => 0.0,
            // spheres of a given r* are nearest to each other if they are equal
            Force::Mie(force) => force.stiffness((4.0 * effective_radius - overlap).max(f64::MIN_POSITIVE)),
            Force::VanDerWaals(force) => force.stiffness(effective_radius),
            Force::LiquidBridge(force) => force.stiffness(effective_radius),
        };
        Stiffness { normal: law.normal + near_field, ..law }
    }

    fn near_field_stiffness(&self, distance: f64) -> f64 {
        match self.force {
            Force::Mie(force) => force.stiffness(distance.max(f64::MIN_POSITIVE)),
            _ => 0.0,
        }
    }

    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.law.elastic_normal_force(effective_radius, overlap, record.get(..self.width).unwrap_or_default())
    }

    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        let law = self.law.dashpots(effective_radius, effective_mass, overlap);
        let Force::LiquidBridge(force) = self.force else { return law };
        let liquid = force.dashpots(effective_radius, overlap);
        Dashpots { normal: law.normal + liquid.normal, tangential: law.tangential + liquid.tangential, ..law }
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.contact_duration(effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.pull_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        let (law, own) = record.split_at(self.width);
        let near_field = match self.force {
            Force::LiquidBridge(force) if own[WIDTH] > 0.0 => force.energy(effective_radius, overlap, own[WIDTH]),
            Force::LiquidBridge(_) => 0.0,
            _ => own[0],
        };
        ElasticEnergy { near_field, ..self.law.elastic_energy(effective_radius, overlap, law) }
    }

    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3> {
        let record = &record[..self.width];
        if !self.lubricates() {
            return self.law.tangential_force_without_dashpots(effective_radius, overlap, record);
        }
        let touches = overlap > 0.0;
        Some(if touches { self.law.tangential_spring_force(effective_radius, overlap, record) } else { DVec3::ZERO })
    }

    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.tangential_spring_force(effective_radius, overlap, &record[..self.width])
    }

    fn undamped_normal_force(&self, k: &Kinematics, record: &[f64]) -> f64 {
        let (law, own) = record.split_at(self.width);
        let touches = k.overlap1 > 0.0;
        let elastic = if touches { self.law.undamped_normal_force(k, law) } else { 0.0 };
        let gap = -k.overlap1;
        let pull = match self.force {
            _ if k.near_field_distance.is_infinite() => 0.0,
            Force::None => 0.0,
            Force::Mie(force) => force.pull(k.near_field_distance, gap).map_or(0.0, |(pull, _)| pull),
            Force::VanDerWaals(force) => force.pull(k.effective_radius, gap).map_or(0.0, |(pull, _)| pull),
            Force::LiquidBridge(force) => own.get(WIDTH).map_or(0.0, |&held| force.pull(k.effective_radius, gap, held)),
        };
        elastic - pull
    }

    fn lubricates(&self) -> bool {
        matches!(self.force, Force::LiquidBridge(force) if force.is_viscous())
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.elastic_slip(effective_radius, overlap, &record[..self.width])
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let pull = match self.force {
            Force::None | Force::Mie(_) => None,
            Force::VanDerWaals(force) => Some(force.pull_at_contact(effective_radius)),
            Force::LiquidBridge(force) => Some(force.pull_at_contact(effective_radius)),
        };
        self.law.facts(effective_radius, effective_mass, speed).into_iter().chain(pull).collect()
    }

    fn derived(&self) -> Vec<Derived> {
        let own = match self.force {
            Force::None => None,
            Force::Mie(force) => force.derived(),
            Force::VanDerWaals(force) => Some(force.derived()),
            Force::LiquidBridge(force) => Some(force.derived()),
        };
        self.law.derived().into_iter().chain(own).collect()
    }

    fn respond_alone(&self, width: Width, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        let (law_start, start) = start.split_at(self.width);
        let (law_end, end) = end.split_at_mut(self.width);
        let mut released = start[1];
        let mut response = if k.overlap0 > 0.0 || k.overlap1 > 0.0 {
            self.law.respond_alone(width, k, law_start, law_end)
        } else {
            law_end.copy_from_slice(law_start);
            Response::default()
        };
        if k.overlap1 <= 0.0 && k.overlap0 > 0.0 {
            released += self.end_contact(law_end);
        }
        width.run_alone(AtADistance { near_field: self, k, start, end, released, response: &mut response });
        response
    }
}

/// What acts at a distance in one contact, with the instructions of a width.
struct AtADistance<'a> {
    near_field: &'a NearField,
    k: &'a Kinematics,
    /// Records behind those of the law.
    start: &'a [f64],
    end: &'a mut [f64],
    released: f64,
    response: &'a mut Response,
}

impl LaneTask for AtADistance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { near_field, k, start, end, released, response } = self;
        let gap = -k.overlap1;
        let acts = k.near_field_distance.is_finite();
        let pull = match near_field.force {
            Force::Mie(force) if acts => force.pull(k.near_field_distance, gap),
            Force::VanDerWaals(force) if acts => force.pull(k.effective_radius, gap),
            _ => None,
        };
        let (pull, energy) = pull.unwrap_or_default();
        response.normal_force -= pull;
        end[..WIDTH].copy_from_slice(&[energy, released]);
        if let (Some(start), Some(end)) = (start[WIDTH..].first_chunk(), end[WIDTH..].first_chunk_mut()) {
            *end = match near_field.force {
                Force::LiquidBridge(force) if acts => force.respond(k, start, response),
                Force::LiquidBridge(force) => force.broken(start),
                // what was done stays booked
                _ => [0.0, start[1], start[2]],
            };
        }
    }
}
