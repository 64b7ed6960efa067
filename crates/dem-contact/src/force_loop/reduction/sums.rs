//! Sums of the wrenches of particles.

use bytemuck::{Pod, Zeroable};
use dem_core::lanes::{LaneTask, Lanes, LineColumn, Run, Term, VectorColumn};

pub use crate::force_loop::reduction::incidence::GROUP;
use crate::force_loop::reduction::incidence::Incidence;

/// Prefetch distance of wrenches, in terms: some particles.
const AHEAD: usize = 64;
/// Wrenches that fill a large part of the L2 cache, half a megabyte; prefetching costs something where they are in
/// cache.
pub(crate) const MANY: usize = 1 << 13;

/// Force and torque of the contacts of the particles of a group: three numbers each and one of padding, a cache line
/// per particle.
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
}

impl LaneTask for SumGroups<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { columns, first, load } = self;
        for (k, load) in load.iter_mut().enumerate() {
            columns.sum::<R>(first + k, &[], &mut load.0);
        }
    }
}

/// The columns that the sums of particles read.
#[derive(Clone, Copy, Debug)]
pub struct ForceColumns<'a> {
    pub(crate) incidence: &'a Incidence,
    pub(crate) wrench: LineColumn<'a>,
    pub(crate) couple: VectorColumn<'a>,
    /// Sums, if they have been taken.
    pub(crate) load: &'a [GroupSums],
    /// Whether wrenches may have been evicted from the caches, so that they are prefetched before they are summed.
    pub(crate) asks_ahead: bool,
}

impl ForceColumns<'_> {
    /// The sums of the contacts of the particles of a group, put into `sums` unless they have been taken before.
    #[inline(always)]
    pub fn sums_of_group<'b, R: Lanes>(&'b self, group: usize, sums: &'b mut GroupSums) -> &'b GroupSums {
        if let Some(load) = self.load.get(group) {
            return load;
        }
        let ahead = if self.asks_ahead { self.incidence.after(group, AHEAD) } else { &[] };
        self.sum::<R>(group, ahead, &mut sums.0);
        sums
    }

    /// Force and torque of the contacts of the particle in a slot: three numbers each and one of padding.
    #[inline]
    pub fn sum_of(&self, slot: usize) -> [f64; 8] {
        if let Some(load) = self.load.get(slot / GROUP) {
            return load.0[slot % GROUP];
        }
        let mut sum = [0.0; 8];
        let terms = self.incidence.of(slot);
        self.sum_terms::<f64>((terms, &[Run::new(terms.len(), 0)]), &[], std::slice::from_mut(&mut sum));
        sum
    }

    #[inline(always)]
    fn sum<R: Lanes>(&self, group: usize, ahead: &[Term], sums: &mut [[f64; 8]]) {
        self.sum_terms::<R>(self.incidence.of_group(group), ahead, sums);
    }

    #[inline(always)]
    fn sum_terms<R: Lanes>(&self, (terms, runs): (&[Term], &[Run]), ahead: &[Term], sums: &mut [[f64; 8]]) {
        R::sum_rows(self.wrench, terms, runs, ahead, sums);
        if !self.couple.is_empty() {
            self.add_couples(terms, runs, sums);
        }
    }

    #[inline(never)]
    fn add_couples(&self, terms: &[Term], runs: &[Run], sums: &mut [[f64; 8]]) {
        let mut terms = terms.iter();
        for run in runs {
            let sum = &mut sums[run.sum()];
            for term in terms.by_ref().take(run.terms()) {
                let couple = self.couple.get(term.place());
                for k in 0..3 {
                    sum[4 + k] += if term.side() == 0 { couple[k] } else { -couple[k] };
                }
            }
        }
    }
}
