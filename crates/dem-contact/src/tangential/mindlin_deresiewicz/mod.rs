//! Mindlin and Deresiewicz: micro-slip that spreads from the edge of the contact area inwards, with the whole loading history.
//!
//! | symbol | meaning |
//! |---|---|
//! | E*, G* | effective moduli, `1/E* = Σ(1−ν²)/E`, `1/G* = Σ(2−ν)/G` |
//! | a = √(r* δ), k_t = 8 G* a | contact radius, stiffness of full stick |
//! | N | normal force, dashpot included |
//! | e, x | axis of the contact, slip along it |
//! | y | slip across it |
//!
//! At constant N, `T = μN (1 − (1 − 2 k_t x/(3 μN))^(3/2))` on first loading and `T = T* − 2μN (1 − (1 − k_t x/(3 μN))^(3/2))` from a turning
//! point T*; loops that close are forgotten. [`loading_history`] has the algorithm for varying N.
//!
//! Sources: R. D. Mindlin, H. Deresiewicz, J. Appl. Mech. 20 (1953) 327; displacement-driven form of A. Di Renzo, F. P. Di Maio,
//! Chem. Eng. Sci. 59 (2004) 525, Eqs. 9–26.
//!
//! # Departures and choices
//! - Sub-steps follow the closed curves, not their tangents (Eqs. 21, 24, 26); `travel = "tangent"` is the published form.
//! - With decreasing N the branch is chosen by the displacement that is left after the transport by the normal force. By
//!   the sign of the displacement itself, as printed, a contact that slides while it springs back would be taken to unload.
//! - Transport takes the displacement `μ ΔN/k̄` with k̄ the mean stiffness of the step, not the one at its end. Then the law is exact
//!   for steps of any size along which overlap and slip are proportional.
//! - Turning points that a shrinking contact area reaches are erased within the step; the printed rules keep them.
//! - N is the total normal force: the friction limit μN, the size of the curves and their transport follow it, dashpot
//!   included, so that the force has no jump and `|T| ≤ μN` always; k_t follows the overlap.
//! - In the plane the history is that of an axis e that turns with the force. Slip across it acts on the stiffness of full stick.
//!   Exact on straight paths only.
//! - A contact that grows faster than it slips, `|x| < μ ΔN/k̄`, has no simple history; what follows is approximate (Assumption 3 of
//!   the publication): in an impact near the normal it dissipates too little, and under a normal load that trembles the
//!   tangential force creeps towards zero, because every growth erases what the rim remembers. The model `mdr` has neither restriction.

pub mod loading_history;

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::friction::FRICTION;
use crate::tangential::{TangentialModel, TangentialResponse, whole_number};
use loading_history::{FEWEST_TURNING_POINTS, LoadingHistory, Travel, lowered, width};

/// Micro-slip with loading history.
#[derive(Clone, Copy, Debug)]
pub struct MindlinDeresiewicz {
    young_modulus: f64,
    shear_modulus: f64,
    friction: f64,
    travel: Travel,
    turning_points: usize,
}

/// Most turning points that a history may have room for.
const MOST_TURNING_POINTS: usize = 64;

// Places in the record.
const FORCE: usize = 3;
const ENERGY: usize = 4;
const HISTORY: usize = 5;

/// Slip across the axis is ignored if its force is below this fraction of the limit: round-off must not turn the axis.
const STRAIGHT: f64 = 1e-12;

impl MindlinDeresiewicz {
    /// Overlap at which Hertz's force is `force`: `overlap` itself without a dashpot.
    #[inline(always)]
    fn edge(&self, force: f64, contact_radius: f64, overlap: f64) -> f64 {
        let hertz = 4.0 / 3.0 * self.young_modulus * contact_radius * overlap;
        if force == hertz {
            return overlap;
        }
        if force <= 0.0 || hertz <= 0.0 {
            return 0.0;
        }
        overlap * lowered(force / hertz, 1.0, 1.0)
    }
}

/// A vector of length one, without a root if it nearly is; zero stays zero.
#[inline(always)]
fn unit(v: DVec3) -> DVec3 {
    let excess = v.length_squared() - 1.0;
    if excess.abs() < 1e-8 { v * (1.0 - 0.5 * excess) } else { v.normalize_or_zero() }
}

/// What one step leaves: force on i, elastic energy, whether the contact slides.
struct Outcome {
    force: DVec3,
    energy: f64,
    slides: bool,
}

impl MindlinDeresiewicz {
    /// Advances `end`, which holds the record of the start; `axis` is carried to the end of the step.
    #[inline(always)]
    fn advance(&self, k: &Kinematics, n: &NormalResponse, axis: DVec3, limit: f64, end: &mut [f64]) -> Option<Outcome> {
        let slip = DVec3::from(k.slip);
        // the slip of a step in which the bodies meet counts from when they touch
        let slip = if k.overlap0 < 0.0 { slip * (k.overlap1 / (k.overlap1 - k.overlap0)) } else { slip };
        let stiffness = 8.0 * self.shear_modulus * n.contact_radius1;
        let unit_force = self.friction * 4.0 / 3.0 * self.young_modulus * k.effective_radius.sqrt();
        let edge0 = self.edge(n.force0, n.contact_radius0, k.overlap0.max(0.0));
        let edge1 = self.edge(n.force1, n.contact_radius1, k.overlap1);
        let unit_slip = 1.5 * limit / (stiffness * edge1);

        let (head, history) = end.split_at_mut(HISTORY);
        let mut history = LoadingHistory::new(history)?;
        let remembers = history.branches() > 0 && axis != DVec3::ZERO;
        let mut axis = axis;
        if !remembers {
            history.clear();
            axis = slip.try_normalize()?;
        }
        let along = slip.dot(axis);
        history.advance(edge0, edge1, along / unit_slip, self.travel);
        let mut slides = history.slides();

        let across = (slip - axis * along) * stiffness;
        if across.length_squared() > (STRAIGHT * limit) * (STRAIGHT * limit) {
            let straight = history.force(edge1);
            let opposing = axis * (straight * unit_force) + across;
            let size = opposing.length();
            let (sign, target) = (1.0f64.copysign(straight), size.min(limit));
            slides |= size >= limit;
            axis = opposing * (sign / size);
            let change = target / unit_force - straight.abs();
            if change > 0.0 {
                history.shift_force(sign, change, edge1);
            }
        }
        let load = history.load(edge1);
        let force = (load.force * unit_force).clamp(-limit, limit);
        let energy = 0.75 * unit_force * unit_slip * load.energy;
        head[..FORCE].copy_from_slice(&axis.to_array());
        (head[FORCE], head[ENERGY]) = (force, energy);
        Some(Outcome { force: axis * -force, energy, slides })
    }
}

impl TangentialModel for MindlinDeresiewicz {
    const KEY: &'static str = "mindlin-deresiewicz";

    fn parameters() -> Vec<ParameterSpec> {
        let travel = ParameterSpec {
            name: "travel",
            unit: "-",
            meaning: "how the force follows the slip: along the closed curve, or along its tangent at the start of the step as published",
            kind: ParameterKind::Choice(&["exact", "tangent"]),
        };
        let turning_points = ParameterSpec {
            name: "turning_points",
            unit: "-",
            meaning: "turning points that a contact remembers, a whole number, 8 bytes each; beyond that the smallest loop is forgotten and \
                      counted in the history",
            kind: ParameterKind::Default(
                8.0,
                Interval {
                    low: FEWEST_TURNING_POINTS as f64,
                    includes_low: true,
                    high: MOST_TURNING_POINTS as f64,
                    includes_high: true,
                },
            ),
        };
        vec![FRICTION, travel, turning_points]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        if normal_stiffness.is_some() {
            return Err(LawError::new(
                "tangential",
                "= \"mindlin-deresiewicz\", expected with a normal model whose contact area grows with the load",
            ));
        }
        Ok(Self {
            young_modulus: pair.effective_young_modulus,
            shear_modulus: pair.effective_shear_modulus,
            friction: parameters.number("friction"),
            travel: if parameters.choice("travel") == "tangent" { Travel::Tangent } else { Travel::Exact },
            turning_points: whole_number(parameters, "turning_points")?,
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, unit, meaning, width| FieldSpec { name, unit, meaning, width, role: FieldRole::State };
        vec![
            field("axis", "-", "direction of positive slip of the loading history", 3),
            field("opposing_force", "N", "tangential force on the first body against the axis", 1),
            field("elastic_energy", "J", "elastic energy of the tangential load", 1),
            field(
                "branches",
                "-",
                "first loading and turning points remembered; negative if the first loading went against the axis",
                1,
            ),
            field("dropped_loops", "-", "loops of the history forgotten for want of room", 1),
            field(
                "stick_circles",
                "m",
                "overlaps at which the contact area would end at the stick circle of each branch, from the inside out",
                self.turning_points + 1,
            ),
        ]
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> f64 {
        8.0 * self.shear_modulus * (effective_radius * overlap.max(0.0)).sqrt()
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let stiffness = self.stiffness(effective_radius, overlap);
        if stiffness > 0.0 { DVec3::from_slice(record) * (record[FORCE] / stiffness) } else { DVec3::ZERO }
    }

    fn derived(&self) -> Vec<Derived> {
        vec![
            Derived { name: "effective shear modulus G*", value: self.shear_modulus, unit: "Pa" },
            Derived { name: "turning points remembered", value: self.turning_points as f64, unit: "-" },
        ]
    }

    #[inline(always)]
    fn respond(&self, k: &Kinematics, n: &NormalResponse, start: &[f64], end: &mut [f64]) -> TangentialResponse {
        debug_assert_eq!(end.len(), HISTORY + width(self.turning_points));
        let axis = unit(k.transport.carry(DVec3::from_slice(start).into()).reject(k.normal1).into());
        let (force0, energy0) = (axis * -start[FORCE], start[ENERGY]);
        let limit = self.friction * n.force1.max(0.0);
        end.copy_from_slice(start);
        let loaded = limit > 0.0 && k.overlap1 > 0.0;
        let outcome = if loaded { self.advance(k, n, axis, limit, end) } else { None };
        let outcome = outcome.unwrap_or_else(|| {
            // no load: nothing is remembered but the count of what was dropped
            end[..HISTORY].fill(0.0);
            if let Some(mut history) = LoadingHistory::new(&mut end[HISTORY..]) {
                history.clear();
            }
            Outcome { force: DVec3::ZERO, energy: 0.0, slides: false }
        });
        let work = -0.5 * (force0 + outcome.force).dot(k.slip.into());
        let stored = outcome.energy - energy0;
        TangentialResponse {
            force: outcome.force.into(),
            loaded,
            slides: outcome.slides,
            stored,
            friction: work - stored,
            viscous: 0.0,
        }
    }
}
