//! Laws that have no limit for short steps, two of them as this engine once had them: what the suite is there to find.

use std::marker::PhantomData;

use dem_contact::composite::{Composite, Recipe};
use dem_contact::kernel::{ForceKernel, LawKernel};
use dem_contact::law::{ContactLaw, Derived, Kinematics, LawDescription};
use dem_contact::normal::{Hertz, NormalResponse};
use dem_contact::tangential::{TangentialModel, TangentialResponse};
use dem_contact::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;
use dem_testkit::step_convergence::subject::YOUNG_MODULUS;
use dem_testkit::worlds;

const FRICTION: ParameterSpec = ParameterSpec {
    name: "friction",
    unit: "-",
    meaning: "Coulomb friction coefficient",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};

/// A rule for the tangential force.
pub trait Rule: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Name.
    const KEY: &'static str;
    /// Numbers that a contact remembers.
    const MEMORY: usize;

    /// The force on the first body at the end of a step \[N\]; `limit` is μN there, `stiffness` 8G*a.
    fn force(contact: &Contact, k: &Kinematics, start: &[f64], end: &mut [f64]) -> DVec3;
}

/// What a rule may know of a contact.
pub struct Contact {
    pub limit: f64,
    pub stiffness: f64,
    /// Length of a transition at the start of the step \[m\].
    pub transition: f64,
    /// 2μN at its start \[N\].
    pub amplitude: f64,
}

/// Friction after a rule.
#[derive(Clone, Copy, Debug)]
pub struct Faulty<F> {
    friction: f64,
    shear_modulus: f64,
    stiffness_ratio: f64,
    rule: PhantomData<F>,
}

impl<F: Rule> TangentialModel for Faulty<F> {
    const KEY: &'static str = F::KEY;

    fn parameters() -> Vec<ParameterSpec> {
        vec![FRICTION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, _normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Ok(Self {
            friction: parameters.number(FRICTION.name),
            shear_modulus: pair.effective_shear_modulus,
            stiffness_ratio: pair.stiffness_ratio(),
            rule: PhantomData,
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![FieldSpec {
            name: "memory",
            unit: "-",
            meaning: "what the rule remembers",
            width: F::MEMORY,
            role: FieldRole::State,
        }]
    }

    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        R::parameter(8.0 * self.shear_modulus) * (effective_radius * overlap.maximum(R::zero())).sqrt()
    }

    fn needs_tangential_velocity(&self) -> bool {
        true
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, _record: &[f64]) -> DVec3 {
        DVec3::ZERO
    }

    fn derived(&self) -> Vec<Derived> {
        Vec::new()
    }

    fn respond(
        &self,
        k: &Kinematics,
        n: &NormalResponse,
        _energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse {
        let contact = Contact {
            limit: self.friction * n.force1.max(0.0),
            stiffness: 8.0 * self.shear_modulus * n.contact_radius1,
            transition: self.friction * k.overlap0.max(0.0) / self.stiffness_ratio,
            amplitude: 2.0 * self.friction * n.force0.max(0.0),
        };
        let force = F::force(&contact, k, start, end);
        TangentialResponse {
            force: force.into(),
            loaded: contact.limit > 0.0,
            friction: -force.dot(k.slip.into()),
            ..TangentialResponse::none()
        }
    }
}

/// The law of a rule: Hertz with damping, and its friction.
#[derive(Clone, Copy, Debug)]
pub struct Law<F>(PhantomData<F>);

impl<F: Rule> Recipe for Law<F> {
    const KEY: &'static str = F::KEY;
    const DESCRIPTION: LawDescription =
        LawDescription { summary: "of a test", formula: "-", source: "-", notes: "without a limit for short steps" };
    type Normal = Hertz;
    type Tangential = Faulty<F>;
}

/// Kernel of a rule for the parameters of other laws.
pub fn kernel<F: Rule>() -> Box<dyn ForceKernel> {
    let material = worlds::material(YOUNG_MODULUS);
    let given = worlds::parameters(&[("friction", 0.4), ("restitution", 0.6)], &[]);
    let parameters = ParameterSet::resolve(&Composite::<Law<F>>::parameters(), given).unwrap();
    let law = Composite::<Law<F>>::new(&parameters, &PairMaterial::new(&material, &material)).unwrap();
    Box::new(LawKernel::of_any_type(1, vec![Box::new(law)]))
}

fn cut(force: DVec3, limit: f64) -> DVec3 {
    let size = force.length();
    if size > limit { force * (limit / size) } else { force }
}

/// A spring that loses a share of its force in every step, in place of every second: the shorter the steps, the weaker it is.
#[derive(Clone, Copy, Debug)]
pub struct CreepsByTheStep;

impl Rule for CreepsByTheStep {
    const KEY: &'static str = "creeps-by-the-step";
    const MEMORY: usize = 3;

    fn force(contact: &Contact, k: &Kinematics, start: &[f64], end: &mut [f64]) -> DVec3 {
        let carried = DVec3::from(k.transport.carry(DVec3::from_slice(start).into()));
        let force = cut(0.99 * carried - contact.stiffness * DVec3::from(k.slip), contact.limit);
        force.write_to_slice(end);
        force
    }
}

/// The whole cut force of spring and dashpot is kept as that of the spring: each step of a sliding contact turns the force towards the slip
/// velocity by as much, however short it is.
#[derive(Clone, Copy, Debug)]
pub struct DashpotKeptInTheSpring;

impl Rule for DashpotKeptInTheSpring {
    const KEY: &'static str = "dashpot-kept-in-the-spring";
    const MEMORY: usize = 3;

    fn force(contact: &Contact, k: &Kinematics, start: &[f64], end: &mut [f64]) -> DVec3 {
        let carried = DVec3::from(k.transport.carry(DVec3::from_slice(start).into()));
        let viscosity = 0.6 * (contact.stiffness * k.effective_mass).sqrt();
        let elastic = carried - contact.stiffness * DVec3::from(k.slip);
        let total = elastic - viscosity * DVec3::from(k.tangential_velocity);
        let force = cut(total, contact.limit);
        let slides = force != total;
        (if slides { force } else { elastic }).write_to_slice(end);
        force
    }
}

/// Transitions with the root of the slip along an axis that follows the force: where the force passes zero it swings round with a history that
/// belongs to another direction.
#[derive(Clone, Copy, Debug)]
pub struct AxisThatFollowsTheForce;

impl Rule for AxisThatFollowsTheForce {
    const KEY: &'static str = "axis-that-follows-the-force";
    const MEMORY: usize = 8;

    fn force(contact: &Contact, k: &Kinematics, start: &[f64], end: &mut [f64]) -> DVec3 {
        let slip = DVec3::from(k.slip);
        let carried = DVec3::from(k.transport.carry(DVec3::from_slice(start).into()));
        let [mut along_axis, mut direction, mut travelled, mut length, mut amplitude] =
            [start[3], start[4], start[5], start[6], start[7]];
        let mut force = DVec3::ZERO;
        let mut axis = carried;
        if direction == 0.0 {
            if contact.limit > 0.0 && slip != DVec3::ZERO {
                axis = slip.normalize();
                (direction, along_axis) = (1.0, contact.limit);
                force = -along_axis * axis;
            }
        } else {
            axis = axis.normalize();
            let along = slip.dot(axis);
            if along * direction < 0.0 {
                direction = -direction;
                travelled = 0.0;
                (length, amplitude) = (contact.transition, contact.amplitude);
            }
            let before = travelled;
            travelled += along.abs();
            if travelled < length {
                along_axis += direction * amplitude * ((travelled / length).sqrt() - (before / length).sqrt());
            } else {
                length = 0.0;
                along_axis = direction * contact.limit;
            }
            along_axis = along_axis.clamp(-contact.limit, contact.limit);
            force = cut(-along_axis * axis - contact.stiffness * (slip - along * axis), contact.limit);
            let turned = -along_axis.signum() * force.normalize_or_zero();
            if turned.dot(axis) > 1e-8 {
                axis = turned;
                along_axis = along_axis.signum() * force.length();
            }
        }
        axis.write_to_slice(end);
        end[3..].copy_from_slice(&[along_axis, direction, travelled, length, amplitude]);
        force
    }
}
