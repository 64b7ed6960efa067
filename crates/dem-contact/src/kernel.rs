//! The loop over contacts: runs one law over its segments of the contact list, in parallel, and owns the histories.
//!
//! Each contact is computed once. Its wrench is stored and gathered per particle in canonical order, so that the sum does not
//! depend on threads or slots. One virtual call is made per segment and evaluation, none per contact.

use dem_core::DVec3;
use dem_core::contact_list::{CHUNK, ContactKey, ContactList, PartnerKind, Segment};
use dem_core::history::{ContactWork, FieldSpec, HistoryStore, SavedRecord, stride};
use rayon::prelude::*;

use crate::contact_forces::{ContactForces, ContactView, LoadedList, NOT_TOUCHING, Wrench};
use crate::geometry::{self, Levers, StepContext};
use crate::law::{ContactLaw, Derived, Kinematics, LawDescription, Mode, Stiffness};

/// One law at work: what the stepper sees.
pub trait ForceKernel: Send + Sync {
    /// Name of the law.
    fn key(&self) -> &'static str;

    /// Description of the law.
    fn description(&self) -> LawDescription;

    /// Fields of the history records.
    fn fields(&self) -> &'static [FieldSpec];

    /// Distance between surfaces up to which the law acts \[m\].
    fn range(&self) -> f64;

    /// Evaluates a segment over the step of `context`; the histories at the end of the step are on trial until [`Self::commit`].
    fn evaluate(&mut self, list: &ContactList, segment: &Segment, context: &StepContext, forces: &mut ContactForces);

    /// Accepts the last evaluation; adds the work of the contacts that separated in it to `separated`, in order of keys.
    fn commit(&mut self, list: &ContactList, ids: &[u64], separated: &mut ContactWork);

    /// Moves the histories and forces to a new list. `slot` maps old slots to new ones, `u32::MAX` for particles that are gone.
    ///
    /// Histories of contacts that are no longer candidates are dropped and their work added to `separated`.
    fn migrate(
        &mut self,
        old: &LoadedList,
        new: &ContactList,
        new_forces: &mut ContactForces,
        old_ids: &[u64],
        slot: &[u32],
        separated: &mut ContactWork,
    );

    /// Number of touching contacts of a kind.
    fn touching(&self, partner: PartnerKind) -> usize;

    /// Calls `visit` for every touching contact, in the order of the list.
    fn visit(&self, list: &ContactList, context: &StepContext, visit: &mut dyn FnMut(&ContactView));

    /// Histories with their keys, in order of keys, pairs before walls.
    fn save(&self, list: &ContactList, ids: &[u64]) -> Vec<SavedRecord>;

    /// Replaces the histories by saved ones, as law number `law` of the list; returns keys that are not candidates of it.
    fn restore(&mut self, list: &ContactList, law: usize, ids: &[u64], saved: &[SavedRecord]) -> Vec<ContactKey>;

    /// Tangent stiffness of a pair of materials at an overlap \[m\].
    fn stiffness(&self, a: u16, b: u16, effective_radius: f64, overlap: f64) -> Stiffness;

    /// Overlap that an impact reaches \[m\].
    fn impact_overlap(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of an impact \[s\].
    fn contact_duration(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Derived quantities of a pair of materials.
    fn derived(&self, a: u16, b: u16) -> Vec<Derived>;
}

/// The law of every pair of materials.
#[derive(Clone, Debug)]
pub struct PairTable<L> {
    materials: usize,
    laws: Vec<L>,
}

impl<L: Copy> PairTable<L> {
    /// A table of `materials × materials` laws, row by row; pairs that another law governs may hold any entry.
    pub fn new(materials: usize, laws: Vec<L>) -> Self {
        Self { materials, laws }
    }

    #[inline]
    fn get(&self, a: u16, b: u16) -> &L {
        &self.laws[a as usize * self.materials + b as usize]
    }
}

/// Contacts of one kind of partner.
#[derive(Debug, Default)]
struct Side {
    store: HistoryStore,
    segment: Option<Segment>,
    /// Per chunk, the contacts that separated in the evaluation on trial.
    separated: Vec<Vec<(u32, ContactWork)>>,
    /// Per chunk, the largest overlap in proportion to the smaller radius.
    largest: Vec<f64>,
}

/// Runs a law.
#[derive(Debug)]
pub struct LawKernel<L> {
    table: PairTable<L>,
    fields: &'static [FieldSpec],
    range: f64,
    empty: Vec<f64>,
    pairs: Side,
    walls: Side,
}

impl<L: ContactLaw> LawKernel<L> {
    /// A kernel without contacts.
    pub fn new(table: PairTable<L>) -> Self {
        let fields = table.laws.first().map_or(&[][..], ContactLaw::fields);
        let range = table.laws.iter().map(ContactLaw::range).fold(0.0, f64::max);
        let side = || Side { store: HistoryStore::new(stride(fields).max(1)), ..Side::default() };
        Self { table, fields, range, empty: vec![0.0; stride(fields).max(1)], pairs: side(), walls: side() }
    }

    fn side(&mut self, partner: PartnerKind) -> &mut Side {
        match partner {
            PartnerKind::Particle => &mut self.pairs,
            PartnerKind::Wall => &mut self.walls,
        }
    }
}

/// How the second body enters: monomorphised, so that the loop over contacts has no branch on it.
trait Partner {
    fn materials(context: &StepContext, first: usize, second: usize) -> (u16, u16);
    fn is_near(context: &StepContext, first: usize, second: usize, feature: u32, range: f64) -> bool;
    fn kinematics(context: &StepContext, first: usize, second: usize, feature: u32) -> (Kinematics, Levers);
    fn branch(context: &StepContext, first: usize, second: usize, levers: &Levers) -> DVec3;
}

struct Spheres;
struct Walls;

impl Partner for Spheres {
    #[inline(always)]
    fn materials(context: &StepContext, first: usize, second: usize) -> (u16, u16) {
        (context.particles.material[first], context.particles.material[second])
    }
    #[inline(always)]
    fn is_near(context: &StepContext, first: usize, second: usize, _feature: u32, range: f64) -> bool {
        geometry::pair_is_near(context, first, second, range)
    }
    #[inline(always)]
    fn kinematics(context: &StepContext, first: usize, second: usize, _feature: u32) -> (Kinematics, Levers) {
        geometry::pair(context, first, second)
    }
    fn branch(context: &StepContext, first: usize, second: usize, _levers: &Levers) -> DVec3 {
        context.cell.nearest_image(context.particles.position[second] - context.particles.position[first])
    }
}

impl Partner for Walls {
    #[inline]
    fn materials(context: &StepContext, first: usize, second: usize) -> (u16, u16) {
        (context.particles.material[first], context.walls[second].material)
    }
    #[inline]
    fn is_near(context: &StepContext, first: usize, second: usize, feature: u32, range: f64) -> bool {
        let wall = &context.walls[second];
        geometry::wall_surface(context, first, wall, feature).distance < context.particles.radius[first] + range
    }
    #[inline]
    fn kinematics(context: &StepContext, first: usize, second: usize, feature: u32) -> (Kinematics, Levers) {
        geometry::wall(context, first, &context.walls[second], feature)
    }
    fn branch(_context: &StepContext, _first: usize, _second: usize, levers: &Levers) -> DVec3 {
        levers.first
    }
}

/// What one chunk reads.
struct ChunkInput<'a> {
    first: &'a [u32],
    second: &'a [u32],
    feature: &'a [u32],
    touching: &'a [u16],
    records: &'a [f64],
    /// Record of a contact without history.
    empty: &'a [f64],
}

/// What one chunk writes.
struct ChunkOutput<'a> {
    local: &'a mut [u16],
    wrench: &'a mut [Wrench],
    mode: &'a mut [Mode],
    count: &'a mut u32,
    touching: &'a mut [u16],
    records: &'a mut [f64],
    separated: &'a mut Vec<(u32, ContactWork)>,
    largest: &'a mut f64,
}

/// Marks a selected candidate that touched at the start of the step.
const TOUCHED: u16 = 1 << 15;
const _: () = assert!(CHUNK <= TOUCHED as usize);

/// Kept out of line, so that profiles show it.
#[inline(never)]
fn evaluate_chunk<L: ContactLaw, P: Partner>(
    table: &PairTable<L>,
    fields: &[FieldSpec],
    range: f64,
    stride: usize,
    context: &StepContext,
    input: &ChunkInput,
    output: &mut ChunkOutput,
) {
    // First pass: which candidates to look at, without a branch on the outcome, which nothing could predict. A contact that touched at
    // the start is always evaluated, so that the law sees the step in which it separates.
    let mut selected = [0u16; CHUNK];
    let mut selections = 0;
    let mut old = 0;
    for (k, ((&first, &second), &feature)) in input.first.iter().zip(input.second).zip(input.feature).enumerate() {
        let touched = input.touching.get(old).copied() == Some(k as u16);
        old += usize::from(touched);
        let near = P::is_near(context, first as usize, second as usize, feature, range);
        selected[selections] = k as u16 | if touched { TOUCHED } else { 0 };
        selections += usize::from(touched | near);
    }
    output.local.fill(NOT_TOUCHING);

    let mut old = 0;
    let mut count = 0;
    let mut largest = 0.0f64;
    output.separated.clear();
    for &selection in &selected[..selections] {
        let k = (selection & !TOUCHED) as usize;
        let touched = selection & TOUCHED != 0;
        let (first, second, feature) = (input.first[k] as usize, input.second[k] as usize, input.feature[k]);
        let (kinematics, levers) = P::kinematics(context, first, second, feature);
        let (a, b) = P::materials(context, first, second);
        let end = &mut output.records[count * stride..][..stride];
        // a contact that formed in this step starts from an empty record
        let start = if touched { &input.records[old * stride..][..stride] } else { input.empty };
        old += usize::from(touched);
        let response = table.get(a, b).respond(&kinematics, start, end);
        if kinematics.overlap1 > -range {
            let force = response.tangential_force - kinematics.normal1 * response.normal_force;
            output.wrench[count] = Wrench {
                force,
                torque_first: levers.first.cross(response.tangential_force) + response.couple,
                torque_second: -levers.second.cross(force) - response.couple,
            };
            output.mode[count] = response.mode;
            // a division for the few contacts that raise it
            if kinematics.overlap1 > largest * kinematics.smaller_radius {
                largest = kinematics.overlap1 / kinematics.smaller_radius;
            }
            output.touching[count] = k as u16;
            output.local[k] = count as u16;
            count += 1;
        } else if touched {
            let mut work = ContactWork::default();
            work.add_record(fields, end);
            output.separated.push((k as u32, work));
        }
    }
    *output.count = count as u32;
    *output.largest = largest;
}

impl<L: ContactLaw> LawKernel<L> {
    fn evaluate_side<P: Partner>(
        &mut self,
        list: &ContactList,
        segment: &Segment,
        context: &StepContext,
        forces: &mut ContactForces,
    ) {
        let (fields, range) = (self.fields, self.range);
        let Self { table, empty, pairs, walls, .. } = self;
        let empty = empty.as_slice();
        let side = match segment.partner {
            PartnerKind::Particle => pairs,
            PartnerKind::Wall => walls,
        };
        let (start, end) = (segment.start as usize, segment.end as usize);
        let chunks = (end - start).div_ceil(CHUNK);
        if side.store.chunks() != chunks {
            side.store = HistoryStore::from_records(side.store.stride(), end - start, Vec::new());
        }
        side.separated.resize_with(chunks, Vec::new);
        side.largest.resize(chunks, 0.0);
        side.segment = Some(segment.clone());
        let stride = side.store.stride();
        let committed = &side.store.committed;
        let trial = &mut side.store.trial;
        let places = start..start + chunks * CHUNK;
        let table = &*table;
        (
            forces.local[places.clone()].par_chunks_mut(CHUNK),
            forces.wrench[places.clone()].par_chunks_mut(CHUNK),
            forces.mode[places].par_chunks_mut(CHUNK),
            trial.count.par_iter_mut(),
            trial.local.par_chunks_mut(CHUNK),
            trial.record.par_chunks_mut(CHUNK * stride),
            side.separated.par_iter_mut(),
            side.largest.par_iter_mut(),
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (local, wrench, mode, count, touching, records, separated, largest))| {
                let candidates = start + chunk * CHUNK..(start + (chunk + 1) * CHUNK).min(end);
                let at = chunk * CHUNK;
                let input = ChunkInput {
                    first: &list.first[candidates.clone()],
                    second: &list.second[candidates.clone()],
                    feature: &list.feature[candidates],
                    touching: &committed.local[at..at + committed.count[chunk] as usize],
                    records: &committed.record[at * stride..(at + CHUNK) * stride],
                    empty,
                };
                let mut output = ChunkOutput { local, wrench, mode, count, touching, records, separated, largest };
                evaluate_chunk::<L, P>(table, fields, range, stride, context, &input, &mut output);
            });
        forces.largest_overlap_ratio = side.largest.iter().copied().fold(forces.largest_overlap_ratio, f64::max);
    }

    fn visit_side<P: Partner>(
        &self,
        side: &Side,
        list: &ContactList,
        context: &StepContext,
        visit: &mut dyn FnMut(&ContactView),
    ) {
        let Some(segment) = &side.segment else { return };
        for (local, record) in side.store.iter() {
            let candidate = segment.start as usize + local;
            let (first, second) = (list.first[candidate] as usize, list.second[candidate] as usize);
            let (k, levers) = P::kinematics(context, first, second, list.feature[candidate]);
            let (a, b) = P::materials(context, first, second);
            let law = self.table.get(a, b);
            let mut work = ContactWork::default();
            work.add_record(self.fields, record);
            visit(&ContactView {
                key: list.key(segment, candidate, &context.particles.id),
                candidate,
                first,
                second,
                normal: k.normal1,
                overlap: k.overlap1,
                branch: P::branch(context, first, second, &levers),
                levers,
                stiffness: law.stiffness(k.effective_radius, k.overlap1),
                energy: law.elastic_energy(k.effective_radius, k.overlap1, record),
                elastic_slip: law.elastic_slip(k.effective_radius, k.overlap1, record),
                work,
            });
        }
    }
}

impl<L: ContactLaw> ForceKernel for LawKernel<L> {
    fn key(&self) -> &'static str {
        L::KEY
    }

    fn description(&self) -> LawDescription {
        L::DESCRIPTION
    }

    fn fields(&self) -> &'static [FieldSpec] {
        self.fields
    }

    fn range(&self) -> f64 {
        self.range
    }

    fn evaluate(&mut self, list: &ContactList, segment: &Segment, context: &StepContext, forces: &mut ContactForces) {
        match segment.partner {
            PartnerKind::Particle => self.evaluate_side::<Spheres>(list, segment, context, forces),
            PartnerKind::Wall => self.evaluate_side::<Walls>(list, segment, context, forces),
        }
    }

    fn commit(&mut self, list: &ContactList, ids: &[u64], separated: &mut ContactWork) {
        for side in [&mut self.pairs, &mut self.walls] {
            side.store.commit();
            let Some(segment) = &side.segment else { continue };
            if side.separated.iter().all(Vec::is_empty) {
                continue;
            }
            let mut ended: Vec<(ContactKey, ContactWork)> = Vec::new();
            for (chunk, contacts) in side.separated.iter_mut().enumerate() {
                for (local, work) in contacts.drain(..) {
                    let candidate = segment.start as usize + chunk * CHUNK + local as usize;
                    ended.push((list.key(segment, candidate, ids), work));
                }
            }
            ended.sort_unstable_by_key(|&(key, _)| key);
            for (_, work) in &ended {
                separated.add(work);
            }
        }
    }

    fn migrate(
        &mut self,
        old: &LoadedList,
        new: &ContactList,
        new_forces: &mut ContactForces,
        old_ids: &[u64],
        slot: &[u32],
        separated: &mut ContactWork,
    ) {
        let (fields, old_forces, old) = (self.fields, old.forces, old.list);
        for partner in [PartnerKind::Particle, PartnerKind::Wall] {
            let side = self.side(partner);
            let Some(segment) = side.segment.take() else { continue };
            let Some(target) = new.segments.iter().find(|s| s.law == segment.law && s.partner == partner) else {
                continue;
            };
            let mut moved = Vec::with_capacity(side.store.touching());
            let mut loads: Vec<(u32, Wrench, Mode)> = Vec::with_capacity(side.store.touching());
            let mut dropped: Vec<(ContactKey, ContactWork)> = Vec::new();
            for (local, record) in side.store.iter() {
                let candidate = segment.start as usize + local;
                let first = slot[old.first[candidate] as usize];
                let second = match partner {
                    PartnerKind::Particle => slot[old.second[candidate] as usize],
                    PartnerKind::Wall => old.second[candidate],
                };
                let found = if first == u32::MAX || second == u32::MAX {
                    None
                } else {
                    new.find(target, first, second, old.feature[candidate])
                };
                if let Some(found) = found {
                    moved.push((found - target.start, record));
                    if let (Some(wrench), Some(mode)) = (old_forces.get(candidate), old_forces.mode(candidate)) {
                        loads.push((found, *wrench, mode));
                    }
                } else {
                    let mut work = ContactWork::default();
                    work.add_record(fields, record);
                    dropped.push((old.key(&segment, candidate, old_ids), work));
                }
            }
            dropped.sort_unstable_by_key(|&(key, _)| key);
            for (_, work) in &dropped {
                separated.add(work);
            }
            let next = HistoryStore::from_records(side.store.stride(), (target.end - target.start) as usize, moved);
            side.store = next;
            loads.par_sort_unstable_by_key(|&(candidate, ..)| candidate);
            let (mut chunk, mut local) = (usize::MAX, 0);
            for (candidate, wrench, mode) in loads {
                let candidate = candidate as usize;
                local = if candidate / CHUNK == chunk { local + 1 } else { 0 };
                chunk = candidate / CHUNK;
                new_forces.put(candidate, local, wrench, mode);
            }
            side.segment = Some(target.clone());
            side.separated.clear();
        }
    }

    fn touching(&self, partner: PartnerKind) -> usize {
        match partner {
            PartnerKind::Particle => self.pairs.store.touching(),
            PartnerKind::Wall => self.walls.store.touching(),
        }
    }

    fn visit(&self, list: &ContactList, context: &StepContext, visit: &mut dyn FnMut(&ContactView)) {
        self.visit_side::<Spheres>(&self.pairs, list, context, visit);
        self.visit_side::<Walls>(&self.walls, list, context, visit);
    }

    fn save(&self, list: &ContactList, ids: &[u64]) -> Vec<SavedRecord> {
        [&self.pairs, &self.walls]
            .into_iter()
            .filter_map(|side| side.segment.as_ref().map(|segment| side.store.save(list, segment, ids)))
            .flatten()
            .collect()
    }

    fn restore(&mut self, list: &ContactList, law: usize, ids: &[u64], saved: &[SavedRecord]) -> Vec<ContactKey> {
        let mut lost = Vec::new();
        for partner in [PartnerKind::Particle, PartnerKind::Wall] {
            let records: Vec<SavedRecord> = saved.iter().filter(|s| s.key.kind == partner).cloned().collect();
            let side = self.side(partner);
            side.segment = list.segments.iter().find(|s| s.law == law && s.partner == partner).cloned();
            match side.segment.clone() {
                Some(segment) => lost.extend(side.store.restore(list, &segment, ids, &records)),
                None => lost.extend(records.iter().map(|s| s.key)),
            }
        }
        lost
    }

    fn stiffness(&self, a: u16, b: u16, effective_radius: f64, overlap: f64) -> Stiffness {
        self.table.get(a, b).stiffness(effective_radius, overlap)
    }

    fn impact_overlap(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.table.get(a, b).impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, a: u16, b: u16, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.table.get(a, b).contact_duration(effective_radius, effective_mass, speed)
    }

    fn derived(&self, a: u16, b: u16) -> Vec<Derived> {
        self.table.get(a, b).derived()
    }
}
