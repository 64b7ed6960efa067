//! Particles that a stage takes out.

use super::components::Simulation;
use crate::error::StepError;
use crate::insertion::region::Region;
use crate::state::movers::Mover;

/// What a stage has taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Removed {
    /// Spheres by themselves and bodies.
    pub count: usize,
    /// Their mass \[kg\].
    pub mass: f64,
}

impl Simulation {
    /// Takes out the particles with their centres, those of bodies, in a region; their energy is booked as taken out, that of their contacts, too.
    pub(super) fn remove_particles(&mut self, region: &Region) -> Result<Removed, StepError> {
        let world = &self.world;
        let is_inside = |mover: &Mover| {
            let mut centre = world.centre_of(*mover);
            world.cell.wrap(&mut centre);
            region.contains(centre)
        };
        let inside: Vec<Mover> = world.movers().filter(is_inside).collect();
        let [mass] = world.sums_over(inside.len(), |at| [world.mass_of(inside[at])]);
        Ok(Removed { count: self.remove_movers(&inside)?, mass })
    }

    /// Takes spheres and bodies out, and returns how many these are in all parts of the assembly.
    pub(crate) fn remove_movers(&mut self, leaving: &[Mover]) -> Result<usize, StepError> {
        let Self { world, pipeline, .. } = self;
        if world.list.incidence_row.len() != world.particles.len() + 1 {
            // some are not in the list yet
            pipeline.forces.rebuild(world)?;
        }
        let count = world.whole.count(leaving.len());
        if count > 0 {
            pipeline.take_out(world, leaving);
            pipeline.forces.invalidate();
            world.removed_by_stages += count as u64;
        }
        Ok(count)
    }
}
