//! The loop over contacts: runs one law over its segments of the contact list, in parallel, and owns the histories.
//!
//! Each contact is computed once. Its wrench is stored and gathered per particle in canonical order, so that the sum does not
//! depend on threads or slots. One virtual call is made per chunk of contacts, and one more per contact of a law that is evaluated one contact
//! at a time.

use std::sync::Arc;

use dem_core::contact_list::{CHUNK, ContactKey, ContactList, PartnerKind, Segment};
use dem_core::history::{ContactWork, FieldSpec, HistoryStore, SavedRecord, WorkSum, stride};

use crate::bookkeeping::DASHPOT_FORCE;
use crate::force_loop::kernel::bridges::{BridgeEvents, Bridges, kinematics_alone};
use crate::force_loop::kernel::chunk_data::SegmentInput;
use crate::force_loop::kernel::force_kernel::{Acceptance, ForceKernel};
use crate::force_loop::kernel::law_table::{self, LawTable};
use crate::force_loop::kernel::segment_pass::SegmentPass;
use crate::force_loop::kernel::segment_state::SegmentState;
use crate::force_loop::kinematics::geometry::{StepContext, effective_mass};
use crate::force_loop::neighbours::history_migration::{Dropped, Migration};
use crate::force_loop::neighbours::near_list::NearList;
use crate::force_loop::reduction::contact_forces::{ContactForces, ContactView, LoadedList, PairLoad};
use crate::force_loop::sweep::segment_at_work::SegmentAtWork;
use crate::law::{Dashpots, Derived, LawDescription, Stiffness};
use crate::pair_law::PairLaw;

/// Runs a law.
#[derive(Debug)]
pub struct LawKernel {
    laws: Box<dyn LawTable>,
    key: &'static str,
    description: LawDescription,
    fields: Vec<FieldSpec>,
    /// Where in a record the damping part of the normal force is, if the law keeps it.
    dashpot: Option<usize>,
    range: f64,
    stride: usize,
    sides: Vec<SegmentState>,
    bridges: Bridges,
}

impl LawKernel {
    /// A kernel without contacts for `materials × materials` laws of the same name, whatever their types, row by row; pairs that another law
    /// governs may hold any. They are evaluated one contact at a time, in the loop that all such laws share.
    ///
    /// # Panics
    /// If there is no law.
    pub fn of_any_type(materials: usize, laws: Vec<Box<dyn PairLaw>>) -> Self {
        Self::new(law_table::of_any_type(materials, laws.into_iter().map(Arc::from).collect()))
    }

    /// A kernel without contacts for the laws of a table.
    pub(crate) fn new(laws: Box<dyn LawTable>) -> Self {
        let range = largest_range(laws.as_ref(), 0.0);
        let any = laws.law(0, 0);
        let (key, description, fields) = (any.key(), any.description(), any.fields());
        let dashpot = fields.iter().position(|field| field.name == DASHPOT_FORCE);
        let dashpot = dashpot.map(|at| stride(&fields[..at]));
        let stride = stride(&fields).max(1);
        let bridges = Bridges::of(laws.as_ref(), &fields);
        Self { laws, key, description, fields, dashpot, range, stride, sides: Vec::new(), bridges }
    }

    /// The view of a contact with its record, for callers.
    fn view_of(
        &self,
        list: &ContactList,
        segment: &Segment,
        candidate: usize,
        context: &StepContext,
        record: &[f64],
    ) -> ContactView {
        let law = self.laws.law(segment.materials.0, segment.materials.1);
        let (first, second) = (list.first[candidate] as usize, list.second[candidate] as usize);
        let position = &context.particles.position;
        let (k, levers) = kinematics_alone(list, segment, candidate, context, self.range);
        let branch = (segment.partner == PartnerKind::Particle)
            .then(|| context.cell.nearest_image(position[second] - position[first]));
        let mut work = ContactWork::default();
        work.add_record(&self.fields, record);
        ContactView {
            key: list.key(segment, candidate, &context.particles.id),
            candidate,
            first,
            second,
            normal: k.normal1.into(),
            overlap: k.overlap1,
            shares_films: self.bridges.share_films() && law.films().is_some(),
            touches: k.overlap1 > 0.0 || law.touches_apart(),
            branch: branch.unwrap_or(levers.first.into()),
            levers,
            kept_dashpot_force: self.dashpot.and_then(|at| record.get(at)).copied(),
            kept_tangential_force: law.tangential_force_without_dashpots(k.effective_radius, k.overlap1, record),
            undamped_force: law.undamped_normal_force(&k, record),
            lubricates: law.lubricates(),
            elastic_force: law.elastic_normal_force(k.effective_radius, k.overlap1, record),
            stiffness: law.stiffness(k.effective_radius, k.overlap1),
            dashpots: law.dashpots(k.effective_radius, effective_mass(k.effective_mass), k.overlap1),
            energy: law.elastic_energy(k.effective_radius, k.overlap1, record),
            elastic_slip: law.elastic_slip(k.effective_radius, k.overlap1, record),
            work,
        }
    }

    /// Makes the histories and the selection of near candidates of a segment good for an evaluation.
    fn prepare_side(
        &self,
        side: &mut SegmentState,
        list: &ContactList,
        segment: &Segment,
        context: &StepContext,
        acceptance: Acceptance,
        forces: &mut ContactForces,
    ) {
        let (start, end) = (segment.start as usize, segment.end as usize);
        let chunks = (end - start).div_ceil(CHUNK);
        if side.store.chunks() != chunks {
            side.store = HistoryStore::from_records(self.stride, end - start, Vec::new());
        }
        side.separated.resize_with(chunks, Vec::new);
        side.segment = segment.clone();
        let reach = side.reach(context, chunks);
        if hands_contacts_on(segment, context) {
            side.transfer_histories(list, context, self.range, reach.is_none());
        }
        match acceptance {
            Acceptance::Trial => side.store.begin_trial(),
            Acceptance::Final => side.store.drop_trial(),
        }
        side.near.resize(chunks);
        if let Some(reach) = reach {
            let in_frames = forces.is_streaming();
            pass_of(self.laws.as_ref(), &self.fields, self.range, list, segment, context, in_frames)
                .select(side, reach, forces);
        }
    }

    /// The side of a segment, made if there is none.
    fn side(&mut self, segment: &Segment) -> usize {
        self.sides.iter().position(|side| side.holds(segment)).unwrap_or_else(|| {
            self.sides.push(SegmentState::new(segment, HistoryStore::new(self.stride)));
            self.sides.len() - 1
        })
    }
}

/// Whether which features of a wall may be touched changes while a sphere moves past them.
fn hands_contacts_on(segment: &Segment, context: &StepContext) -> bool {
    segment.partner == PartnerKind::Wall && context.walls.iter().any(|wall| wall.shape.hands_contacts_on())
}

/// The pass of a law over a segment.
fn pass_of<'a>(
    laws: &'a dyn LawTable,
    fields: &'a [FieldSpec],
    range: f64,
    list: &'a ContactList,
    segment: &'a Segment,
    context: &'a StepContext<'a>,
    in_frames: bool,
) -> SegmentPass<'a> {
    let law = laws.law(segment.materials.0, segment.materials.1);
    let input = SegmentInput {
        materials: segment.materials,
        fields,
        range,
        begins_by_touch: law.begins_by_touch(),
        touches_apart: law.touches_apart(),
        stride: stride(fields).max(1),
        needs: law.needs(),
        in_frames: in_frames && segment.partner == PartnerKind::Particle,
        hands_on: hands_contacts_on(segment, context),
        context,
    };
    SegmentPass { list, segment, input, laws }
}

impl ForceKernel for LawKernel {
    fn key(&self) -> &'static str {
        self.key
    }

    fn description(&self) -> LawDescription {
        self.description
    }

    fn fields(&self) -> &[FieldSpec] {
        &self.fields
    }

    fn range(&self) -> f64 {
        self.range
    }

    fn fit_range(&mut self, largest_effective_radius: f64) {
        self.range = largest_range(self.laws.as_ref(), largest_effective_radius);
    }

    fn prepare(
        &mut self,
        list: &ContactList,
        segment: &Segment,
        context: &StepContext,
        acceptance: Acceptance,
        forces: &mut ContactForces,
    ) {
        let at = self.side(segment);
        let mut side = self.sides.swap_remove(at);
        self.prepare_side(&mut side, list, segment, context, acceptance, forces);
        self.sides.push(side);
    }

    fn put_to_work<'a>(
        &'a mut self,
        list: &'a ContactList,
        law: usize,
        context: &'a StepContext<'a>,
        in_frames: bool,
        acceptance: Acceptance,
        segments: &mut Vec<SegmentAtWork<'a>>,
    ) {
        let (laws, fields, range): (&'a dyn LawTable, _, _) = (self.laws.as_ref(), &self.fields, self.range);
        for side in &mut self.sides {
            let is_held = |segment: &&Segment| segment.law == law && **segment == side.segment;
            if let Some(segment) = list.segments.iter().find(is_held) {
                let pass = pass_of(laws, fields, range, list, segment, context, in_frames);
                segments.push(SegmentAtWork::new(pass, side, acceptance));
            }
        }
    }

    fn respond_alone(
        &self,
        list: &ContactList,
        segment: &Segment,
        candidate: usize,
        context: &StepContext,
        history: &mut Vec<f64>,
    ) -> Option<PairLoad> {
        let (k, levers) = kinematics_alone(list, segment, candidate, context, self.range);
        let law = self.laws.law(segment.materials.0, segment.materials.1);
        let side = self.sides.iter().find(|side| side.segment == *segment);
        let known = side.and_then(|side| Some((side, side.store.place(candidate - segment.start as usize)?)));
        let range = if known.is_some() || !law.begins_by_touch() { law.range(k.effective_radius) } else { 0.0 };
        if k.overlap1 <= -range {
            return None;
        }
        history.clear();
        if let Some((side, place)) = known {
            side.store.read(place, history);
        }
        history.resize(2 * self.stride, 0.0);
        let (start, end) = history.split_at_mut(self.stride);
        let answer = law.respond_alone(context.width, &k, start, end);
        Some(PairLoad::new(k.normal1.into(), &levers, answer))
    }

    fn commit(&mut self, list: &ContactList, ids: &[u64], owned: usize) -> WorkSum {
        let mut ended = WorkSum::default();
        let Self { sides, bridges, laws, .. } = self;
        for SegmentState { segment, store, separated, .. } in sides {
            store.commit();
            for (works, first) in separated.iter_mut().zip((segment.start as usize..).step_by(CHUNK)) {
                for (number, work) in works.drain(..) {
                    let candidate = first + usize::from(number);
                    if (list.first[candidate] as usize) < owned {
                        ended.add(&work);
                        if bridges.share_films() {
                            let films = laws.law(segment.materials.0, segment.materials.1).films();
                            let slots = [list.first[candidate], list.second[candidate]];
                            bridges.keep(films, || (list.key(segment, candidate, ids), slots), &work);
                        }
                    }
                }
            }
        }
        ended
    }

    fn shares_films(&self) -> bool {
        self.bridges.share_films()
    }

    fn take_bridge_events(&mut self, list: &ContactList, context: &StepContext, events: &mut BridgeEvents) {
        let Self { sides, bridges, laws, range, .. } = self;
        bridges.take_events(laws.as_ref(), sides, list, context, *range, events);
    }

    fn break_bridges(
        &mut self,
        list: &ContactList,
        ids: &[u64],
        includes: &dyn Fn(u32) -> bool,
        events: &mut BridgeEvents,
    ) {
        self.bridges.break_those_of(&mut self.sides, list, ids, includes, events);
    }

    fn fill_bridge(&mut self, list: &ContactList, context: &StepContext, candidate: usize, volume: f64) {
        Bridges::fill(self.laws.as_ref(), &mut self.sides, list, context, self.range, (candidate, volume));
    }

    fn forget_selections(&mut self) {
        self.sides.iter_mut().for_each(|side| side.near = NearList::default());
    }

    fn migrate(
        &mut self,
        old: &LoadedList,
        new: &ContactList,
        new_forces: &mut ContactForces,
        slot: &[u32],
        ids: &[u64],
        owned: usize,
    ) -> WorkSum {
        let migration = Migration { old, new, slot, ids, fields: &self.fields, owned };
        let mut ended = WorkSum::default();
        for side in &mut self.sides {
            let films = self.laws.law(side.segment.materials.0, side.segment.materials.1).films();
            for Dropped { work, contact } in migration.carry(side, new_forces) {
                ended.add(&work);
                if let Some(contact) = contact {
                    self.bridges.keep(films, || contact, &work);
                }
            }
        }
        ended
    }

    fn within_range(&self, partner: PartnerKind) -> usize {
        self.sides.iter().filter(|side| side.segment.partner == partner).map(|side| side.store.touching()).sum()
    }

    fn visit(&self, list: &ContactList, context: &StepContext, visit: &mut dyn FnMut(&ContactView)) {
        let mut record = Vec::new();
        for segment in &list.segments {
            let Some(side) = self.sides.iter().find(|side| side.segment == *segment) else { continue };
            for (local, place) in side.store.iter() {
                side.store.read(place, &mut record);
                visit(&self.view_of(list, segment, segment.start as usize + local, context, &record));
            }
        }
    }

    fn view(
        &self,
        list: &ContactList,
        segment: &Segment,
        candidate: usize,
        context: &StepContext,
        record: &mut Vec<f64>,
    ) -> Option<ContactView> {
        let side = self.sides.iter().find(|side| side.segment == *segment)?;
        side.store.read(side.store.place(candidate - segment.start as usize)?, record);
        Some(self.view_of(list, segment, candidate, context, record))
    }

    fn save(&self, list: &ContactList, ids: &[u64]) -> Vec<SavedRecord> {
        let mut saved: Vec<SavedRecord> =
            self.sides.iter().flat_map(|side| side.store.save(list, &side.segment, ids)).collect();
        saved.sort_unstable_by_key(|s| (s.key.kind, s.key));
        saved
    }

    fn save_some(
        &self,
        list: &ContactList,
        ids: &[u64],
        includes: &dyn Fn(usize, Option<usize>) -> bool,
    ) -> Vec<SavedRecord> {
        let mut saved = Vec::new();
        for side in &self.sides {
            let (segment, is_pair) = (&side.segment, side.segment.partner == PartnerKind::Particle);
            for (local, place) in side.store.iter() {
                let candidate = segment.start as usize + local;
                let second = is_pair.then(|| list.second[candidate] as usize);
                if includes(list.first[candidate] as usize, second) {
                    let mut record = Vec::new();
                    side.store.read(place, &mut record);
                    saved.push(SavedRecord { key: list.key(segment, candidate, ids), record });
                }
            }
        }
        saved
    }

    fn visit_histories(
        &self,
        list: &ContactList,
        ids: &[u64],
        slots: &[u32],
        visit: &mut dyn FnMut(ContactKey, &[f64]),
    ) {
        let mut record = Vec::new();
        for partner in [PartnerKind::Particle, PartnerKind::Wall] {
            for &slot in slots {
                // contacts lie in this order in the rows of their first particles
                for candidate in list.candidates_as_first(slot as usize) {
                    let segment = list.segment_of(candidate).filter(|segment| segment.partner == partner);
                    let Some(segment) = segment else { continue };
                    let Some(side) = self.sides.iter().find(|side| side.segment == *segment) else { continue };
                    if let Some(place) = side.store.place(candidate - segment.start as usize) {
                        side.store.read(place, &mut record);
                        visit(list.key(segment, candidate, ids), &record);
                    }
                }
            }
        }
    }

    fn restore(&mut self, list: &ContactList, law: usize, ids: &[u64], saved: &[SavedRecord]) -> Vec<ContactKey> {
        let mut missing: Vec<&SavedRecord> = saved.iter().collect();
        self.sides.clear();
        for segment in list.segments.iter().filter(|segment| segment.law == law) {
            let mut store = HistoryStore::new(self.stride);
            missing = store.restore(list, segment, ids, &missing);
            self.sides.push(SegmentState::new(segment, store));
        }
        missing.into_iter().map(|s| s.key).collect()
    }

    fn adopt(&mut self, list: &ContactList, law: usize, saved: &[SavedRecord], slot_of: &dyn Fn(u64) -> Option<u32>) {
        for SavedRecord { key, record } in saved.iter().filter(|saved| saved.record.len() == self.stride) {
            let second = match key.kind {
                PartnerKind::Particle => slot_of(key.second),
                PartnerKind::Wall => u32::try_from(key.second).ok(),
            };
            let Some((first, second)) = slot_of(key.first).zip(second) else { continue };
            let of_law = list.segments.iter().filter(|segment| segment.law == law && segment.partner == key.kind);
            for segment in of_law {
                let Some(candidate) = list.find(segment, first, second, key.feature) else { continue };
                let at = self.sides.iter().position(|side| side.segment == *segment).unwrap_or_else(|| {
                    let candidates = (segment.end - segment.start) as usize;
                    let store = HistoryStore::from_records(self.stride, candidates, Vec::new());
                    self.sides.push(SegmentState::new(segment, store));
                    self.sides.len() - 1
                });
                self.sides[at].store.add((candidate - segment.start) as usize, record);
                break;
            }
        }
    }

    fn stiffness(&self, a: u16, b: u16, effective_radius: f64, overlap: f64) -> Stiffness {
        self.laws.law(a, b).stiffness(effective_radius, overlap)
    }

    fn near_field_stiffness(&self, a: u16, b: u16, distance: f64) -> f64 {
        self.laws.law(a, b).near_field_stiffness(distance)
    }

    fn dashpots(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        self.laws.law(a, b).dashpots(effective_radius, effective_mass, overlap)
    }

    fn impact_overlap(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.laws.law(a, b).impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.laws.law(a, b).contact_duration(effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.laws.law(a, b).pull_duration(effective_radius, effective_mass, speed)
    }

    fn derived(&self, a: u16, b: u16) -> Vec<Derived> {
        self.laws.law(a, b).derived()
    }

    fn facts(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        self.laws.law(a, b).facts(effective_radius, effective_mass, speed)
    }

    fn adheres(&self) -> bool {
        self.laws.all().iter().any(|law| law.adheres())
    }
}

/// Longest range of any law \[m\].
fn largest_range(laws: &dyn LawTable, largest_effective_radius: f64) -> f64 {
    laws.all().iter().map(|law| law.range(largest_effective_radius)).fold(0.0, f64::max)
}
