//! Carrying histories and forces over from one contact list to the next.

use std::sync::atomic::{AtomicU32, Ordering};

use dem_core::contact_list::{ContactKey, ContactList, PartnerKind, Segment};
use dem_core::history::{ContactWork, FieldSpec, HistoryStore, RecordPlace};
use rayon::prelude::*;

use crate::force_loop::kernel::segment_state::SegmentState;
use crate::force_loop::reduction::contact_forces::{ContactForces, LoadedList};

/// From a list to another one.
#[derive(Clone, Copy)]
pub(crate) struct Migration<'a> {
    pub old: &'a LoadedList<'a>,
    pub new: &'a ContactList,
    /// New slots of the old ones, `u32::MAX` for particles that are gone.
    pub slot: &'a [u32],
    /// Ids by new slots.
    pub ids: &'a [u64],
    /// Fields of the histories.
    pub fields: &'a [FieldSpec],
    /// Contacts count here whose first body had a lower slot in the old list.
    pub owned: usize,
}

/// A contact that is no longer a candidate.
pub(crate) struct Dropped {
    /// Its work terms.
    pub work: ContactWork,
    /// Its identity and the new slots of its bodies, if both are still there.
    pub contact: Option<(ContactKey, [u32; 2])>,
}

impl Migration<'_> {
    /// Carries over a side; returns the contacts that are no longer candidates, of those that count here, in any order.
    pub fn carry(&self, side: &mut SegmentState, new_forces: &mut ContactForces) -> Vec<Dropped> {
        let (segment, store) = (&side.segment, &side.store);
        let target = self
            .new
            .segments
            .iter()
            .find(|s| (s.law, s.partner, s.materials) == (segment.law, segment.partner, segment.materials));
        let candidates = target.map_or(0, |target| (target.end - target.start) as usize);
        let mut from: Vec<AtomicU32> = Vec::new();
        from.resize_with(candidates, || AtomicU32::new(RecordPlace::NONE));
        let dropped = (0..store.chunks())
            .into_par_iter()
            .flat_map_iter(|chunk| self.find_successors(segment, store, chunk, target, &from))
            .collect();
        let from: Vec<u32> = from.into_iter().map(AtomicU32::into_inner).collect();
        let first = target.map_or(0, |target| target.start as usize);
        new_forces.take_over(first, &from, |number| {
            self.old.forces.take(segment.start as usize + store.candidate(RecordPlace::numbered(number)))
        });
        let store = HistoryStore::with_moved(std::mem::take(&mut side.store), &from);
        *side = SegmentState::new(target.unwrap_or(&side.segment), store);
        dropped
    }

    /// Assigns the records of a chunk to the candidates of the `target`: each record to at most one candidate, each
    /// candidate at most one record. Returns the records that no candidate takes over.
    fn find_successors(
        &self,
        segment: &Segment,
        store: &HistoryStore,
        chunk: usize,
        target: Option<&Segment>,
        from: &[AtomicU32],
    ) -> Vec<Dropped> {
        let (list, mut dropped, mut record) = (self.old.list, Vec::new(), Vec::new());
        for (local, place) in store.of_chunk(chunk) {
            let candidate = segment.start as usize + local;
            let first = self.slot[list.first[candidate] as usize];
            let second = match segment.partner {
                PartnerKind::Particle => self.slot[list.second[candidate] as usize],
                PartnerKind::Wall => list.second[candidate],
            };
            let found = target.filter(|_| first != u32::MAX && second != u32::MAX).and_then(|target| {
                let found = self.new.find(target, first, second, list.feature(segment, candidate))?;
                Some((found - target.start) as usize)
            });
            if let Some(found) = found {
                from[found].store(place.number(), Ordering::Relaxed);
            } else if (list.first[candidate] as usize) < self.owned {
                let mut work = ContactWork::default();
                store.read(place, &mut record);
                work.add_record(self.fields, &record);
                dropped.push(Dropped { work, contact: self.contact(segment, candidate, [first, second]) });
            }
        }
        dropped
    }
    /// Identity of a contact by the new slots of its bodies, if both are still there.
    fn contact(&self, segment: &Segment, candidate: usize, slots: [u32; 2]) -> Option<(ContactKey, [u32; 2])> {
        let id = |slot: u32| self.ids.get(slot as usize).copied();
        let second = match segment.partner {
            PartnerKind::Particle => id(slots[1])?,
            PartnerKind::Wall => u64::from(slots[1]),
        };
        let feature = self.old.list.feature(segment, candidate);
        Some((ContactKey { first: id(slots[0])?, kind: segment.partner, second, feature }, slots))
    }
}
