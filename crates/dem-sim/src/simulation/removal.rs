//! Particles that a stage takes out.

use super::components::Simulation;
use crate::error::StepError;
use crate::insertion::region::Region;

/// What a stage has taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Removed {
    /// Particles.
    pub count: usize,
    /// Their mass \[kg\].
    pub mass: f64,
}

impl Simulation {
    /// Takes out the particles with their centres in a region; their energy is booked as taken out, that of their contacts, too.
    pub(super) fn remove_particles(&mut self, region: &Region) -> Result<Removed, StepError> {
        let Self { world, pipeline, .. } = self;
        if world.list.incidence_row.len() != world.particles.len() + 1 {
            // some are not in the list yet
            pipeline.forces.rebuild(world)?;
        }
        let p = &world.particles;
        let is_inside = |slot: &u32| {
            let mut centre = p.position[*slot as usize];
            world.cell.wrap(&mut centre);
            region.contains(centre)
        };
        let inside: Vec<u32> = (0..p.owned() as u32).filter(is_inside).collect();
        let [mass] = world.sums_over(inside.len(), |at| [p.mass[inside[at] as usize]]);
        let removed = Removed { count: world.whole.count(inside.len()), mass };
        if removed.count > 0 {
            pipeline.take_out(world, inside);
            pipeline.forces.invalidate();
            world.removed_by_stages += removed.count as u64;
        }
        Ok(removed)
    }
}
