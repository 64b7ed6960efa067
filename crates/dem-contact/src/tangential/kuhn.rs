//! Linear spring and slider whose step is resolved in time: the motion of a step is taken as uniform, and what happens inside it (the bodies
//! meet, slide, turn the friction force, part) happens when it happens.
//!
//! With `u = −Δs` the motion of j against i, `N = N₀ + a (N₁ − N₀)` and `f` the tangential force on i over the fraction
//! `a` of the step:
//!
//! 1. *Fresh contact.* Bodies that meet at `a₀ = −δ₀/(δ₁ − δ₀)` only load the spring with `(1 − a₀) u`; bodies that
//!    separate load it until `δ₀/(δ₀ − δ₁)`.
//! 2. *Stick and slip.* The contact sticks, `f = f₀ + a k_t u`, until `|f| = μN` at `a_s`, the root of `A a² + 2B a + C = 0` with
//!    `A = (μΔN)² − k_t² u²`, `B = μ² N₀ ΔN − k_t f₀·u`, `C = (μN₀)² − f₀²`.
//! 3. *Slip rotation.* While it slides the force turns towards the motion: `slip_rotation.rs`.
//! 4. *Frame.* The force is carried with the contact by [`crate::frame`], here at the start of the step.
//!
//! The work of the force is split into what the spring stores, `Δ|f|²/2k_t`, and what friction takes.
//!
//! | symbol | meaning |
//! |---|---|
//! | N₀, N₁ | elastic normal forces; dashpots do not count for the limit |
//! | k_t | constant tangential stiffness |
//! | A, B, C | coefficients of the distance from the friction cone, squared |
//!
//! Source: M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact model for 3D discrete element simulations of granular
//! systems", Fig. 1. Valid for normal forces that are linear in the overlap.
//!
//! Departures from the algorithm as printed, each with its derivation:
//! - The fraction of a fresh contact (lines 11 to 14) is taken from the overlaps and applied once; as printed the
//!   normal force of line 14 exceeds `kδ₁` whenever there was a gap.
//! - The root of lines 24 to 27 is the cancellation-free form, `C/(S − B)` or `−(B + S)/A` with `S = √(B² − AC)`: no test of a tolerance, no
//!   0/0, and for C = 0 the branch `−2B/A` only where it is an exit from the cone (A < 0 < B). The cone is convex: a step that ends inside it
//!   never left it.
//! - Motion without slip, `u = 0`, under unloading keeps the direction of the force (line 31 divides by zero).
//! - The stored work (line 52) uses the force at the start of the step, not the one at the start of sliding that has overwritten it.
//! - A force outside the cone at the start (round-off, changed friction) is first brought back to it; its energy counts as friction.
//! - Bodies that separate do work until they separate, and the spring's energy is friction only from there on (lines 4
//!   and 5 leave it out).
//! - The work is that of the path. `sliding_work = "trapezoid"` has the rule of line 45, `Δξ·(f_s + f₁)/2`, 40 % short for a quarter turn
//!   in one step of `k_t u = 4 μN`.
//!
//! The parameters switch the refinements off one by one, for comparison. Without `slip_rotation` the force of a sliding step is the trial
//! force cut to the limit, and the split of the step only enters the work. Without `stick_slip_split` sliding fills the whole step.
//! The work of the path exists only with both; otherwise it is the trapezoid. With all of them off this is `conventional`.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Lanes, Mask, Real, Vector};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalResponse};
use crate::parameter::{LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::friction::FRICTION;
use crate::submodels::stiffness_rule::{STIFFNESS_RATIO, StiffnessRule};
use crate::tangential::slip_rotation::SlipRotation;
use crate::tangential::{LaneTangential, TangentialModel, TangentialResponse, respond_alone};

/// What both this model and the conventional one remember, so that either continues from a state of the other.
pub(super) const FORCE_FIELD: FieldSpec = FieldSpec {
    name: "tangential_force",
    unit: "N",
    meaning: "elastic tangential force on the first body",
    width: 3,
    role: FieldRole::State,
};

const fn flag(name: &'static str, meaning: &'static str) -> ParameterSpec {
    ParameterSpec { name, unit: "-", meaning, kind: ParameterKind::Flag(true) }
}

/// Spring and slider of constant stiffness, resolved within the step.
#[derive(Clone, Copy, Debug)]
pub struct Kuhn {
    stiffness: f64,
    friction: f64,
    fresh_contact_split: bool,
    separation_split: bool,
    stick_slip_split: bool,
    slip_rotation: bool,
    /// The work of the path, not the trapezoid.
    exact_work: bool,
}

impl TangentialModel for Kuhn {
    const KEY: &'static str = "kuhn";

    fn parameters() -> Vec<ParameterSpec> {
        vec![
            STIFFNESS_RATIO,
            FRICTION,
            flag("fresh_contact_split", "a contact that forms within a step slips only from then on"),
            flag("separation_split", "a contact that ends within a step works until then"),
            flag("stick_slip_split", "a contact that begins to slide within a step sticks until then"),
            flag("slip_rotation", "the friction force rotates within the step as the contact slides"),
            ParameterSpec {
                name: "sliding_work",
                unit: "-",
                meaning: "work of a sliding step: that of its path, or the trapezoidal rule of its ends",
                kind: ParameterKind::Choice(&["exact", "trapezoid"]),
            },
        ]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        let stick_slip_split = parameters.flag("stick_slip_split");
        let slip_rotation = parameters.flag("slip_rotation");
        Ok(Self {
            stiffness: StiffnessRule::constant_share(Self::KEY, parameters, pair, normal_stiffness)?,
            friction: parameters.number("friction"),
            fresh_contact_split: parameters.flag("fresh_contact_split"),
            separation_split: parameters.flag("separation_split"),
            stick_slip_split,
            slip_rotation,
            exact_work: stick_slip_split && slip_rotation && parameters.choice("sliding_work") == "exact",
        })
    }

    fn made_for(&self) -> Option<NormalKind> {
        Some(NormalKind::Linear)
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![FORCE_FIELD]
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.stiffness)
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        if self.stiffness > 0.0 { DVec3::from_slice(record) / -self.stiffness } else { DVec3::ZERO }
    }

    fn force_without_dashpots(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        DVec3::from_slice(record)
    }

    fn derived(&self) -> Vec<Derived> {
        vec![Derived { name: "tangential stiffness", value: self.stiffness, unit: "N/m" }]
    }

    #[inline(always)]
    fn respond(
        &self,
        k: &Kinematics,
        n: &NormalResponse,
        energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse {
        respond_alone(self, k, n, energy0, start, end)
    }
}

/// A step of several contacts.
#[derive(Clone, Copy)]
struct Step<R: Real> {
    normal: Vector<R>,
    /// Force at the start, carried and on or inside the cone.
    start: Vector<R>,
    /// Motion of j against i while they touch.
    motion: Vector<R>,
    /// Force at the end if nothing slides.
    trial: Vector<R>,
    limit0: R,
    limit1: R,
    sticks: R::Mask,
}

impl Kuhn {
    /// Fraction of the motion of the step that the bodies make in contact.
    #[inline(always)]
    fn share_in_contact<R: Real>(&self, k: &Kinematics<R>) -> R {
        let (zero, one) = (R::zero(), R::constant(1.0));
        let (touched, touches) = (k.overlap0.greater(zero), k.overlap1.greater(zero));
        let (fresh, parting) = (touches & !touched, touched & !touches);
        if !(fresh | parting).any() {
            return one;
        }
        // the positive overlap in proportion to the change of it
        let share = k.overlap0.maximum(k.overlap1) / (k.overlap1 - k.overlap0).abs();
        let of_fresh = if self.fresh_contact_split { share } else { one };
        let of_parting = if self.separation_split { share } else { zero };
        R::select(fresh, of_fresh, R::select(parting, of_parting, one))
    }

    /// `1/2k_t`
    #[inline(always)]
    fn half_compliance<R: Real>(&self) -> R {
        R::parameter(if self.stiffness > 0.0 { 0.5 / self.stiffness } else { 0.0 })
    }

    /// The force at the end, the work stored by the spring and the work of friction, right where the contact slides.
    #[inline(always)]
    fn slide<R: Lanes>(&self, step: &Step<R>) -> (Vector<R>, R, R) {
        let (zero, half, one) = (R::zero(), R::constant(0.5), R::constant(1.0));
        let &Step { normal, start, motion, trial, limit0, limit1, sticks } = step;
        let spring = R::parameter(self.stiffness);
        let stuck = if self.stick_slip_split { stick_share(step, spring) } else { zero };
        let limit = limit0.plus_product(stuck, limit1 - limit0).maximum(zero);
        let reached = start.plus_scaled(motion, stuck * spring);
        let sticking_work = stuck * motion.dot(start.plus_scaled(motion, half * stuck * spring));

        let size = reached.length();
        let distance = motion.length();
        let has_direction = size.greater(zero) & limit.greater(zero);
        let moves = distance.greater(zero);
        let unit = reached * (one / size);
        let along = motion * R::select(moves, one / distance, zero);
        let sliding = distance * (one - stuck);
        // an unloaded contact slides along its motion, an unmoved one keeps its direction
        let straight = Vector::select(has_direction, unit, along);
        let turns = has_direction & moves & !sticks;
        let rotation = if self.slip_rotation && turns.any() {
            let (travel, growth) = (spring * sliding / limit, (limit1 - limit) / limit);
            Some(SlipRotation::new(unit, along, normal, travel, growth, turns))
        } else {
            None
        };
        let direction = match rotation {
            Some(rotation) => Vector::select(turns, rotation.direction(), straight),
            None if self.slip_rotation => straight,
            None => trial * (one / trial.length()),
        };
        let force = direction * limit1;

        let (from, from_size) = if self.stick_slip_split {
            (Vector::select(has_direction, unit * limit, Vector::zero()), limit)
        } else {
            (start, start.length())
        };
        let trapezoid = half * (one - stuck) * motion.dot(from + force);
        let sliding_work = match rotation {
            Some(rotation) if self.exact_work => {
                R::select(turns, limit * sliding * rotation.mean_projection(), trapezoid)
            }
            _ => trapezoid,
        };
        let stored = (limit1 - from_size) * (limit1 + from_size) * self.half_compliance();
        (force, sticking_work + stored, sliding_work - stored)
    }
}

/// Fraction of the step after which the contact begins to slide, where it ends outside the cone.
#[inline(always)]
fn stick_share<R: Real>(step: &Step<R>, spring: R) -> R {
    let (zero, one) = (R::zero(), R::constant(1.0));
    let growth = step.limit1 - step.limit0;
    let a = (growth * growth).minus_product(spring * spring, step.motion.length_squared());
    let b = (step.limit0 * growth).minus_product(spring, step.start.dot(step.motion));
    let c = step.limit0 * step.limit0 - step.start.length_squared();
    // a force that was cut to the limit is on the cone up to round-off
    let c = R::select(c.less(R::constant(1e-14) * step.limit0 * step.limit0), zero, c);
    let root = (b * b).minus_product(a, c).maximum(zero).sqrt();
    let sum = root - b;
    let outward = R::select(sum.greater(zero), c / sum, zero);
    // with A ≥ 0 and B > 0 the force never leaves the cone: it is outside at the end by round-off
    let inward = R::select(a.less(zero), (-b - root) / a, one);
    R::select(b.at_most(zero), outward, inward).maximum(zero).minimum(one)
}

impl LaneTangential for Kuhn {
    type Record<R: Real> = [R; 3];

    #[inline(always)]
    fn respond_in_lanes<R: Lanes>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        _energy0: R,
        start: &[R; 3],
    ) -> (TangentialResponse<R>, [R; 3]) {
        let (zero, half) = (R::zero(), R::constant(0.5));
        let friction = R::parameter(self.friction);
        let (limit0, limit1) = (friction * n.elastic_limit0, friction * n.elastic_limit1);
        let mut start = k.transport.carry(Vector::from_slice(start));
        let mut lost = zero;
        let excess = start.length_squared() - limit0 * limit0;
        let outside = excess.greater(zero);
        if outside.any() {
            lost = R::select(outside, excess * self.half_compliance(), zero);
            start = Vector::select(outside, start * (limit0 / start.length()), start);
        }
        let motion = -k.slip * self.share_in_contact(k);
        let trial = start.plus_scaled(motion, R::parameter(self.stiffness));
        let sticks = trial.length_squared().at_most(limit1 * limit1);
        let elastic = half * motion.dot(start + trial);
        let (mut force, mut stored, mut dissipated) = (trial, elastic, zero);
        if !sticks.all() {
            let slid = self.slide(&Step { normal: k.normal1, start, motion, trial, limit0, limit1, sticks });
            force = Vector::select(sticks, trial, slid.0);
            stored = R::select(sticks, elastic, slid.1);
            dissipated = R::select(sticks, zero, slid.2);
        }
        let response = TangentialResponse {
            force,
            loaded: limit1.greater(zero),
            slides: !sticks,
            stored: stored - lost,
            friction: dissipated + lost,
            ..TangentialResponse::none()
        };
        (response, [force.x, force.y, force.z])
    }
}

#[cfg(test)]
mod tests;
