//! The whole assembly in one place, where ranks share it: for files, pictures and measures that ask for all particles and contacts.

use std::sync::Arc;

use dem_contact::contact_forces::{ContactForces, ExportedForce};
use dem_core::contact_list::ContactList;
use dem_core::history::SavedRecord;
use dem_core::particles::Particles;

use super::components::Simulation;
use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::forces::ranks_of_forces::elsewhere;
use crate::measure;
use crate::ranks::records;
use crate::state::whole::{Alone, Whole};
use crate::state::world::World;

/// What a rank has of its own while it holds everything.
pub(crate) struct Own {
    particles: Particles,
    list: ContactList,
    forces: ContactForces,
    histories: Vec<Vec<SavedRecord>>,
    whole: Arc<dyn Whole>,
}

impl Simulation {
    /// Goes on talking with the other ranks after a step that has failed on one of them: all must call this.
    pub fn recover_ranks(&self) {
        if let Some(ranks) = &self.pipeline.forces.ranks {
            ranks.link.transport().recover();
        }
    }

    /// Calls `act` with the whole assembly, at rank 0 if there are several: all of them must call this. Returns what it returns, nothing elsewhere.
    ///
    /// # Errors
    /// Another rank that cannot go on.
    pub fn with_all<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> Result<Option<T>, StepError> {
        let Some(ranks) = &self.pipeline.forces.ranks else { return Ok(Some(act(self))) };
        let leads = ranks.link.rank() == 0;
        let own = self.gather_all()?;
        let result = leads.then(|| act(self));
        if let Some(own) = own {
            self.put_back(own);
        }
        Ok(result)
    }

    /// Brings the whole assembly together at rank 0, until [`Self::put_back`]; returns what that has of its own. Nothing happens where there is one
    /// rank only.
    pub(crate) fn gather_all(&mut self) -> Result<Option<Own>, StepError> {
        let Some(ranks) = &self.pipeline.forces.ranks else { return Ok(None) };
        let link = ranks.link.clone();
        let world = &mut self.world;
        world.peak_overlap_ratio = world.whole.largest(world.peak_overlap_ratio);
        let overlap = world.whole.largest(world.forces.largest_overlap_ratio);
        let gathered = link.transport().gather(pack(world)).map_err(elsewhere)?;
        if link.rank() > 0 {
            return Ok(None);
        }
        let own = take_in(world, &gathered)?;
        drop(gathered);
        world.forces.largest_overlap_ratio = overlap;
        Ok(Some(own))
    }

    /// A quantity of the whole assembly, for all ranks.
    pub(crate) fn value_of_all(&mut self, quantity: &str) -> Option<f64> {
        let Some(ranks) = &self.pipeline.forces.ranks else { return measure::value(self, quantity) };
        let link = ranks.link.clone();
        // an interruption ends the step, whatever is returned
        let value = self.with_all(|all| measure::value(all, quantity)).ok()?.flatten();
        let message = value.map_or_else(Vec::new, |value| value.to_le_bytes().to_vec());
        let said = link.transport().broadcast(message).ok()?;
        said.first_chunk().map(|bytes| f64::from_le_bytes(*bytes))
    }

    /// Goes on with this rank's part.
    pub(crate) fn put_back(&mut self, own: Own) {
        let Own { particles, list, forces, histories, whole } = own;
        let world = &mut self.world;
        (world.particles, world.list, world.forces, world.whole) = (particles, list, forces, whole);
        for (law, (kernel, histories)) in world.kernels.iter_mut().zip(&histories).enumerate() {
            kernel.restore(&world.list, law, &world.particles.id, histories);
        }
        world.guides.locate(&world.particles.id[..world.particles.owned()], world.whole.is_alone());
        world.fit_ranges();
        self.pipeline.forces.forget_selection();
    }
}

/// All that others do not know of this rank's particles and contacts.
fn pack(world: &World) -> Vec<u8> {
    let World { particles, list, kernels, forces, .. } = world;
    let owned = particles.owned();
    let slots: Vec<u32> = (0..owned as u32).collect();
    let counts_here = |first: usize, _| first < owned;
    let histories: Vec<_> = kernels.iter().map(|kernel| kernel.save_some(list, &particles.id, &counts_here)).collect();
    let exported = ExportedForce::to_bytes(&forces.export(list, &particles.id, |first| first < owned));
    let mut bytes = records::to_bytes(&histories);
    bytes.extend((exported.len() as u64).to_le_bytes());
    bytes.extend(exported);
    bytes.extend(particles.pack(&slots));
    bytes
}

/// Puts what all ranks have packed in the place of what this one has.
fn take_in(world: &mut World, gathered: &[Vec<u8>]) -> Result<Own, StepError> {
    let garbled = || StepError::Elsewhere("what another rank has sent of its particles is garbled".to_owned());
    let mut all = Particles::default();
    all.next_id = world.particles.next_id;
    all.bodies.templates = world.particles.bodies.templates.clone();
    all.bodies.next_id = world.particles.bodies.next_id;
    for column in &world.particles.user {
        all.add_user_column(&column.name, &column.unit, column.width);
    }
    let (mut histories, mut forces) = (Vec::new(), Vec::new());
    for message in gathered {
        let mut rest = message.as_slice();
        records::join(&mut histories, records::take_from_bytes(&mut rest).ok_or_else(garbled)?);
        let (length, others) = rest.split_first_chunk().ok_or_else(garbled)?;
        let (exported, others) = others.split_at_checked(u64::from_le_bytes(*length) as usize).ok_or_else(garbled)?;
        forces.extend(ExportedForce::from_bytes(exported));
        all.append_packed(others).map_err(StepError::Elsewhere)?;
    }
    forces.sort_unstable_by_key(|force: &ExportedForce| force.key);
    all.rearrange(&all.slots_by_id());
    let own = Own {
        histories: world.kernels.iter().map(|kernel| kernel.save(&world.list, &world.particles.id)).collect(),
        particles: std::mem::replace(&mut world.particles, all),
        list: std::mem::take(&mut world.list),
        forces: std::mem::take(&mut world.forces),
        whole: std::mem::replace(&mut world.whole, Arc::new(Alone)),
    };
    for (law, kernel) in world.kernels.iter_mut().enumerate() {
        kernel.restore(&world.list, law, &[], &[]);
    }
    // a search of its own: nothing of this rank's changes
    ForceEvaluation::default().rebuild(world)?;
    for (law, (kernel, histories)) in world.kernels.iter_mut().zip(&histories).enumerate() {
        kernel.restore(&world.list, law, &world.particles.id, histories);
    }
    world.forces.import(&world.list, &world.particles.id, &forces);
    Ok(own)
}
