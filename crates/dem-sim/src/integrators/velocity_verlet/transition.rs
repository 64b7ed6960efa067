//! Fused steps: the correction and the prediction that follows it in one pass, where the state in between is not read.
//!
//! The arithmetic is that of both; what the first leaves to the second stays in registers. In large assemblies
//! particles are advanced as soon as all their contacts are computed ([`EarlyTransition`]), otherwise when all contacts
//! are.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dem_contact::fused_integration::{FusedIntegration, ParticleBlock};
use dem_contact::sums::{ForceColumns, GROUP, GroupSums};
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Lanes, Width};
use rayon::prelude::*;

use super::correction::corrected;
use super::prediction::{Mover, Moves, Predicted};
use crate::forces::components::{BLOCK, ForceEvaluation};
use crate::state::other_loads::OtherLoads;
use crate::state::world::World;

/// Corrects all particles, taking the sums of forces in the same pass, and predicts the next step, which is as long.
/// Returns what the prediction has found, and whether the loads are finite.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
pub(super) fn correct_and_predict(
    world: &mut World,
    others: &OtherLoads,
    evaluation: &ForceEvaluation,
) -> (Predicted, bool) {
    let follow = world.quaternions_follow();
    let World { particles, forces, cell, time_step, .. } = world;
    let (course, width) = (evaluation.course(particles.len()), evaluation.width);
    let contacts = forces.columns();
    Mover::all(particles, follow, cell, *time_step, course)
        .enumerate()
        .map(|(block, (mover, dissipation))| {
            Transition { others, contacts, first: block * (BLOCK / GROUP), mover, dissipation }.run_by(width)
        })
        .reduce(|| (Predicted::NOTHING, true), |a, b| (a.0.and(b.0), a.1 && b.1))
}

struct Transition<'a> {
    others: &'a OtherLoads<'a>,
    contacts: ForceColumns<'a>,
    /// The first group.
    first: usize,
    mover: Mover<'a>,
    dissipation: &'a mut [f64],
}

/// The same by lanes, `PLAIN` if contacts and uniform gravity are all: whatever else may act costs nothing then.
struct TransitionInLanes<'a, const PLAIN: bool>(Transition<'a>);

impl<const PLAIN: bool> LaneTask for TransitionInLanes<'_, PLAIN> {
    type Output = (Predicted, bool);

    #[inline(always)]
    fn run<R: Lanes>(self) -> (Predicted, bool) {
        let Self(mut these) = self;
        let mut finite = true;
        let mut all = Moves::<R>::nothing();
        let mut predicted = Predicted::NOTHING;
        let (contacts, mut sums) = (these.contacts, GroupSums::default());
        for (group, start) in (these.first..).zip((0..these.mover.count()).step_by(GROUP)) {
            let count = GROUP.min(these.mover.count() - start);
            let GroupSums(sums) = contacts.sums_of_group::<R>(group, &mut sums);
            let whole = count / R::LANES * R::LANES;
            for at in (0..whole).step_by(R::LANES) {
                let (moves, are_finite) = these.advance::<R, PLAIN>(start + at, &sums[at..]);
                all = all.and(moves);
                finite &= are_finite;
            }
            for at in whole..count {
                let (moves, are_finite) = these.advance::<f64, PLAIN>(start + at, &sums[at..]);
                predicted = predicted.and(moves.predicted());
                finite &= are_finite;
            }
        }
        (predicted.and(all.predicted()), finite)
    }
}

impl Transition<'_> {
    fn run_by(self, width: Width) -> (Predicted, bool) {
        if self.others.are_plain() {
            width.run(TransitionInLanes::<true>(self))
        } else {
            width.run(TransitionInLanes::<false>(self))
        }
    }

    #[inline(always)]
    fn advance<R: Lanes, const PLAIN: bool>(&mut self, at: usize, sums: &[[f64; 8]]) -> (Moves<R>, bool) {
        let mover = &mut self.mover;
        let loads = mover.motions().loads::<R, PLAIN>(self.others, self.first * GROUP, at, sums, self.dissipation);
        let (state, finite) = corrected::<R>(0.5 * mover.dt, &mut mover.corrected(), at, loads);
        (mover.move_on(at, &state), finite)
    }
}

/// Moves particles on as soon as all their contacts are computed: positions go where those of the start of the step were, so that both
/// columns are to be [exchanged](Self::end) when all have been moved.
pub(super) struct EarlyTransition<'a> {
    others: OtherLoads<'a>,
    cell: Cell,
    orientations_follow: bool,
    time_step: f64,
    /// Slots from here on are those of ghosts.
    owned: usize,
    /// Bits of the numbers in [`Predicted`], which are in the same order as these, for none is negative.
    longest_squared: AtomicU64,
    deviation_squared: AtomicU64,
    are_places_finite: AtomicBool,
    are_loads_finite: AtomicBool,
}

impl<'a> EarlyTransition<'a> {
    pub fn new(world: &World, others: OtherLoads<'a>) -> Self {
        Self {
            others,
            cell: world.cell,
            orientations_follow: world.quaternions_follow(),
            time_step: world.time_step,
            owned: world.particles.owned(),
            longest_squared: AtomicU64::new(0),
            deviation_squared: AtomicU64::new(0),
            are_places_finite: AtomicBool::new(true),
            are_loads_finite: AtomicBool::new(true),
        }
    }

    /// Puts the particles where they are, all of which have been moved. Returns what that has found out, and whether the loads are finite.
    pub fn end(self, world: &mut World) -> (Predicted, bool) {
        let p = &mut world.particles;
        std::mem::swap(&mut p.position, &mut p.previous_position);
        let predicted = Predicted {
            longest_squared: f64::from_bits(self.longest_squared.into_inner()),
            deviation_squared: f64::from_bits(self.deviation_squared.into_inner()),
            finite: self.are_places_finite.into_inner(),
        };
        (predicted, self.are_loads_finite.into_inner())
    }
}

impl FusedIntegration for EarlyTransition<'_> {
    fn finish(&self, particles: ParticleBlock, first: usize, contacts: ForceColumns, width: Width) {
        let own = self.owned.saturating_sub(first * GROUP);
        let particles = if own < particles.mass.len() { particles.up_to(own) } else { particles };
        let (mover, dissipation) = Mover::of(particles, self.orientations_follow, &self.cell, self.time_step);
        let (predicted, are_loads_finite) =
            Transition { others: &self.others, contacts, first, mover, dissipation }.run_by(width);
        raise(&self.longest_squared, predicted.longest_squared);
        raise(&self.deviation_squared, predicted.deviation_squared);
        if !predicted.finite {
            self.are_places_finite.store(false, Ordering::Relaxed);
        }
        if !are_loads_finite {
            self.are_loads_finite.store(false, Ordering::Relaxed);
        }
    }
}

/// Raises a maximum of numbers that are not negative.
fn raise(maximum: &AtomicU64, number: f64) {
    let bits = number.to_bits();
    // mostly not larger, and to check is cheaper
    if bits > maximum.load(Ordering::Relaxed) {
        maximum.fetch_max(bits, Ordering::Relaxed);
    }
}
