//! Sources that pour.

use dem_core::DVec3;

use super::components::Simulation;
use super::error::SimulationError;
use crate::state::world::World;

impl Simulation {
    /// Adds the spheres and bodies that sources pour before the next step.
    pub(super) fn pour(&mut self) -> Result<(), SimulationError> {
        for index in 0..self.sources.len() {
            if !self.sources[index].active {
                continue;
            }
            let source = &mut self.sources[index];
            let world = &self.world;
            let mut near: Option<Vec<(DVec3, f64)>> = None;
            let (bounds, reach) = (source.bounds, source.largest);
            let mut is_free = |centre: DVec3, radius: f64| {
                let near = near.get_or_insert_with(|| particles_near(world, bounds, reach));
                let clear = near
                    .iter()
                    .all(|&(x, r)| world.cell.nearest_image(x - centre).length_squared() >= (r + radius).powi(2));
                let clear = !world.whole.any(!clear);
                clear && world.walls.iter().filter(|wall| wall.active).all(|wall| wall.distance(centre) >= radius)
            };
            let grains = source
                .pouring
                .due(world.time_step, &mut is_free)
                .map_err(|error| SimulationError::Pouring { source_name: source.name.clone(), error })?;
            if !grains.is_empty() {
                let kind = source.kind.clone();
                self.world.provenance.note(self.world.particles.next_id, &source.name);
                let before = self.acts_at_a_distance().then(|| self.world.energy().balance());
                let forces = &mut self.pipeline.forces;
                forces.begin_insertion(&mut self.world)?;
                let present = self.world.particles.len();
                for grain in grains {
                    crate::state::insertion::insert_grain(&mut self.world, &kind, grain, DVec3::ZERO);
                }
                forces.end_insertion(&mut self.world, present)?;
                forces.invalidate();
                if let Some(before) = before {
                    // others may attract them already where they appear
                    self.book_change(before, true)?;
                }
            }
        }
        self.warn_blocked_pouring();
        Ok(())
    }

    fn warn_blocked_pouring(&mut self) {
        let blocked = self.sources.iter().find(|s| s.active && s.pouring.blocked_time() > 0.1);
        if let Some(source) = blocked
            && !self.warned.contains(&"pouring")
        {
            tracing::warn!(
                "source \"{}\" found no free place for {:.2} s in all: its region is too small for the rate, or full",
                source.name,
                source.pouring.blocked_time()
            );
            self.warned.push("pouring");
        }
    }

    /// Warns once that particles leave a domain that was not requested.
    pub(crate) fn warn_of_lost_particles(&mut self) {
        if !self.is_domain_given && self.world.removed > 0 && !self.warned.contains(&"lost particles") {
            tracing::warn!(
                "particles that leave the box around walls, regions and tables, {}, are removed: give [domain] for another box",
                self.world.cell.describe_box()
            );
            self.warned.push("lost particles");
        }
    }

    /// Whether every active source has either poured what was requested or finds no place for more.
    pub fn is_blocked(&self) -> bool {
        self.sources.iter().all(|s| !s.active || s.pouring.is_finished() || s.pouring.is_blocked())
    }

    /// Whether every active source has poured what was requested.
    pub fn is_poured(&self) -> bool {
        self.sources.iter().all(|source| !source.active || source.pouring.is_finished())
    }
}

/// Particles that a sphere of radius up to `reach` with its centre within `bounds` may touch.
fn particles_near(world: &World, bounds: (DVec3, DVec3), reach: f64) -> Vec<(DVec3, f64)> {
    let centre = 0.5 * (bounds.0 + bounds.1);
    let half = 0.5 * (bounds.1 - bounds.0);
    let p = &world.particles;
    (0..p.len())
        .filter(|&slot| {
            let d = world.cell.nearest_image(p.position[slot] - centre).abs();
            d.cmple(half + DVec3::splat(p.radius[slot] + reach)).all() || world.cell.is_periodic()
        })
        .map(|slot| (p.position[slot], p.radius[slot]))
        .collect()
}
