//! From one step to the next: the correction and the prediction that follows it in one pass, where nobody looks at the state in between.
//!
//! The arithmetic is that of both; what the first leaves to the second stays in registers. Only contacts and uniform gravity act.

use dem_contact::sums::{ForceColumns, GROUP, GroupSums};
use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Real};
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
        .map(|(block, mover)| width.run(Transition { gravity, contacts, first: block * BLOCK, mover }))
        .reduce(|| (Predicted::NOTHING, true), |a, b| (a.0.and(b.0), a.1 && b.1))
}

struct Transition<'a> {
    gravity: DVec3,
    contacts: ForceColumns<'a>,
    /// Slot of the first particle.
    first: usize,
    mover: Mover<'a>,
}

impl LaneTask for Transition<'_> {
    type Output = (Predicted, bool);

    #[inline(always)]
    fn run<R: Real>(mut self) -> (Predicted, bool) {
        let mut finite = true;
        let mut all = Moves::<R>::nothing();
        let mut predicted = Predicted::NOTHING;
        let (contacts, mut sums) = (self.contacts, GroupSums::default());
        for start in (0..self.mover.count()).step_by(GROUP) {
            let count = GROUP.min(self.mover.count() - start);
            let GroupSums(sums) = contacts.sums_of_group::<R>((self.first + start) / GROUP, &mut sums);
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
    fn advance<R: Real>(&mut self, at: usize, sums: &[[f64; 8]]) -> (Moves<R>, bool) {
        let mover = &mut self.mover;
        let loads = plain_loads(self.gravity, R::next(mover.mass, at), sums);
        let (state, finite) = corrected::<R>(0.5 * mover.dt, &mut mover.finished(), at, loads);
        (mover.move_on(at, &state), finite)
    }
}
