//! Changes of contact parameters between steps, and the energy that they add or take.
//!
//! The ledger is summed before and after. What contacts keep in their histories in addition to their springs is brought
//! up to date for that: energies of forces at a distance are those of the new parameters, and pairs that come within
//! their range have a history from now on, not from the next step on. What the new models do not keep is not lost: work
//! that was done stays booked.

use std::collections::{BTreeMap, BTreeSet};

use dem_contact::kernel::ForceKernel;
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::history::{ContactWork, FieldRole, FieldSpec, SavedRecord, WorkSum, stride, transcribed};

use super::components::Simulation;
use super::error::SimulationError;
use super::stage::Action;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;
use crate::step::bridge_exchange;

/// Name of the field that holds the energy of a force at a distance.
const NEAR_FIELD_ENERGY: &str = "near_field_energy";

impl Simulation {
    /// Replaces the contact parameters; histories are kept as far as the new models know their fields, and the energy that the change adds or takes is booked.
    pub(crate) fn set_contact(&mut self, contact: ContactDefinition) -> Result<(), SimulationError> {
        // what has broken since the last step is known to the old kernels only
        bridge_exchange::exchange(&mut self.world);
        let before = self.world.energy().balance();
        let springs = tangential_springs(&self.world);
        let mut kernels = contact.kernels().map_err(|(law, error)| SimulationError::Contact {
            stage: self.stage_name().to_owned(),
            message: format!("law {law}: {error}"),
        })?;
        let world = &mut self.world;
        let (own, mut ended) = (OwnIds::of(world), WorkSum::default());
        for (law, (new, old)) in kernels.iter_mut().zip(&world.kernels).enumerate() {
            let mut saved = old.save(&world.list, &world.particles.id);
            if new.fields() != old.fields() {
                let kept = |field: &&FieldSpec| {
                    new.fields().iter().any(|known| (known.name, known.width) == (field.name, field.width))
                };
                for contact in &mut saved {
                    if own.counts(contact.key) {
                        ended.add(&works_of_others(old.fields(), kept, &contact.record));
                    }
                    contact.record = transcribed(&contact.record, old.fields(), new.fields());
                }
            }
            new.restore(&world.list, law, &world.particles.id, &saved);
        }
        book_ended(world, ended);
        let at_a_distance = kernels.iter().chain(&world.kernels).any(|kernel| kernel.range() > 0.0);
        world.kernels = kernels;
        reload_springs(world, &springs);
        self.contact = contact;
        self.book_change(before, at_a_distance)
    }

    /// Books what the energy balance has gained over `before` \[J\] by a change between steps; with `at_a_distance`, forces at a distance may have
    /// come or gone by it.
    pub(super) fn book_change(&mut self, before: f64, at_a_distance: bool) -> Result<(), SimulationError> {
        let world = &mut self.world;
        if at_a_distance && world.particle_count() > 0 {
            // they may reach farther than the list does
            self.pipeline.forces.rebuild(world)?;
            renew_forces_at_a_distance(world);
            bridge_exchange::exchange(world);
        }
        self.pipeline.forces.invalidate();
        world.accumulated.exchanged += world.energy().balance() - before;
        Ok(())
    }

    /// Whether any law acts at a distance.
    pub(crate) fn acts_at_a_distance(&self) -> bool {
        self.world.kernels.iter().any(|kernel| kernel.range() > 0.0)
    }

    /// Applies the changes of contact parameters of all stages entered so far, for a restart.
    ///
    /// # Errors
    /// Parameters that a law refuses.
    pub(crate) fn replay_contact_changes(&mut self) -> Result<(), SimulationError> {
        let last = self.stages[..self.stages_entered().min(self.stages.len())]
            .iter()
            .flat_map(|stage| &stage.actions)
            .filter_map(|action| match action {
                Action::SetContact(contact) => Some(contact.clone()),
                _ => None,
            })
            .next_back();
        match last {
            Some(contact) => self.set_contact(*contact),
            None => Ok(()),
        }
    }
}

/// Stiffness \[N/m\] of the tangential springs of contacts, and twice the energy of a linear one as stretched as they are \[J\].
fn tangential_springs(world: &World) -> BTreeMap<ContactKey, (f64, f64)> {
    let (mut found, context) = (BTreeMap::new(), world.context());
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            let stiffness = c.stiffness.tangential;
            found.insert(c.key, (stiffness, stiffness * c.elastic_slip.length_squared()));
        });
    }
    found
}

/// Springs that have become stiffer or softer since they were as in `before` hold another energy, at the elongation or at the force that the law
/// remembers.
fn reload_springs(world: &mut World, before: &BTreeMap<ContactKey, (f64, f64)>) {
    let after = tangential_springs(world);
    let factor = |key: &ContactKey| {
        let (&(old, held), &(new, holds)) = (before.get(key)?, after.get(key)?);
        (old != new && held > 0.0).then_some(holds / held)
    };
    if after.keys().all(|key| factor(key).is_none()) {
        return;
    }
    let World { kernels, list, particles, .. } = world;
    for (law, kernel) in kernels.iter_mut().enumerate() {
        let fields = kernel.fields();
        let field = fields.iter().position(|field| field.role == FieldRole::ElasticTangentialWork);
        let Some(at) = field.map(|field| stride(&fields[..field])) else { continue };
        let mut saved = kernel.save(list, &particles.id);
        for contact in &mut saved {
            contact.record[at] *= factor(&contact.key).unwrap_or(1.0);
        }
        kernel.restore(list, law, &particles.id, &saved);
    }
}

/// Ids of the particles that are no ghosts, where there are any.
struct OwnIds(Option<BTreeSet<u64>>);

impl OwnIds {
    fn of(world: &World) -> Self {
        let p = &world.particles;
        Self((p.ghosts() > 0).then(|| p.id[..p.owned()].iter().copied().collect()))
    }

    /// Whether a contact counts here.
    fn counts(&self, contact: ContactKey) -> bool {
        self.0.as_ref().is_none_or(|own| own.contains(&contact.first))
    }
}

/// Books the work terms of histories that are dropped, in all parts of the assembly.
fn book_ended(world: &mut World, mut ended: WorkSum) {
    if !world.whole.is_alone() {
        world.whole.add(ended.sums_mut());
    }
    ended.add_to(&mut world.accumulated.separated);
}

/// The work terms of a record whose fields are not `kept`; what springs of such fields held is taken out with them.
fn works_of_others(fields: &[FieldSpec], kept: impl Fn(&&FieldSpec) -> bool, record: &[f64]) -> ContactWork {
    let (mut at, mut works) = (0, ContactWork::default());
    for field in fields {
        let end = at + field.width;
        if !kept(&field)
            && let Some(numbers) = record.get(at..end)
        {
            let mut work = ContactWork::default();
            work.add_record(std::slice::from_ref(field), numbers);
            works.add(&ContactWork { elastic_tangential: 0.0, elastic_rolling: 0.0, ..work });
        }
        at = end;
    }
    works
}

/// Gives the pairs within the range of the present laws, and no others, a history with the energy that the force between them has now.
fn renew_forces_at_a_distance(world: &mut World) {
    let mut kernels = std::mem::take(&mut world.kernels);
    let mut ended = WorkSum::default();
    for (law, kernel) in kernels.iter_mut().enumerate() {
        let records = records_within_range(world, law, kernel.as_ref(), &mut ended);
        kernel.restore(&world.list, law, &world.particles.id, &records);
    }
    world.kernels = kernels;
    book_ended(world, ended);
}

fn holds_liquid(kernel: &dyn ForceKernel, record: &[f64]) -> bool {
    let mut work = ContactWork::default();
    work.add_record(kernel.fields(), record);
    kernel.shares_films() && work.liquid > 0.0
}

fn records_within_range(world: &World, law: usize, kernel: &dyn ForceKernel, ended: &mut WorkSum) -> Vec<SavedRecord> {
    let (list, context, ids) = (&world.list, world.context(), &world.particles.id);
    let (fields, own) = (kernel.fields(), OwnIds::of(world));
    let numbers = stride(fields).max(1);
    let energy = fields.iter().position(|field| field.name == NEAR_FIELD_ENERGY).map(|at| stride(&fields[..at]));
    let mut records: BTreeMap<ContactKey, Vec<f64>> =
        kernel.save(list, ids).into_iter().map(|saved| (saved.key, saved.record)).collect();
    let mut history = Vec::new();
    let pairs =
        |segment: &&dem_core::contact_list::Segment| segment.law == law && segment.partner == PartnerKind::Particle;
    for segment in list.segments.iter().filter(pairs) {
        for candidate in segment.start as usize..segment.end as usize {
            let key = list.key(segment, candidate, ids);
            let is_within = kernel.respond_alone(list, segment, candidate, &context, &mut history).is_some();
            match (is_within, energy) {
                // behind what the pair remembers stands what it would remember
                (true, Some(at)) => {
                    records.entry(key).or_insert_with(|| vec![0.0; numbers])[at] = history[numbers + at]
                }
                (true, None) => {}
                // a bridge that films have filled ends in a step
                (false, _) if records.get(&key).is_some_and(|record| holds_liquid(kernel, record)) => {}
                (false, _) => {
                    if let Some(record) = records.remove(&key)
                        && own.counts(key)
                    {
                        let mut work = ContactWork::default();
                        work.add_record(fields, &record);
                        ended.add(&work);
                    }
                }
            }
        }
    }
    records.into_iter().map(|(key, record)| SavedRecord { key, record }).collect()
}
