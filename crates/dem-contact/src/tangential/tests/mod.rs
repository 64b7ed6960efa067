mod constant_load;
mod dashpots;
mod friction;
mod impact;
mod lanes;
mod sliding_dashpot;
mod straight;
mod unloading;
mod varying_load;

use dem_core::DVec3;
use dem_core::material::{Material, PairMaterial};

use crate::bookkeeping::StiffnessBooked;
use crate::composite::Composite;
use crate::frame::{Transport, TransportKind};
use crate::law::{ContactLaw, Kinematics, Response};
use crate::laws;
use crate::parameter::{LawError, ParameterSet, ParameterValue};
use crate::submodels::friction::StaticDynamic;

type Linear = Composite<laws::linear::Linear>;
type LinearSliding = Composite<laws::linear::Linear<StaticDynamic>>;
type HertzMindlin = Composite<laws::hertz_mindlin::HertzMindlin, StiffnessBooked>;
type HertzMindlinSliding = Composite<laws::hertz_mindlin::HertzMindlin<StaticDynamic>, StiffnessBooked>;
type Mindlin = Composite<laws::mindlin::Mindlin, StiffnessBooked>;
type MindlinTotal = Composite<laws::mindlin_total::MindlinTotal, StiffnessBooked>;

const EFFECTIVE_RADIUS: f64 = 5e-3;

fn pair() -> PairMaterial {
    let material = Material { name: String::new(), density: 2500.0, young_modulus: 1e9, poisson_ratio: 0.25 };
    PairMaterial::new(&material, &material)
}

/// A number, a word or a flag for a parameter.
macro_rules! given {
    ($($name:ident = $value:expr),* $(,)?) => {
        [$((stringify!($name).to_owned(), crate::tangential::tests::Given::from($value).0)),*]
    };
}
use given;

struct Given(ParameterValue);

impl From<f64> for Given {
    fn from(x: f64) -> Self {
        Self(ParameterValue::Number(x))
    }
}

impl From<&str> for Given {
    fn from(word: &str) -> Self {
        Self(ParameterValue::Word(word.to_owned()))
    }
}

impl From<bool> for Given {
    fn from(flag: bool) -> Self {
        Self(ParameterValue::Flag(flag))
    }
}

/// A law without damping; what is not given and must be is: μ = 0.5, and a normal stiffness where the law takes one. Mindlin's laws are the
/// published ones, whose force stays while the load changes.
fn law<L: ContactLaw>(given: &[(String, ParameterValue)]) -> Result<L, LawError> {
    law_between(&pair(), given)
}

fn law_between<L: ContactLaw>(pair: &PairMaterial, given: &[(String, ParameterValue)]) -> Result<L, LawError> {
    let specs = L::parameters();
    let mut all: std::collections::BTreeMap<_, _> = given![friction = 0.5].into();
    if specs.iter().any(|spec| spec.name == "restitution") {
        all.extend(given![restitution = 1.0]);
    }
    if specs.iter().any(|spec| spec.name == "normal_stiffness") {
        all.extend(given![normal_stiffness = 2e5]);
    }
    if specs.iter().any(|spec| spec.name == "unloading") {
        all.extend(given![unloading = "none"]);
    }
    if given.iter().any(|(name, _)| name.starts_with("damping_")) {
        all.remove("restitution");
    }
    all.extend(given.iter().cloned());
    L::new(&ParameterSet::resolve(&specs, all)?, pair)
}

/// One contact led along a path, its normal at rest along x.
struct Drive<L> {
    law: L,
    record: Vec<f64>,
    effective_radius: f64,
    overlap: f64,
    time: f64,
    /// Tangential force.
    force: DVec3,
    /// Normal force.
    normal: f64,
    /// Work done so far against the tangential force on the slip.
    work: f64,
}

impl<L: ContactLaw> Drive<L> {
    /// At rest at an overlap, without tangential load.
    fn new(law: L, overlap: f64) -> Self {
        let record = vec![0.0; dem_core::history::stride(&law.fields())];
        Self {
            law,
            record,
            effective_radius: EFFECTIVE_RADIUS,
            overlap,
            time: 0.0,
            force: DVec3::ZERO,
            normal: 0.0,
            work: 0.0,
        }
    }

    fn step(&mut self, overlap: f64, slip: DVec3, time_step: f64) -> Response {
        self.step_at(overlap, slip, slip / time_step, time_step)
    }

    /// A step with a slip velocity at its end that is not the mean.
    fn step_at(&mut self, overlap: f64, slip: DVec3, velocity: DVec3, time_step: f64) -> Response {
        self.time += time_step;
        let normal = DVec3::X.into();
        let still = DVec3::ZERO.into();
        let kinematics = Kinematics {
            normal0: normal,
            normal1: normal,
            overlap0: self.overlap,
            overlap1: overlap,
            overlap_rate: (overlap - self.overlap) / time_step,
            slip: slip.into(),
            tangential_velocity: velocity.into(),
            relative_spin: still,
            relative_rotation: still,
            transport: Transport::new(TransportKind::Exact, normal, normal, still, still),
            effective_radius: self.effective_radius,
            effective_mass: 1e-3,
            smaller_radius: 2.0 * self.effective_radius,
            centre_distance: 4.0 * self.effective_radius,
            near_field_distance: 4.0 * self.effective_radius,
            time_step,
            time: self.time,
        };
        let start = self.record.clone();
        let response = self.law.respond(&kinematics, &start, &mut self.record);
        let force = DVec3::from(response.tangential_force);
        self.work -= (0.5 * (self.force + force)).dot(slip);
        (self.overlap, self.force, self.normal) = (overlap, force, response.normal_force);
        response
    }

    /// Slips along y, in steps.
    fn slip(&mut self, distance: f64, steps: u32) {
        for _ in 0..steps {
            self.step(self.overlap, DVec3::Y * (distance / f64::from(steps)), 1e-5);
        }
    }

    /// A field of the record.
    fn field(&self, name: &str) -> &[f64] {
        let mut at = 0;
        for field in self.law.fields() {
            if field.name == name {
                return &self.record[at..at + field.width];
            }
            at += field.width;
        }
        panic!("no field {name}")
    }

    fn vector(&self, name: &str) -> DVec3 {
        DVec3::from_slice(self.field(name))
    }

    /// Tangential stiffness at the present overlap.
    fn stiffness(&self) -> f64 {
        self.law.stiffness(self.effective_radius, self.overlap).tangential
    }

    /// Normal force at the present overlap.
    fn normal_force(&self) -> f64 {
        let energy = self.law.elastic_energy(self.effective_radius, self.overlap, &self.record).normal;
        // ½ N δ for the linear spring, 2/5 N δ for Hertz
        energy / self.overlap / if L::KEY == "linear" { 0.5 } else { 0.4 }
    }
}
