//! Contact histories of a saved state in a new branch: which are kept, and what they begin with.
//!
//! Walls are identified by their names, as materials are: a scene may list them in another order, and its numbers say
//! nothing about those of the state. Springs stay as loaded as they were, work terms begin anew with the ledger of the
//! branch.

use std::collections::{BTreeMap, BTreeSet};

use dem_contact::kernel::ForceKernel;
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::wall::Wall;
use serde::{Deserialize, Serialize};

use super::format::{SavedField, SavedHistories, SavedStateError, contents};
use crate::state::world::World;

/// Histories of contacts with one wall of the saved state, or of those between particles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryCount {
    /// Kept.
    pub kept: usize,
    /// Dropped.
    pub dropped: usize,
}

impl HistoryCount {
    fn add(&mut self, is_kept: bool) {
        if is_kept {
            self.kept += 1;
        } else {
            self.dropped += 1;
        }
    }
}

/// What became of the histories of the contacts with a wall of the saved state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallHistories {
    /// Name of the wall.
    pub wall: String,
    /// How many were kept.
    pub histories: HistoryCount,
    /// Why none could be, if the scene has no such wall.
    pub missing: Option<String>,
}

/// What became of the records of a law that remembers other things under the options of the scene than under those of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FittedFields {
    /// Name of the law.
    pub law: String,
    /// Fields that it continues with.
    pub kept: Vec<String>,
    /// Fields of the state that it does not know.
    pub dropped: Vec<String>,
    /// Fields that it did not remember in the state: they begin at zero.
    pub new: Vec<String>,
}

/// The histories of a saved state with the wall numbers of a scene.
pub(crate) struct Renamed {
    /// Those whose walls the scene has.
    pub histories: Vec<SavedHistories>,
    /// What became of the others, by the walls of the state that had contacts.
    walls: Vec<WallHistories>,
}

impl Renamed {
    /// Gives the contacts with walls the numbers that walls of the same name have in the scene. The features of a contact belong to a type of
    /// shape: contacts with a wall that has another one now are dropped.
    pub fn new(saved: Vec<SavedHistories>, walls: &[Wall], own: &[Wall]) -> Result<Self, SavedStateError> {
        let mut counts: Vec<WallHistories> =
            walls.iter().map(|wall| WallHistories { wall: wall.name.clone(), ..WallHistories::default() }).collect();
        let mut number = Vec::with_capacity(walls.len());
        for (count, wall) in counts.iter_mut().zip(walls) {
            let found = own.iter().position(|own| own.name == wall.name);
            let shape = |own: &Wall| std::mem::discriminant(&own.shape);
            let same = found.filter(|&k| shape(&own[k]) == shape(wall));
            count.missing = match (found, same) {
                (_, Some(_)) => None,
                (Some(_), None) => Some("the scene's wall of this name has another shape".to_owned()),
                (None, None) => Some("the scene has no wall of this name".to_owned()),
            };
            number.push(same);
        }
        let mut histories = Vec::with_capacity(saved.len());
        for mut of_law in saved {
            let stride = of_law.stride as usize;
            if of_law.stride != width_of(&of_law.fields)
                || of_law.records.len() != of_law.keys.len().saturating_mul(stride)
            {
                return Err(contents(format!("histories of law {} are incomplete", of_law.law)));
            }
            let (mut keys, mut records) = (Vec::with_capacity(of_law.keys.len()), Vec::new());
            for (k, mut key) in of_law.keys.into_iter().enumerate() {
                if key.kind == PartnerKind::Wall {
                    let wall = key.second as usize;
                    let Some(count) = counts.get_mut(wall) else {
                        return Err(contents(format!("a history belongs to wall number {wall} of {}", walls.len())));
                    };
                    let Some(same) = number[wall] else {
                        count.histories.dropped += 1;
                        continue;
                    };
                    key.second = same as u64;
                }
                keys.push(key);
                records.extend_from_slice(&of_law.records[k * stride..][..stride]);
            }
            of_law.keys = keys;
            of_law.records = records;
            histories.push(of_law);
        }
        Ok(Self { histories, walls: counts })
    }

    /// Gives the records the fields that the laws of a scene remember: those of the same name and size are kept, the others begin at zero.
    pub fn fit(&mut self, kernels: &[Box<dyn ForceKernel>]) -> Vec<FittedFields> {
        let mut unused: Vec<&mut SavedHistories> = self.histories.iter_mut().collect();
        let mut fitted = Vec::new();
        for kernel in kernels {
            let Some(at) = unused.iter().position(|of_law| of_law.law == kernel.key()) else { continue };
            let own: Vec<SavedField> = kernel.fields().iter().map(SavedField::of).collect();
            let of_law = unused.swap_remove(at);
            if of_law.fields == own {
                continue;
            }
            let names = |fields: &[SavedField], others: &[SavedField], shared: bool| {
                let chosen = fields.iter().filter(|field| others.contains(field) == shared);
                chosen.map(|field| field.name.clone()).collect()
            };
            fitted.push(FittedFields {
                law: of_law.law.clone(),
                kept: names(&own, &of_law.fields, true),
                dropped: names(&of_law.fields, &own, false),
                new: names(&own, &of_law.fields, false),
            });
            let records = of_law.records.chunks_exact(of_law.stride as usize);
            of_law.records = records.flat_map(|record| transcribed(record, &of_law.fields, &own)).collect();
            of_law.stride = width_of(&own);
            of_law.fields = own;
        }
        fitted
    }

    /// What became of them: a history is kept if a contact took it over and that contact acts. `lost` are those that found no contact, `acting`
    /// those that act.
    pub fn count(
        self,
        own: &[Wall],
        lost: &[ContactKey],
        acting: &BTreeSet<ContactKey>,
    ) -> (HistoryCount, Vec<WallHistories>) {
        let Self { histories, mut walls } = self;
        let lost: BTreeSet<&ContactKey> = lost.iter().collect();
        let mut pairs = HistoryCount::default();
        for key in histories.iter().flat_map(|of_law| &of_law.keys) {
            let is_kept = !lost.contains(key) && acting.contains(key);
            match key.kind {
                PartnerKind::Particle => pairs.add(is_kept),
                PartnerKind::Wall => {
                    let name = &own[key.second as usize].name;
                    if let Some(wall) = walls.iter_mut().find(|wall| wall.wall == *name) {
                        wall.histories.add(is_kept);
                    }
                }
            }
        }
        walls.retain(|wall| wall.histories != HistoryCount::default());
        (pairs, walls)
    }
}

/// Numbers in a record; a law without memory keeps one.
fn width_of(fields: &[SavedField]) -> u64 {
    fields.iter().fold(0u64, |sum, field| sum.saturating_add(field.width)).max(1)
}

/// A record with other fields.
fn transcribed(record: &[f64], from: &[SavedField], to: &[SavedField]) -> Vec<f64> {
    let mut written = Vec::with_capacity(width_of(to) as usize);
    for field in to {
        let before = from.iter().take_while(|known| *known != field).map(|known| known.width).sum::<u64>() as usize;
        let width = field.width as usize;
        match record.get(before..before + width).filter(|_| from.contains(field)) {
            Some(numbers) => written.extend_from_slice(numbers),
            None => written.resize(written.len() + width, 0.0),
        }
    }
    written.resize(width_of(to) as usize, 0.0);
    written
}

/// The contacts that have a history: they touch, or are within the range of their law.
pub(crate) fn acting(world: &World) -> BTreeSet<ContactKey> {
    let World { kernels, list, particles, .. } = world;
    kernels.iter().flat_map(|kernel| kernel.save(list, &particles.id)).map(|saved| saved.key).collect()
}

/// Lets what contacts have dissipated begin at zero; what their springs hold is as in `histories`: the first evaluation, in which nothing moves,
/// relaxes a spring with a dashpot by a step. The contact list must be renewed afterwards.
pub(crate) fn forget_works(world: &mut World, histories: &[SavedHistories]) {
    let World { kernels, list, particles, .. } = world;
    for (law, kernel) in kernels.iter_mut().enumerate() {
        let mut saved = kernel.save(list, &particles.id);
        let mut before: BTreeMap<ContactKey, &[f64]> = BTreeMap::new();
        for of_law in histories.iter().filter(|of_law| of_law.law == kernel.key() && of_law.stride > 0) {
            before.extend(of_law.keys.iter().copied().zip(of_law.records.chunks_exact(of_law.stride as usize)));
        }
        for contact in &mut saved {
            if let Some(record) = before.get(&contact.key).filter(|record| record.len() == contact.record.len()) {
                contact.record.copy_from_slice(record);
            }
            clear_works(kernel.fields(), &mut contact.record);
        }
        kernel.restore(list, law, &particles.id, &saved);
    }
}

fn clear_works(fields: &[FieldSpec], record: &mut [f64]) {
    let mut at = 0;
    for field in fields {
        let numbers = &mut record[at..at + field.width];
        match field.role {
            FieldRole::State | FieldRole::Liquid | FieldRole::ElasticTangentialWork | FieldRole::ElasticRollingWork => {
            }
            FieldRole::FrictionWork
            | FieldRole::ViscousWork
            | FieldRole::StiffnessWork
            | FieldRole::RollingWork
            | FieldRole::TwistingWork
            | FieldRole::ReleasedWork
            | FieldRole::Further(_) => numbers.fill(0.0),
        }
        at += field.width;
    }
}
