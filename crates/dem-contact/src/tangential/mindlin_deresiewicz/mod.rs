//! Mindlin and Deresiewicz: micro-slip that spreads from the edge of the contact area inwards, with the whole loading history.
//!
//! | symbol | meaning |
//! |---|---|
//! | E*, G* | effective moduli, `1/E* = Σ(1−ν²)/E`, `1/G* = Σ(2−ν)/G` |
//! | a = √(r* δ), k_t = 8 G* a | contact radius, stiffness of full stick |
//! | N | normal force, dashpot included |
//! | x | slip |
//!
//! At constant N, `T = μN (1 − (1 − 2 k_t x/(3 μN))^(3/2))` on first loading and `T = T* − 2μN (1 − (1 − k_t x/(3 μN))^(3/2))` from a turning
//! point T*; loops that close are forgotten. [`loading_history`] has the algorithm for varying N.
//!
//! Sources: R. D. Mindlin, H. Deresiewicz, J. Appl. Mech. 20 (1953) 327; displacement-driven form of A. Di Renzo, F. P. Di Maio,
//! Chem. Eng. Sci. 59 (2004) 525, Eqs. 9–26.
//!
//! # Departures and choices
//! - Sub-steps follow the closed curves, not their tangents (Eqs. 21, 24, 26); `travel = "tangent"` is the published form, fitted growth
//!   included.
//! - With decreasing N the branch is chosen by the displacement that is left after the transport by the normal force. By
//!   the sign of the displacement itself, as printed, a contact that slides while it springs back would be taken to unload.
//! - Transport takes the displacement `μ ΔN/k̄` with k̄ the mean stiffness of the step, not the one at its end. Then the law is exact
//!   for steps of any size along which overlap and slip are proportional.
//! - Turning points that a shrinking contact area reaches are erased within the step; the printed rules keep them.
//! - N is the total normal force: the friction limit μN, the size of the curves and their transport follow it, dashpot
//!   included, so that the force has no jump and `|T| ≤ μN` always; k_t follows the overlap.
//! - The publications are for slip on a straight line. A contact whose slip leaves it continues with the same state in
//!   vectors, [`plane_history`]: force and work are continuous in the slip across, and have a limit for short steps.
//!   There is no axis that follows the force, which would swing round with the whole history where the force passes
//!   zero. On curved paths it is an approximation: the distance from the foundation of springs `mdr` is 0.05 μN in the
//!   mean of a typical random path in the plane, and up to 0.4 μN at its worst point
//!   (`random_plane_paths_keep_a_bounded_distance_from_the_foundation`). `travel = "tangent"` is for straight lines;
//!   off them the law follows its curve.
//! - A contact that grows faster than it slips, `|x| < μ ΔN/k̄`, sticks: the springs of its new rim take what is left of the slip when they are
//!   touched. [`plane_history`] has such states, and the scalar history goes over to it. The publication moves the force by the
//!   stiffness of full stick likewise, but takes the state to be the simple one with this force (Assumption 3): `fast_growth = "fitted"`. That dissipates
//!   too little in an impact near the normal (e_t 0.838 at 2°, 0.774 of a foundation of springs), and under a normal load that
//!   trembles the force creeps towards zero, because every growth erases what the rim remembers. In the plane it would have to decide
//!   between states, on some paths by the step; off a straight line growth is always exact.

pub mod loading_history;
mod places;
pub mod plane_history;
mod powers;
mod state;

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Lanes, Mask, Real, Vector, array};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::friction::FRICTION;
use crate::tangential::{LaneTangential, TangentialModel, TangentialResponse, respond_alone};
use loading_history::{FEWEST_TURNING_POINTS, Travel};
use places::{ACROSS, CIRCLES, FORCE};
use powers::lowered;
use state::{PlaneStep, State};

/// Micro-slip with loading history.
#[derive(Clone, Copy, Debug)]
pub struct MindlinDeresiewicz {
    young_modulus: f64,
    shear_modulus: f64,
    friction: f64,
    travel: Travel,
    /// Whether a contact on a straight line that grows faster than it slips continues as a simple history.
    fits_growth: bool,
    turning_points: usize,
}

/// Turning points that a contact remembers unless another number is requested; records have room for at least as many.
const USUAL_TURNING_POINTS: usize = 8;
/// Most turning points that a history may have room for.
const MOST_TURNING_POINTS: usize = 64;

/// Numbers of a branch in the record: its circle, and behind all circles its slope.
const OF_A_BRANCH: usize = 3;

/// Numbers of the usual record, and branches in it.
const USUAL_WIDTH: usize = CIRCLES + OF_A_BRANCH * USUAL_BRANCHES;
const USUAL_BRANCHES: usize = USUAL_TURNING_POINTS + 1;
const MOST_BRANCHES: usize = MOST_TURNING_POINTS + 1;

/// Slip across the axis of a straight history is ignored if its force is below this fraction of the limit: round-off.
const STRAIGHT: f64 = 1e-12;

/// A vector of length one, without a root if it nearly is; zero stays zero.
#[inline(always)]
fn unit<R: Lanes>(v: Vector<R>) -> Vector<R> {
    let one = R::constant(1.0);
    let square = v.length_squared();
    let excess = square - one;
    let near = excess.abs().less(R::constant(1e-8));
    let nearly = one - R::constant(0.5) * excess;
    if near.all() {
        return v * nearly;
    }
    let inverse = R::select(square.greater(R::zero()), one / square.sqrt(), R::zero());
    v * R::select(near, nearly, inverse)
}

impl MindlinDeresiewicz {
    /// Overlap at which Hertz's force is `force`: `overlap` itself without a dashpot.
    #[inline(always)]
    fn edge<R: Lanes>(&self, force: R, contact_radius: R, overlap: R) -> R {
        let (zero, one) = (R::zero(), R::constant(1.0));
        let hertz = R::parameter(4.0 / 3.0 * self.young_modulus) * contact_radius * overlap;
        let same = force.at_most(hertz) & hertz.at_most(force);
        let loaded = force.greater(zero) & hertz.greater(zero);
        let differs = loaded & !same;
        let edge = R::select(same | loaded, overlap, zero);
        if differs.any() { R::select(differs, overlap * lowered(differs, force / hertz, one, one), edge) } else { edge }
    }

    /// The force, and the state at the end of the step.
    #[inline(always)]
    fn advance<R: Lanes, const N: usize>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        start: &State<R, N>,
    ) -> (TangentialResponse<R>, State<R, N>) {
        let (zero, one) = (R::zero(), R::constant(1.0));
        let limit = R::parameter(self.friction) * n.limit1.maximum(zero);
        let pressed = limit.greater(zero) & k.overlap1.greater(zero);
        let carried = unit(k.transport.carry(start.axis).reject(k.normal1));
        let mut slip = k.slip;
        // the slip of a step in which the bodies meet counts from when they touch
        let meets = k.overlap0.less(zero);
        if meets.any() {
            let share = R::select(meets, k.overlap1 / (k.overlap1 - k.overlap0), one);
            slip = slip * share;
        }
        let stiffness = R::parameter(8.0 * self.shear_modulus) * n.contact_radius1;
        let unit_force = R::parameter(self.friction * 4.0 / 3.0 * self.young_modulus) * k.effective_radius.sqrt();
        let edge = self.edge(n.force1, n.contact_radius1, k.overlap1);
        let unit_slip = R::constant(1.5) * limit / (stiffness * edge);

        let mut history = start.history;
        let mut axis = carried;
        let remembers = one.at_most(history.branches()) & carried.length_squared().greater(zero);
        if !remembers.all() {
            history.clear(!remembers);
            axis = Vector::select(remembers, axis, unit(slip));
        }
        let loaded = pressed & axis.length_squared().greater(zero);
        let along = slip.dot(axis);
        let noticed = R::constant(STRAIGHT) * limit;
        let bends = ((slip - axis * along) * stiffness).length_squared().greater(noticed * noticed);
        let was_in_plane = remembers & start.in_plane.greater(zero);
        let growth = (edge - start.edge) * unit_slip;
        let mut in_plane = loaded & (bends | was_in_plane);
        if !self.fits_growth {
            in_plane = in_plane | (loaded & along.abs().less(growth));
        }
        history.advance(loaded & !in_plane, start.edge, edge, along / unit_slip, self.travel);

        let mut slides = history.slides();
        let mut load = history.load(edge);
        let (mut force_across, mut slopes) = (zero, start.slopes);
        if in_plane.any() {
            let second = k.normal1.cross(axis);
            let step =
                PlaneStep { edge0: start.edge, edge1: edge, slip: [along, slip.dot(second)].map(|x| x / unit_slip) };
            let after = step.take(in_plane, was_in_plane, &mut history, &mut slopes, self.turning_points + 1);
            slides = (slides & !in_plane) | (after.slides & in_plane);
            load.force = R::select(in_plane, after.force[0], load.force);
            load.energy = R::select(in_plane, after.energy, load.energy);
            force_across = R::select(in_plane, after.force[1] * unit_force, zero);
        }
        let mut opposing = (load.force * unit_force).minimum(limit).maximum(-limit);
        let mut across = Vector::zero();
        if in_plane.any() {
            // no more than round-off
            let square = opposing * opposing + force_across * force_across;
            let exceeds = in_plane & square.greater(limit * limit);
            let share = R::select(exceeds, limit / square.sqrt(), one);
            opposing = R::select(in_plane, opposing * share, opposing);
            across = Vector::select(in_plane, k.normal1.cross(axis) * (force_across * share), across);
        }
        let energy = R::constant(0.75) * unit_force * unit_slip * load.energy;
        // without slip only the size of the contact is remembered, without a load nothing but the count of what was dropped
        history.clear(!loaded);
        let end = State {
            axis: Vector::select(loaded, axis, Vector::zero()),
            opposing: R::select(loaded, opposing, zero),
            across,
            energy: R::select(loaded, energy, zero),
            edge: R::select(pressed, edge, zero),
            in_plane: R::select(in_plane, one, zero),
            history,
            slopes: slopes.map(|slope| slope.map(|x| R::select(in_plane, x, zero))),
        };
        let (mut opposed0, mut opposed1) = (carried * start.opposing, end.axis * end.opposing);
        if was_in_plane.any() {
            let carried_across = k.transport.carry(start.across).reject(k.normal1);
            opposed0 = Vector::select(was_in_plane, opposed0 + carried_across, opposed0);
        }
        if in_plane.any() {
            opposed1 = Vector::select(in_plane, opposed1 + end.across, opposed1);
        }
        let force = -opposed1;
        let work = R::constant(-0.5) * (force - opposed0).dot(k.slip);
        let stored = end.energy - start.energy;
        let response = TangentialResponse {
            force,
            loaded,
            slides: loaded & slides,
            stored,
            friction: work - stored,
            ..TangentialResponse::none()
        };
        (response, end)
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
        let fast_growth = ParameterSpec {
            name: "fast_growth",
            unit: "-",
            meaning: "a contact that grows faster than it slips: exact, or on straight lines a simple history fitted to its force, as published",
            kind: ParameterKind::Choice(&["exact", "fitted"]),
        };
        let turning_points = ParameterSpec {
            name: "turning_points",
            unit: "-",
            meaning: "number of turning points stored per contact, a whole number, 8 bytes each; beyond it the smallest loop is dropped and \
                      counted in the history",
            kind: ParameterKind::Default(
                USUAL_TURNING_POINTS as f64,
                Interval {
                    low: FEWEST_TURNING_POINTS as f64,
                    includes_low: true,
                    high: MOST_TURNING_POINTS as f64,
                    includes_high: true,
                },
            ),
        };
        vec![FRICTION, travel, fast_growth, turning_points]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        if normal_stiffness.is_some() {
            return Err(LawError::new(
                "tangential",
                "= \"mindlin-deresiewicz\", expected with a normal model whose contact area grows with the load",
            ));
        }
        let travel = if parameters.choice("travel") == "tangent" { Travel::Tangent } else { Travel::Exact };
        Ok(Self {
            young_modulus: pair.effective_young_modulus,
            shear_modulus: pair.effective_shear_modulus,
            friction: parameters.number("friction"),
            travel,
            fits_growth: travel == Travel::Tangent || parameters.choice("fast_growth") == "fitted",
            turning_points: parameters.whole_number("turning_points")?,
        })
    }

    fn made_for(&self) -> Option<NormalKind> {
        Some(NormalKind::Hertz)
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, unit, meaning, width| FieldSpec { name, unit, meaning, width, role: FieldRole::State };
        let branches = (self.turning_points + 1).max(USUAL_BRANCHES);
        vec![
            field(
                "axis",
                "-",
                "direction of the first slip, carried with the contact: of the loading history on a straight line",
                3,
            ),
            field("opposing_force", "N", "tangential force on the first body against the axis", 1),
            field("elastic_energy", "J", "elastic energy of the tangential load", 1),
            field("edge", "m", "overlap at which Hertz's force would be the normal force", 1),
            field(
                "branches",
                "-",
                "first loading and turning points remembered; on a straight line negative if the last branch loads against the axis",
                1,
            ),
            field("dropped_loops", "-", "loops of the history dropped because the record was full", 1),
            field("opposing_force_across", "N", "part of the opposing force across the axis, a vector", 3),
            field(
                "in_plane",
                "-",
                "1 once the contact has slipped across the axis or grown faster than it slipped, 0 before",
                1,
            ),
            field(
                "stick_circles",
                "m",
                "overlaps at which the contact area would end at the stick circle of each branch, from the outside in",
                branches,
            ),
            field(
                "slopes",
                "-",
                "direction in which each branch loads, along the axis and across it (normal times axis); 0 on a straight line",
                2 * branches,
            ),
        ]
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        R::parameter(8.0 * self.shear_modulus) * (effective_radius * overlap.maximum(R::zero())).sqrt()
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let stiffness = self.stiffness(effective_radius, overlap);
        let across = DVec3::from_slice(&record[ACROSS..]);
        if stiffness > 0.0 {
            DVec3::from_slice(record) * (record[FORCE] / stiffness) + across / stiffness
        } else {
            DVec3::ZERO
        }
    }

    fn derived(&self) -> Vec<Derived> {
        vec![
            Derived { name: "effective shear modulus G*", value: self.shear_modulus, unit: "Pa" },
            Derived { name: "turning points remembered", value: self.turning_points as f64, unit: "-" },
        ]
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
        if end.len() == USUAL_WIDTH {
            return respond_alone(self, k, n, energy0, start, end);
        }
        let (branches, room) = ((end.len() - CIRCLES) / OF_A_BRANCH, self.turning_points + 1);
        let number = |place: usize| start.get(place).copied().unwrap_or(0.0);
        let before = State::<f64, MOST_BRANCHES>::new(number, branches, room);
        let (response, after) = self.advance(k, n, &before);
        for (place, number) in end.iter_mut().enumerate() {
            *number = after.number(place, branches);
        }
        response
    }
}

impl LaneTangential for MindlinDeresiewicz {
    type Record<R: Real> = [R; USUAL_WIDTH];

    #[inline(always)]
    fn respond_in_lanes<R: Lanes>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        _energy0: R,
        start: &[R; USUAL_WIDTH],
    ) -> (TangentialResponse<R>, [R; USUAL_WIDTH]) {
        let before = State::<R, USUAL_BRANCHES>::new(|place| start[place], USUAL_BRANCHES, self.turning_points + 1);
        let (response, after) = self.advance(k, n, &before);
        (response, array(|place| after.number(place, USUAL_BRANCHES)))
    }
}
