//! What the evaluation of forces is made of, and its input on the motion of particles.

use dem_broadphase::{Automatic, Broadphase, Skin};
use dem_contact::contact_forces::SweepPolicy;
use dem_contact::fused_integration::Course;
use dem_contact::sweep::SweepMemory;
use dem_core::DVec3;
use dem_core::affine::AffineStep;
use dem_core::history::WorkSum;
use dem_core::lanes::Width;

use super::displacement_bound::DisplacementBound;
use super::ranks_of_forces::Ranks;
use super::wall_loads::WallLoads;
use crate::environment::memory;
use crate::environment::timing::{Phase, PhaseClock};
use crate::fields::motion::Load;

/// Slots per unit of parallel work.
pub const BLOCK: usize = 512;

/// What must hold at the end of a step for the next one to be fused with it (correction and next prediction in one
/// pass, the state between them unobserved).
#[derive(Clone, Copy, Debug)]
pub struct StepFusionLimits {
    /// The contact list was not rebuilt since: so many rebuilds.
    pub rebuilds: u64,
    /// No particle has moved so far \[m\].
    pub clearance: f64,
    /// No overlap is larger, in proportion to the smaller radius \[-\].
    pub overlap_ratio: f64,
}

/// Scratch and policy of the force evaluation.
pub struct ForceEvaluation {
    pub(super) broadphase: Box<dyn Broadphase>,
    pub(super) skin: Skin,
    pub(super) margin: f64,
    pub(super) forced_margin: Option<f64>,
    /// Most pairs of a contact list: as many as there is memory for. Results do not depend on it, unless a step needs more.
    pub most_pairs: usize,
    pub(super) stale: bool,
    pub(super) last_rebuild: u64,
    /// The rebuild that is to reorder the slots.
    pub(super) next_reordering: u64,
    /// Whether an integrator keeps something by slots from one evaluation to the next.
    pub(super) slots_are_held: bool,
    pub(super) displacement: DisplacementBound,
    /// Displacement of every particle per step on the path that the selection of near pairs predicts, rounded \[m\];
    /// empty if it predicts none.
    pub(super) course: Vec<Course>,
    /// Bound of the distance of any particle from any wall's reference point until the next rebuild \[m\].
    pub(super) reach: f64,
    /// Whether the forces of pairs are not read after the next evaluation, only sums, contacts with walls and
    /// histories: in large assemblies they are not stored then.
    pub is_unseen: bool,
    /// Limits under which the step after the next evaluation may be fused, if the state between both is not read and
    /// nothing acts on it.
    pub fusion_limits: Option<StepFusionLimits>,
    /// Number of fused steps, begun together with the end of the one before.
    pub begun_early: u64,
    /// How the pass over contacts is cut, and from which size on sums of particles are taken within it. Results do not depend on it.
    pub sweep_policy: SweepPolicy,
    /// SIMD width, the contacts computed at once: the fastest that the processor offers. Results do not depend on it.
    pub width: Width,
    /// Rebuilds of the contact list so far.
    pub rebuilds: u64,
    /// Takes the time of the phases of steps, if there is one.
    pub clock: Option<PhaseClock>,
    /// Force of the last [`Self::evaluate`] \[N\].
    pub force: Vec<DVec3>,
    /// Torque of the last [`Self::evaluate`] \[N m\].
    pub torque: Vec<DVec3>,
    pub(super) field_work: Vec<f64>,
    /// Id of a particle whose Rodrigues vector has come to half a turn, where that stops a run.
    pub(crate) at_half_turn: Option<u64>,
    /// Loads on rigid bodies of the last evaluation.
    pub(crate) body_loads: Vec<Load>,
    /// Whether every force and torque of the last evaluation is finite.
    pub is_finite: bool,
    /// Whether the overlaps at the end of the last evaluation are those of the present particles and walls, but for their motion since.
    pub(super) overlaps_are_known: bool,
    pub(super) wall_loads: WallLoads,
    /// Works of contacts that have ended in this part and are not booked yet, by evaluations and laws.
    pub(super) ended: Vec<WorkSum>,
    /// Memory for passes over contacts.
    pub(super) sweep_memory: SweepMemory,
    /// The other ranks, if there are any.
    pub(crate) ranks: Option<Box<Ranks>>,
}

impl Default for ForceEvaluation {
    fn default() -> Self {
        Self::new(Box::new(Automatic::default()), None)
    }
}

impl ForceEvaluation {
    /// Evaluation with a broadphase; `margin` \[m\] fixes the skin, which is no wider than the largest diameter, otherwise it follows the motion.
    pub fn new(broadphase: Box<dyn Broadphase>, margin: Option<f64>) -> Self {
        Self {
            broadphase,
            skin: Skin::default(),
            margin: 0.0,
            forced_margin: margin,
            most_pairs: memory::most_pairs(),
            stale: true,
            last_rebuild: 0,
            next_reordering: 0,
            slots_are_held: false,
            displacement: DisplacementBound::default(),
            course: Vec::new(),
            reach: 0.0,
            is_unseen: false,
            fusion_limits: None,
            begun_early: 0,
            sweep_policy: SweepPolicy::default(),
            width: Width::fastest(),
            rebuilds: 0,
            clock: None,
            force: Vec::new(),
            torque: Vec::new(),
            field_work: Vec::new(),
            at_half_turn: None,
            body_loads: Vec::new(),
            is_finite: true,
            overlaps_are_known: false,
            wall_loads: WallLoads::default(),
            ended: Vec::new(),
            sweep_memory: SweepMemory::default(),
            ranks: None,
        }
    }

    /// Name of the broadphase in use.
    pub fn broadphase(&self) -> &'static str {
        self.broadphase.key()
    }

    /// Must be called when particles or walls were added, removed or moved by anything but an integrator.
    pub fn invalidate(&mut self) {
        self.stale = true;
        self.overlaps_are_known = false;
    }

    /// May be called by an integrator that has moved the particles: none by more than `distance` \[m\]. Bounds since the evaluation before
    /// add up. Spares passes over all particles.
    pub fn bound_displacement(&mut self, distance: f64) {
        self.displacement.bound_next(distance);
    }

    /// Displacement of each of some number of particles per step on the path that the selection of near pairs predicts,
    /// rounded \[m\], if it predicts any.
    pub fn course(&self, particles: usize) -> Option<&[Course]> {
        let holds = !self.stale && particles > 0 && self.course.len() == particles;
        holds.then_some(&self.course)
    }

    /// May be called instead of [`Self::bound_displacement`] by an integrator that has moved the particles by one step:
    /// none by more than `distance` \[m\], and none off its predicted path ([`Self::course`]), if there was one, by
    /// more than `deviation` \[m\].
    pub fn bound_course(&mut self, distance: f64, deviation: Option<f64>) {
        // no predicted displacement is longer than both together; those that particles were selected by are not rounded
        let rounding = |deviation: f64| f64::from(f32::EPSILON) * (distance + deviation);
        self.displacement.bound_course(distance, deviation.map(|deviation| deviation + rounding(deviation)));
    }

    /// The near pairs are selected anew in the next evaluation.
    pub(crate) fn forget_selection(&mut self) {
        self.displacement.forget_selection();
        self.course.clear();
    }

    /// Must be called when the cell has carried all particles along.
    pub fn deform(&mut self, step: &AffineStep) {
        self.skin.deform(step);
        self.displacement.bound_strain(step.strain());
    }

    /// Tells the clock, if there is one, that a phase is over.
    pub fn lap(&mut self, phase: Phase) {
        if let Some(clock) = &mut self.clock {
            clock.lap(phase);
        }
    }
}
