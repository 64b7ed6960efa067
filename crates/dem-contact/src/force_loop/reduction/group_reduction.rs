//! Takes the sums of groups of particles within the pass over contacts, as soon as all contacts of a group are
//! computed, or lets an integrator advance its particles.

use std::ops::Range;

use dem_core::lanes::{Stretch, TurnColumn, Width};

use crate::force_loop::reduction::fused_integration::FusedUpdate;
use crate::force_loop::reduction::incidence::{GROUP, Incidence};
use crate::force_loop::reduction::sums::{ForceColumns, GroupSums, SumGroups};
use crate::force_loop::sweep::schedule::ReductionPlan;

/// Contiguous ranges of memory that sums of groups need: terms and sums, or terms and what integrators change.
pub(crate) const STRETCHES_OF_SUMS: usize = 5;

/// What is done with the sums of a group.
pub(crate) enum Target<'a> {
    /// They are kept.
    Sums(TurnColumn<'a, GroupSums>),
    /// An integrator takes them, and advances the particles.
    Integrator(&'a FusedUpdate<'a>),
}

/// The reduction during a pass.
pub(crate) struct Reduction<'a> {
    pub plan: &'a ReductionPlan,
    pub incidence: &'a Incidence,
    pub target: Target<'a>,
    /// Whether wrenches of later sums are prefetched.
    pub asks_ahead: bool,
    pub width: Width,
}

impl Reduction<'_> {
    /// What the sums need that are taken after a turn, as a rule.
    pub fn needed(&self, turn: usize) -> [Stretch<'_>; STRETCHES_OF_SUMS] {
        let groups = self.plan.ready(turn);
        let incidence = self.incidence;
        let slots = groups.start * GROUP..(groups.end * GROUP).min(incidence.slots());
        let mut needed = [Stretch::default(); STRETCHES_OF_SUMS];
        if !slots.is_empty() {
            needed[0] = incidence.of_groups(groups.clone()).into();
            match &self.target {
                Target::Integrator(finishing) => needed[1..].copy_from_slice(&finishing.needed(slots)),
                Target::Sums(sums) => needed[1] = sums.stretch(groups),
            }
        }
        needed
    }

    /// Takes the sums of all groups of which the contacts of a turn were the last to be computed.
    pub fn close(&self, turn: usize, columns: ForceColumns) {
        for &group in self.plan.passed(turn) {
            if self.plan.leave(group as usize) {
                self.finish(group as usize..group as usize + 1, columns);
            }
        }
        let ready = self.plan.ready(turn);
        let mut first = ready.start;
        for group in ready.clone() {
            if !self.plan.leave(group) {
                self.finish(first..group, columns);
                first = group + 1;
            }
        }
        self.finish(first..ready.end, columns);
    }

    /// Takes the sums of complete groups that follow each other.
    fn finish(&self, groups: Range<usize>, columns: ForceColumns) {
        if groups.is_empty() {
            return;
        }
        match &self.target {
            #[expect(unsafe_code, reason = "the groups' turn has come")]
            // SAFETY: all blocks that have contacts of these groups, or of the particle before the first one, are done
            // with them, and a group is finished once in a pass, by the thread that found itself to be the last one
            Target::Integrator(finishing) => unsafe { finishing.finish(groups, columns) },
            Target::Sums(sums) => {
                #[expect(unsafe_code, reason = "the groups' turn has come")]
                // SAFETY: as above, and no thread reads sums meanwhile
                let load = unsafe { sums.part(groups.clone()) };
                self.width.run(SumGroups { columns, first: groups.start, load });
            }
        }
    }
}
