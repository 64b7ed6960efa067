//! Walls that stages bring in, among spheres that may be in their place.

use dem_contact::kernel::ForceKernel;
use dem_core::contact_list::PartnerKind;
use dem_core::history::{SavedRecord, stride};

use super::components::Simulation;
use super::error::SimulationError;
use crate::state::wall_overlaps::{ROUNDING_OVERLAP, deepest, spheres};
use crate::state::world::World;

impl Simulation {
    /// Puts a wall in place, unless it cuts spheres deeper than it may. What its contacts hold elastically from the start comes with it.
    pub(super) fn add_wall(&mut self, number: usize) -> Result<(), SimulationError> {
        let limit = self.cuts_allowed.get(number).copied().unwrap_or(ROUNDING_OVERLAP);
        let wall = &self.world.walls[number];
        if wall.active {
            return Ok(());
        }
        if let Some(cut) = deepest(wall, spheres(&self.world), |_, _| 0.0, limit) {
            return Err(SimulationError::WallCutsSpheres {
                stage: self.stage_name().to_owned(),
                wall: wall.name.clone(),
                particle: cut.particle,
                what: cut.describe(&wall.name, limit),
            });
        }
        let cut = deepest(wall, spheres(&self.world), |_, _| 0.0, 0.0);
        self.world.walls[number].active = true;
        if let Some(cut) = cut {
            let before = self.world.energy().balance();
            let world = &mut self.world;
            self.pipeline.forces.rebuild(world)?;
            begin_contacts(world, number);
            let brought = world.energy().balance() - before;
            world.accumulated.exchanged += brought;
            if cut.ratio > ROUNDING_OVERLAP {
                tracing::warn!(
                    "stage \"{}\": the wall \"{}\" is put through {} spheres, deepest through particle {} by {:.3e} of its radius: {brought:.3e} J are booked as exchanged energy",
                    self.stage_name(),
                    self.world.walls[number].name,
                    cut.count,
                    cut.particle,
                    cut.ratio
                );
            }
        }
        self.pipeline.forces.invalidate();
        Ok(())
    }
}

/// Gives the contacts of a wall that spheres touch already histories of zeros, by which the ledger knows them before the next step.
fn begin_contacts(world: &mut World, wall: usize) {
    let mut kernels = std::mem::take(&mut world.kernels);
    for (law, kernel) in kernels.iter_mut().enumerate() {
        let mut records = kernel.save(&world.list, &world.particles.id);
        records.extend(new_records(world, law, kernel.as_ref(), wall));
        kernel.restore(&world.list, law, &world.particles.id, &records);
    }
    world.kernels = kernels;
}

fn new_records(world: &World, law: usize, kernel: &dyn ForceKernel, wall: usize) -> Vec<SavedRecord> {
    let (list, context) = (&world.list, world.context());
    let numbers = stride(kernel.fields()).max(1);
    let (mut new, mut history) = (Vec::new(), Vec::new());
    for segment in list.segments.iter().filter(|s| s.law == law && s.partner == PartnerKind::Wall) {
        for candidate in segment.start as usize..segment.end as usize {
            let of_wall = list.second[candidate] as usize == wall;
            if of_wall && kernel.respond_alone(list, segment, candidate, &context, &mut history).is_some() {
                let key = list.key(segment, candidate, &world.particles.id);
                new.push(SavedRecord { key, record: vec![0.0; numbers] });
            }
        }
    }
    new
}
