//! From one step to the next: the correction and the prediction that follows it in one pass, where nobody looks at the state in between.
//!
//! The arithmetic is that of both; what the first leaves to the second stays in registers. Only contacts and uniform gravity act. In large
//! assemblies particles go on as soon as all their contacts are computed ([`EarlyTransition`]), otherwise when all contacts are.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dem_contact::finish::{Finish, Finished};
use dem_contact::sums::{ForceColumns, GROUP, GroupSums};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Lanes, Width};
use rayon::prelude::*;

use super::correction::{corrected, plain_loads};
use super::prediction::{Mover, Moves, Predicted};
use crate::forces::{BLOCK, ForceEvaluation};
use crate::world::World;

/// Corrects all particles with the sums of forces taken on the way, and moves them on by the next step, which is as long. Returns what that
/// has found out, and whether the loads are finite.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
pub(super) fn correct_and_predict(
    world: &mut World,
    gravity: DVec3,
    evaluation: &ForceEvaluation,
) -> (Predicted, bool) {
    let World { particles, forces, cell, orientations_follow, time_step, .. } = world;
    let (course, width) = (evaluation.course(particles.len()), evaluation.width);
    let contacts = forces.columns();
    Mover::all(particles, *orientations_follow, cell, *time_step, course)
        .enumerate()
        .map(|(block, mover)| width.run(Transition { gravity, contacts, first: block * (BLOCK / GROUP), mover }))
        .reduce(|| (Predicted::NOTHING, true), |a, b| (a.0.and(b.0), a.1 && b.1))
}

struct Transition<'a> {
    gravity: DVec3,
    contacts: ForceColumns<'a>,
    /// The first group.
    first: usize,
    mover: Mover<'a>,
}

impl LaneTask for Transition<'_> {
    type Output = (Predicted, bool);

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> (Predicted, bool) {
        let mut finite = true;
        let mut all = Moves::<R>::nothing();
        let mut predicted = Predicted::NOTHING;
        let (contacts, mut sums) = (self.contacts, GroupSums::default());
        for (group, start) in (self.first..).zip((0..self.mover.count()).step_by(GROUP)) {
            let count = GROUP.min(self.mover.count() - start);
            let GroupSums(sums) = contacts.sums_of_group::<R>(group, &mut sums);
            let whole = count / R::LANES * R::LANES;
            for at in (0..whole).step_by(R::LANES) {
                let (moves, are_finite) = self.advance::<R>(start + at, &sums[at..]);
                all = all.and(moves);
                finite &= are_finite;
            }
            for at in whole..count {
                let (moves, are_finite) = self.advance::<f64>(start + at, &sums[at..]);
                predicted = predicted.and(moves.predicted());
                finite &= are_finite;
            }
        }
        (predicted.and(all.predicted()), finite)
    }
}

impl Transition<'_> {
    #[inline(always)]
    fn advance<R: Lanes>(&mut self, at: usize, sums: &[[f64; 8]]) -> (Moves<R>, bool) {
        let mover = &mut self.mover;
        let loads = plain_loads(self.gravity, R::next(mover.mass, at), sums);
        let (state, finite) = corrected::<R>(0.5 * mover.dt, &mut mover.corrected(), at, loads);
        (mover.move_on(at, &state), finite)
    }
}

/// Moves particles on as soon as all their contacts are computed: positions go where those of the start of the step were, so that both
/// columns are to be [exchanged](Self::end) when all have been moved.
pub(super) struct EarlyTransition {
    gravity: DVec3,
    cell: Cell,
    orientations_follow: bool,
    time_step: f64,
    /// Bits of the numbers in [`Predicted`], which are in the same order as these, for none is negative.
    longest_squared: AtomicU64,
    deviation_squared: AtomicU64,
    are_places_finite: AtomicBool,
    are_loads_finite: AtomicBool,
}

impl EarlyTransition {
    pub fn new(world: &World, gravity: DVec3) -> Self {
        Self {
            gravity,
            cell: world.cell,
            orientations_follow: world.orientations_follow,
            time_step: world.time_step,
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

impl Finish for EarlyTransition {
    fn finish(&self, particles: Finished, first: usize, contacts: ForceColumns, width: Width) {
        let mover = Mover::of(particles, self.orientations_follow, &self.cell, self.time_step);
        let (predicted, are_loads_finite) = width.run(Transition { gravity: self.gravity, contacts, first, mover });
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
    // mostly not larger, and to look is cheaper
    if bits > maximum.load(Ordering::Relaxed) {
        maximum.fetch_max(bits, Ordering::Relaxed);
    }
}
