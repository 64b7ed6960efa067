//! All contacts of a world, visited one by one and summed.

use dem_contact::contact_forces::ContactView;
use dem_contact::geometry::StepContext;
use dem_core::contact_list::PartnerKind;
use dem_core::exact_sum::in_blocks;
use dem_core::lanes::Width;
use rayon::prelude::*;

use super::world::{ContactCount, World};

impl World {
    /// Whether a contact counts here: each does in one part of the assembly, where its first body is owned.
    #[inline]
    pub fn counts(&self, contact: &ContactView) -> bool {
        contact.first < self.particles.owned()
    }

    /// Calls `visit` for every contact that counts here and touches or is within the range of its law, in the order of the list of each law.
    pub(crate) fn each_contact(&self, visit: &mut dyn FnMut(&ContactView)) {
        let context = self.context();
        for kernel in &self.kernels {
            kernel.visit(&self.list, &context, &mut |c| {
                if self.counts(c) {
                    visit(c);
                }
            });
        }
    }

    /// Calls `visit` for every contact that counts here and touches or is within the range of its law, in an order that follows the slots: for
    /// what does not depend on the order. Sums do; they come from [`Self::sum_over_contacts`].
    pub fn visit_contacts(&self, visit: &mut dyn FnMut(&ContactView)) {
        self.visit_contacts_at(|at| at, visit);
    }

    /// The same in order of keys; `order` has the slots in order of ids.
    pub fn visit_contacts_in_order(&self, order: &[u32], visit: &mut dyn FnMut(&ContactView)) {
        self.visit_contacts_at(|at| order[at] as usize, visit);
    }

    /// The same in the order of some permutation of the slots.
    fn visit_contacts_at(&self, slot: impl Fn(usize) -> usize + Sync, visit: &mut dyn FnMut(&ContactView)) {
        /// Slots per unit of parallel work.
        const BLOCK: usize = 128;
        /// Slots whose contacts are kept at a time: as few as keep many cores busy.
        const KEPT: usize = 64 * BLOCK;
        let (context, count) = (self.context(), self.particles.owned());
        let mut found: Vec<Vec<ContactView>> = Vec::new();
        for start in (0..count).step_by(KEPT) {
            let end = (start + KEPT).min(count);
            let blocks = (start..end).into_par_iter().step_by(BLOCK);
            let slots = |first: usize| (first..(first + BLOCK).min(end)).map(&slot);
            blocks.map(|first| self.contacts_of(slots(first), &context)).collect_into_vec(&mut found);
            found.iter().flatten().for_each(&mut *visit);
        }
    }

    /// A contact by its candidate, if it touches or is within the range of its law; `record` takes its history.
    pub(crate) fn view(&self, candidate: usize, context: &StepContext, record: &mut Vec<f64>) -> Option<ContactView> {
        let segment = self.list.segment_of(candidate)?;
        self.kernels[segment.law].view(&self.list, segment, candidate, context, record)
    }

    /// Contacts of some slots as first bodies.
    fn contacts_of(&self, slots: impl Iterator<Item = usize>, context: &StepContext) -> Vec<ContactView> {
        let mut found = Vec::new();
        self.visit_contacts_of(slots, context, &mut |c| found.push(*c));
        found
    }

    fn visit_contacts_of(
        &self,
        slots: impl Iterator<Item = usize>,
        context: &StepContext,
        visit: &mut impl FnMut(&ContactView),
    ) {
        let mut record = Vec::new();
        for slot in slots {
            for candidate in self.list.candidates_as_first(slot) {
                if let Some(c) = self.view(candidate, context, &mut record) {
                    visit(&c);
                }
            }
        }
    }

    /// Sums of N numbers of every contact that touches or is within the range of its law, in all parts of the assembly, each that of the real
    /// numbers, rounded once: in whatever order contacts lie.
    pub fn sum_over_contacts<const N: usize>(&self, terms: impl Fn(&ContactView) -> [f64; N] + Sync) -> [f64; N] {
        let context = self.context();
        let own = in_blocks(self.particles.owned(), Width::fastest(), &|slots, sum| {
            self.visit_contacts_of(slots, &context, &mut |c| sum.add(terms(c)));
        });
        self.whole.sums(own)
    }
}

impl World {
    /// Number of contacts with a positive overlap.
    pub fn contact_count(&self) -> ContactCount {
        let mut count = ContactCount::default();
        let context = self.context();
        for kernel in &self.kernels {
            if kernel.range() == 0.0 && self.particles.ghosts() == 0 {
                count.pairs += kernel.within_range(PartnerKind::Particle);
                count.walls += kernel.within_range(PartnerKind::Wall);
                continue;
            }
            kernel.visit(&self.list, &context, &mut |c| {
                let touches = usize::from(c.touches && self.counts(c));
                match c.key.kind {
                    PartnerKind::Particle => count.pairs += touches,
                    PartnerKind::Wall => count.walls += touches,
                }
            });
        }
        ContactCount { pairs: self.whole.count(count.pairs), walls: self.whole.count(count.walls) }
    }
}
