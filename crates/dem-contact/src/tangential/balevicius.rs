//! Hysteresis of finite sliding: Coulomb friction until the first reversal, then a transition with a power of the slip.
//!
//! Along the axis of the force, with τ the force against a slip in its direction and D = ±1 the direction of motion, a sliding contact
//! carries `τ = D μN`. At a reversal (index A) it begins a transition of the length
//!
//! `δ_u = c μ δ_A/κ · ½(1 + d_A/(rᵢ+rⱼ))`, `x = |s − s_A|/δ_u`
//!
//! in which the force goes from one friction limit to the other, over the amplitude `2 μN_A`:
//!
//! - `incremental`: `τ += D 2μN_A (x₁^p − x₀^p)`, from the force that there is. A reversal within a transition begins a new one, so
//!   that loops close and a contact comes to rest without force.
//! - `non-incremental`: `τ = D μN_A (2 x^p − 1)`. The force jumps at a reversal within a transition.
//!
//! Always `|τ| ≤ μN`; beyond x = 1 the contact slides.
//!
//! | symbol | meaning |
//! |---|---|
//! | δ, d | overlap, distance of the centres (d/(rᵢ+rⱼ) = 1 for a wall) |
//! | κ = 4G*/E* | ratio of the stiffnesses; μδ/κ is Mindlin's displacement at full slip, `μ(2−ν)/(2(1−ν)) δ` for equal materials |
//! | p, c | power, 1/4 to 1/2 in the source, and factor of the length, 1 in the source; Mindlin's reversal needs 2 |
//! | a, 8G*a | radius of the area of contact, Mindlin's stiffness |
//!
//! Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres under displacement and force control, part II, Acta Mech.
//! (2013): power functions for a reversal along a line. Departures:
//! the amplitude is taken with N_A at both ends, as the path ahead is not known; unequal spheres and materials enter through κ and the
//! radii; increments of the powers themselves in place of their derivative, which is infinite at a reversal.
//!
//! The source is for slip along a line. A contact whose slip leaves its line continues with vectors, [`plane`], in a
//! way that is continuous in the slip across and has a limit for short steps; there is no axis that follows the force,
//! which would swing round with the whole history where the force passes zero. A slip below 10⁻⁸ of a transition is
//! held back until it has grown: at a reversal the power, and in a sliding contact whose load has grown the step to the
//! new limit, would turn round-off into a force.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;
use dem_core::lanes::functions::alone;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::friction::FRICTION;
use crate::tangential::{TangentialModel, TangentialResponse};

mod path;
mod plane;
#[cfg(test)]
mod tests;

use path::{PATH, Path};
use plane::{PlaneLaw, PlanePath};

/// Fraction of a transition below which a slip is held back.
const RESOLUTION: f64 = 1e-8;

const POWER: ParameterSpec = ParameterSpec {
    name: "hysteresis_power",
    unit: "-",
    meaning: "power p of the transition after a reversal",
    kind: ParameterKind::Default(0.5, Interval::UNIT),
};
const BRANCH: ParameterSpec = ParameterSpec {
    name: "hysteresis_branch",
    unit: "-",
    meaning: "whether a reversal within a transition continues from the present force or jumps",
    kind: ParameterKind::Choice(&["incremental", "non-incremental"]),
};
const LENGTH_FACTOR: ParameterSpec = ParameterSpec {
    name: "hysteresis_length_factor",
    unit: "-",
    meaning: "length of a transition in units of Mindlin's displacement at full slip",
    kind: ParameterKind::Default(1.0, Interval::POSITIVE),
};

/// Finite sliding with hysteresis.
#[derive(Clone, Copy, Debug)]
pub struct Balevicius {
    friction: f64,
    power: f64,
    incremental: bool,
    length_factor: f64,
    shear_modulus: f64,
    stiffness_ratio: f64,
}

/// Force of a slip across a straight line, in units of the limit, that is taken for round-off.
const STRAIGHT: f64 = 1e-12;

// Places in the record.
const LENGTH: usize = 6;
const AMPLITUDE: usize = 7;
const IN_PLANE: usize = 9;
const PLANE_FORCE: usize = 10;
const PLANE_SLIP: usize = 13;
const PLANE_HELD: usize = 16;
const PLANE_BASE: usize = 19;

impl Balevicius {
    /// Length of a transition that begins at an overlap \[m\].
    fn transition(&self, k: &Kinematics, overlap: f64) -> f64 {
        let overlap = overlap.max(0.0);
        // d/(ri + rj), one for a wall
        let share = if k.centre_distance.is_finite() {
            (k.centre_distance / (k.centre_distance + k.overlap1)).min(1.0)
        } else {
            1.0
        };
        self.length_factor * self.friction * overlap / self.stiffness_ratio * 0.5 * (1.0 + share)
    }

    /// Moves along the axis by `slip` \[m\]; `limit` is μN at the end, `reversal` the length and amplitude of a transition from now on.
    fn travel(&self, path: &mut Path, slip: f64, limit: f64, reversal: (f64, f64)) {
        let slip = std::mem::take(&mut path.held) + slip;
        if slip.abs() <= RESOLUTION * reversal.0 {
            path.held = slip;
        } else if slip != 0.0 {
            if slip * path.direction < 0.0 {
                path.direction = -path.direction;
                path.travelled = 0.0;
                (path.length, path.amplitude) = reversal;
            }
            let before = path.travelled;
            path.travelled += slip.abs();
            if path.travelled < path.length {
                let share = |travelled: f64| alone::pow(travelled / path.length, self.power);
                let gone = share(path.travelled);
                path.force = if self.incremental {
                    path.force + path.direction * path.amplitude * (gone - share(before))
                } else {
                    path.direction * path.amplitude * (gone - 0.5)
                };
            } else {
                path.length = 0.0;
                path.force = path.direction * limit;
            }
        }
        path.force = path.force.clamp(-limit, limit);
    }
}

impl Balevicius {
    /// The response of a step in which the force goes from `force0` to `force1`.
    #[inline(always)]
    fn response(force0: DVec3, force1: DVec3, slip: DVec3, limit: f64, slides: bool) -> TangentialResponse {
        TangentialResponse {
            force: force1.into(),
            loaded: limit > 0.0,
            slides: limit > 0.0 && slides,
            stored: 0.0,
            // what a transition returns counts as friction undone: its state does not determine what it stores
            friction: -0.5 * (force0 + force1).dot(slip),
            ..TangentialResponse::none()
        }
    }
}

impl TangentialModel for Balevicius {
    const KEY: &'static str = "balevicius";

    fn parameters() -> Vec<ParameterSpec> {
        vec![FRICTION, POWER, BRANCH, LENGTH_FACTOR]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        if normal_stiffness.is_some() {
            return Err(LawError::new(
                "tangential",
                "= \"balevicius\", expected with the normal model hertz: the length of a transition follows from its area of contact",
            ));
        }
        Ok(Self {
            friction: parameters.number(FRICTION.name),
            power: parameters.number(POWER.name),
            incremental: parameters.choice(BRANCH.name) == "incremental",
            length_factor: parameters.number(LENGTH_FACTOR.name),
            shear_modulus: pair.effective_shear_modulus,
            stiffness_ratio: pair.stiffness_ratio(),
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, unit, meaning, width| FieldSpec { name, unit, meaning, width, role: FieldRole::State };
        vec![
            field("axis", "-", "axis of the tangential force; before the first slip the slip not yet applied, in m", 3),
            field("axial_force", "N", "force against a slip along the axis", 1),
            field("direction", "-", "direction of motion along the axis, 0 before the first slip", 1),
            field("travelled", "m", "slip since the last reversal", 1),
            field("transition_length", "m", "length of the present transition, 0 while sliding", 1),
            field("transition_amplitude", "N", "change of the force over the present transition", 1),
            field(
                "held_slip",
                "m",
                "slip not yet applied, because it is too small to be distinguished from round-off",
                1,
            ),
            field(
                "in_plane",
                "-",
                "1 once the contact has slipped across the axis; then the axis and what is along it are 0",
                1,
            ),
            field("plane_force", "N", "force against the slip of a contact in the plane", 3),
            field("plane_slip", "m", "slip since the last reversal of a contact in the plane, 0 while sliding", 3),
            field("plane_held_slip", "m", "slip not yet applied of a contact in the plane", 3),
            field(
                "plane_base",
                "N",
                "force that the transition of a non-incremental contact in the plane starts from",
                3,
            ),
        ]
    }

    /// The secant of a transition; at a reversal the tangent is infinite.
    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        let radius = (effective_radius * overlap.maximum(R::zero())).sqrt();
        R::parameter(32.0 / 3.0 * self.shear_modulus) * radius / R::parameter(self.length_factor)
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let stiffness = self.stiffness(effective_radius, overlap);
        let path = Path::load(&record[3..]);
        let force = DVec3::from_slice(record) * path.force + DVec3::from_slice(&record[PLANE_FORCE..]);
        if stiffness > 0.0 { force / stiffness } else { DVec3::ZERO }
    }

    fn derived(&self) -> Vec<Derived> {
        let value = self.length_factor * self.friction / self.stiffness_ratio;
        vec![Derived { name: "length of a transition / overlap", value, unit: "-" }]
    }

    #[inline(always)]
    fn respond(
        &self,
        k: &Kinematics,
        n: &NormalResponse,
        _energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse {
        let slip = DVec3::from(k.slip);
        let normal = DVec3::from(k.normal1);
        let carry = |place: usize| DVec3::from(k.transport.carry(DVec3::from_slice(&start[place..]).into()));
        let carried = carry(0);
        let mut path = Path::load(&start[3..]);
        let limit = self.friction * n.limit1.max(0.0);
        let (length, amplitude) = (self.transition(k, k.overlap0), 2.0 * self.friction * n.limit0.max(0.0));
        let across = 8.0 * self.shear_modulus * n.contact_radius1;
        end[IN_PLANE..].fill(0.0);

        let mut plane = None;
        if start[IN_PLANE] > 0.0 {
            plane = Some(PlanePath {
                force: carry(PLANE_FORCE),
                slip: carry(PLANE_SLIP),
                base: carry(PLANE_BASE),
                held: carry(PLANE_HELD),
                length: start[LENGTH],
                amplitude: start[AMPLITUDE],
                capped: false,
            });
        } else if path.direction != 0.0 {
            let axis = carried.try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector());
            let sideways = slip - slip.dot(axis) * axis;
            if across * sideways.length() > STRAIGHT * limit {
                plane = Some(PlanePath::of_line(&path, axis));
            }
        }
        if let Some(mut plane) = plane {
            let force0 = -plane.force;
            let law = PlaneLaw {
                power: self.power,
                incremental: self.incremental,
                limit,
                reversal: (length, amplitude),
                resolution: RESOLUTION * length,
                across,
            };
            plane.travel(slip, &law);
            // what the frame's transport leaves along the normal is round-off or its error
            plane.force -= normal * plane.force.dot(normal);
            end[..3].fill(0.0);
            let left = Path { direction: 1.0, length: plane.length, amplitude: plane.amplitude, ..Path::default() };
            end[3..3 + PATH].copy_from_slice(&left.to_array());
            end[IN_PLANE] = 1.0;
            plane.force.write_to_slice(&mut end[PLANE_FORCE..]);
            plane.slip.write_to_slice(&mut end[PLANE_SLIP..]);
            plane.held.write_to_slice(&mut end[PLANE_HELD..]);
            plane.base.write_to_slice(&mut end[PLANE_BASE..]);
            return Self::response(force0, -plane.force, slip, limit, plane.length == 0.0 || plane.capped);
        }

        let force0 = if path.direction == 0.0 { DVec3::ZERO } else { -path.force * carried };
        let mut axis = carried;
        let mut force1 = DVec3::ZERO;
        let mut capped = false;
        if path.direction == 0.0 {
            axis += slip;
            // round-off of a slip that is next to nothing may point out of the plane
            axis -= normal * axis.dot(normal);
            let size = axis.length();
            // in the first step of a contact there was no overlap at the start
            if limit > 0.0 && size > RESOLUTION * self.transition(k, k.overlap1) {
                axis /= size;
                path.direction = 1.0;
                self.travel(&mut path, size, limit, (length, amplitude));
                force1 = -path.force * axis;
            }
        } else {
            axis = axis.try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector());
            let along = slip.dot(axis);
            self.travel(&mut path, along, limit, (length, amplitude));
            force1 = -path.force * axis - across * (slip - along * axis);
            let size = force1.length();
            capped = size > limit;
            if capped {
                force1 *= limit / size;
            }
            // the axis follows the force, by less than a right angle
            let turned = -path.force.signum() * force1.normalize_or_zero();
            // without a force along the axis only round-off would decide the direction
            if turned.dot(axis) > RESOLUTION {
                axis = turned;
                path.force = path.force.signum() * size.min(limit);
            }
        }
        axis.write_to_slice(&mut end[..3]);
        end[3..3 + PATH].copy_from_slice(&path.to_array());
        let slides = path.direction != 0.0 && (path.length == 0.0 || capped);
        Self::response(force0, force1, slip, limit, slides)
    }
}
