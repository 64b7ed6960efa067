//! Liquid bridges that share the films of spheres: which of them form and which have broken.
//!
//! Films are changed between steps only, by whoever holds them. A law marks a bridge that has broken by a negative volume; those of contacts that have
//! ended, or are no candidates any more, are kept here until they are asked for.

use dem_core::contact_list::{ContactKey, ContactList, PartnerKind, Segment};
use dem_core::history::{ContactWork, FieldRole, FieldSpec, stride};

use crate::force_loop::kernel::law_table::LawTable;
use crate::force_loop::kernel::segment_state::SegmentState;
use crate::force_loop::kinematics::geometry::{Levers, StepContext};
use crate::force_loop::kinematics::partner::kinematics_of_pair;
use crate::force_loop::kinematics::wall_geometry;
use crate::law::{Films, Kinematics};

/// A contact without a bridge whose surfaces touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormingBridge {
    /// Identity.
    pub key: ContactKey,
    /// Slots of the bodies, of a wall its number.
    pub slots: [u32; 2],
    /// Index in the contact list.
    pub candidate: usize,
    /// What it may take.
    pub films: Films,
    /// Shares of the films of both bodies.
    pub shares: [f64; 2],
}

/// A bridge that has broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenBridge {
    /// Identity.
    pub key: ContactKey,
    /// Slots of the bodies, of a wall its number; they may be others by now.
    pub slots: [u32; 2],
    /// What it held \[m³\].
    pub volume: f64,
}

/// What happens to bridges between two steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BridgeEvents {
    /// Those that may form.
    pub forming: Vec<FormingBridge>,
    /// Those that have broken.
    pub broken: Vec<BrokenBridge>,
}

/// What a kernel knows of bridges that share films.
#[derive(Debug, Default)]
pub(crate) struct Bridges {
    /// Where in a record their volume is, if there are any.
    place: Option<usize>,
    broken: Vec<BrokenBridge>,
}

impl Bridges {
    pub fn of(laws: &dyn LawTable, fields: &[FieldSpec]) -> Self {
        let shared = laws.all().iter().any(|law| law.films().is_some());
        let field = fields.iter().position(|field| field.role == FieldRole::Liquid).filter(|_| shared);
        Self { place: field.map(|at| stride(&fields[..at])), broken: Vec::new() }
    }

    pub fn share_films(&self) -> bool {
        self.place.is_some()
    }

    /// Keeps what a contact that has ended leaves behind, under a law that shares films.
    pub fn keep(&mut self, films: Option<Films>, contact: impl FnOnce() -> (ContactKey, [u32; 2]), work: &ContactWork) {
        if films.is_some() && work.liquid > 0.0 {
            let (key, slots) = contact();
            self.broken.push(BrokenBridge { key, slots, volume: work.liquid });
        }
    }

    /// Adds what has happened since this was last called. Records of broken bridges are emptied.
    pub fn take_events(
        &mut self,
        laws: &dyn LawTable,
        sides: &mut [SegmentState],
        list: &ContactList,
        context: &StepContext,
        range: f64,
        events: &mut BridgeEvents,
    ) {
        let Some(place) = self.place else { return };
        events.broken.append(&mut self.broken);
        let (ids, radius) = (&context.particles.id, &context.particles.radius);
        for (segment, side) in held(list, sides) {
            let Some(films) = laws.law(segment.materials.0, segment.materials.1).films() else { continue };
            for (candidate, volume) in with_volume(segment, side, place, |volume| volume <= 0.0) {
                let slots = [list.first[candidate], list.second[candidate]];
                let key = list.key(segment, candidate, ids);
                if volume < 0.0 {
                    events.broken.push(BrokenBridge { key, slots, volume: -volume });
                    empty(side, candidate - segment.start as usize, place);
                    continue;
                }
                let (k, _) = kinematics_alone(list, segment, candidate, context, range);
                if k.overlap1 <= 0.0 || k.near_field_distance.is_infinite() {
                    continue;
                }
                let one = radius[slots[0] as usize];
                let shares = match segment.partner {
                    PartnerKind::Particle => {
                        let other = radius[slots[1] as usize];
                        [films.share_of(one, Some(other)), films.share_of(other, Some(one))]
                    }
                    PartnerKind::Wall => [films.share_of(one, None), 0.0],
                };
                events.forming.push(FormingBridge { key, slots, candidate, films, shares });
            }
        }
    }

    /// Breaks the bridges of some particles.
    pub fn break_those_of(
        &self,
        sides: &mut [SegmentState],
        list: &ContactList,
        ids: &[u64],
        includes: &dyn Fn(u32) -> bool,
        events: &mut BridgeEvents,
    ) {
        let Some(place) = self.place else { return };
        for (segment, side) in held(list, sides) {
            for (candidate, volume) in with_volume(segment, side, place, |volume| volume > 0.0) {
                let slots = [list.first[candidate], list.second[candidate]];
                if includes(slots[0]) || segment.partner == PartnerKind::Particle && includes(slots[1]) {
                    events.broken.push(BrokenBridge { key: list.key(segment, candidate, ids), slots, volume });
                    empty(side, candidate - segment.start as usize, place);
                }
            }
        }
    }

    /// Fills a bridge that forms.
    pub fn fill(
        laws: &dyn LawTable,
        sides: &mut [SegmentState],
        list: &ContactList,
        context: &StepContext,
        range: f64,
        (candidate, volume): (usize, f64),
    ) {
        let Some(segment) = list.segment_of(candidate) else { return };
        let Some(side) = sides.iter_mut().find(|side| side.segment == *segment) else { return };
        let Some(place) = side.store.place(candidate - segment.start as usize) else { return };
        let (k, _) = kinematics_alone(list, segment, candidate, context, range);
        let mut record = Vec::new();
        side.store.read(place, &mut record);
        let law = laws.law(segment.materials.0, segment.materials.1);
        law.fill_bridge(k.effective_radius, k.overlap1, volume, &mut record);
        side.store.write(place, &record);
    }
}

/// Segments with what is kept of them.
fn held<'a>(
    list: &'a ContactList,
    sides: &'a mut [SegmentState],
) -> impl Iterator<Item = (&'a Segment, &'a mut SegmentState)> {
    sides.iter_mut().filter_map(|side| {
        let segment = list.segments.iter().find(|segment| **segment == side.segment)?;
        Some((segment, side))
    })
}

/// Candidates of the list whose records have some volume, with it.
fn with_volume(
    segment: &Segment,
    side: &SegmentState,
    place: usize,
    counts: impl Fn(f64) -> bool,
) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    for chunk in 0..side.store.chunks() {
        let volumes = side.store.column(chunk, place);
        if volumes.iter().any(|&volume| counts(volume)) {
            let candidates = side.store.of_chunk(chunk).map(|(local, _)| segment.start as usize + local);
            found.extend(candidates.zip(volumes.iter().copied()).filter(|&(_, volume)| counts(volume)));
        }
    }
    found
}

fn empty(side: &mut SegmentState, local: usize, place: usize) {
    let Some(at) = side.store.place(local) else { return };
    let mut record = Vec::new();
    side.store.read(at, &mut record);
    record[place] = 0.0;
    side.store.write(at, &record);
}

/// Kinematics of one candidate at the newest state of its bodies.
pub(crate) fn kinematics_alone(
    list: &ContactList,
    segment: &Segment,
    candidate: usize,
    context: &StepContext,
    range: f64,
) -> (Kinematics, Levers) {
    let (first, second) = (list.first[candidate] as usize, list.second[candidate] as usize);
    match segment.partner {
        PartnerKind::Particle => kinematics_of_pair(context, first, second),
        PartnerKind::Wall => wall_geometry::wall(context, first, second, list.feature(segment, candidate), range),
    }
}
