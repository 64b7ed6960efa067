//! Sums of the wrenches of particles.

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Real, Term, Width};

use crate::finish::Finishing;
pub use crate::incidence::GROUP;
use crate::incidence::Incidence;
use crate::wrench::Wrench;

/// Terms by which wrenches are asked for before they are read: some particles.
const AHEAD: usize = 64;
/// Wrenches that fill a good part of the second level of caches, half a megabyte; asking costs something where they are at hand.
const MANY: usize = 1 << 13;

/// Force and torque of the contacts of the particles of a group: three numbers each and one that means nothing, a line of the processor's
/// cache per particle.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct GroupSums(pub [[f64; 8]; GROUP]);

impl Default for GroupSums {
    fn default() -> Self {
        Self([[0.0; 8]; GROUP])
    }
}

/// Takes the sums of some groups of particles.
pub(crate) struct SumGroups<'a> {
    pub columns: ForceColumns<'a>,
    /// Number of the first group.
    pub first: usize,
    pub load: &'a mut [GroupSums],
    /// Groups that are left out.
    pub late: &'a [bool],
}

impl LaneTask for SumGroups<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Real>(self) {
        let Self { columns, first, load, late } = self;
        for (k, load) in load.iter_mut().enumerate().filter(|&(k, _)| !late.get(k).is_some_and(|&late| late)) {
            let slot = (first + k) * GROUP;
            let count = GROUP.min(columns.incidence.slots() - slot);
            columns.sum::<R>(columns.incidence.of(slot, count), &[], &mut load.0);
        }
    }
}

/// The columns that the sums of particles read.
#[derive(Clone, Copy, Debug)]
pub struct ForceColumns<'a> {
    pub(crate) incidence: &'a Incidence,
    pub(crate) wrench: &'a [Wrench],
    pub(crate) couple: &'a [DVec3],
    /// Sums, if they have been taken.
    pub(crate) load: &'a [GroupSums],
}

impl ForceColumns<'_> {
    /// The sums of the contacts of `count` particles from slot `first` on, put into `sums` unless they have been taken before. They belong
    /// to one [`GROUP`].
    #[inline(always)]
    pub fn sums_of_group<'b, R: Real>(&'b self, first: usize, count: usize, sums: &'b mut GroupSums) -> &'b [[f64; 8]] {
        if let Some(load) = self.load.get(first / GROUP) {
            return &load.0[first % GROUP..][..count];
        }
        self.sum_group::<R>(first, count, sums);
        &sums.0[..count]
    }

    #[inline(always)]
    fn sum_group<R: Real>(&self, first: usize, count: usize, sums: &mut GroupSums) {
        let terms = self.incidence.of(first, count);
        let ahead = if self.wrench.len() < MANY { &[] } else { self.incidence.after(first, AHEAD) };
        self.sum::<R>(terms, ahead, &mut sums.0);
    }

    /// Takes the sums of a group and lets an integrator go on with its particles.
    ///
    /// # Safety
    /// All contacts of the particles of the group and of the one before its first are computed, and nobody else finishes the group.
    #[expect(unsafe_code, reason = "changes particles while others are read")]
    pub(crate) unsafe fn finish_group(self, group: usize, finishing: &Finishing, width: Width) {
        let slots = group * GROUP..((group + 1) * GROUP).min(self.incidence.slots());
        let mut sums = GroupSums::default();
        width.run(SumGroups { columns: self, first: group, load: std::slice::from_mut(&mut sums), late: &[] });
        // SAFETY: the caller's promise
        unsafe { finishing.finish(slots.clone(), &sums.0[..slots.len()]) }
    }

    /// Force and torque of the contacts of the particle in a slot: three numbers each and one that means nothing.
    #[inline]
    pub fn sum_of(&self, slot: usize) -> [f64; 8] {
        if let Some(load) = self.load.get(slot / GROUP) {
            return load.0[slot % GROUP];
        }
        let mut sum = [0.0; 8];
        self.sum::<f64>(self.incidence.of(slot, 1), &[], std::slice::from_mut(&mut sum));
        sum
    }

    #[inline(always)]
    fn sum<R: Real>(&self, terms: &[Term], ahead: &[Term], sums: &mut [[f64; 8]]) {
        R::sum_rows(bytemuck::cast_slice(self.wrench), terms, ahead, sums);
        if !self.couple.is_empty() {
            self.add_couples(terms, sums);
        }
    }

    #[inline(never)]
    fn add_couples(&self, terms: &[Term], sums: &mut [[f64; 8]]) {
        for (run, sum) in terms.chunk_by(|_, next| next.continues()).zip(sums) {
            for term in run {
                // that of a particle without contacts is behind the last
                let couple = self.couple.get(term.place()).copied().unwrap_or(DVec3::ZERO);
                for k in 0..3 {
                    sum[4 + k] += if term.side() == 0 { couple[k] } else { -couple[k] };
                }
            }
        }
    }
}
