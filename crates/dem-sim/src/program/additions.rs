//! Particles that a program inserts and takes out.

use dem_core::particles::{NO_BODY, NewParticle};

use super::error::{Partner, ProgramError};
use crate::builder::checks::table_overlaps::{TableSphere, worst};
use crate::simulation::components::Simulation;
use crate::state::movers::Mover;
use crate::state::wall_overlaps::{ROUNDING_OVERLAP, overlap_ratio};
use crate::state::world::World;

/// Spheres that a program inserts.
#[derive(Clone, Debug)]
pub struct Addition {
    /// The spheres.
    pub spheres: Vec<NewParticle>,
    /// How much they may overlap each other, other particles and walls, in proportion to the smaller radius \[-\]; what
    /// rounding explains always counts as none.
    pub most_overlap: f64,
}

impl Simulation {
    /// Inserts spheres, all or none, and returns their ids. Their energy is booked as brought in.
    ///
    /// # Errors
    /// [`ProgramError::Value`] for a radius or density that is not positive or a number that is not finite, [`ProgramError::Outside`],
    /// [`ProgramError::Overlap`].
    pub fn insert(&mut self, addition: Addition) -> Result<Vec<u64>, ProgramError> {
        self.check_whole()?;
        let Addition { mut spheres, most_overlap } = addition;
        self.check_numbers(&spheres)?;
        for (row, sphere) in spheres.iter_mut().enumerate() {
            self.world.cell.wrap(&mut sphere.position);
            if !self.is_in_domain(sphere) {
                return Err(ProgramError::Outside { row, position: sphere.position.to_array() });
            }
        }
        self.check_room(&spheres, most_overlap.max(ROUNDING_OVERLAP))?;
        let first = self.world.particles.next_id;
        let count = spheres.len() as u64;
        let add = |world: &mut World| {
            world.provenance.note_none(first);
            spheres.into_iter().for_each(|sphere| {
                world.insert(sphere);
            });
        };
        // what touches or is attracted from the start brings more than its own energy
        if most_overlap > ROUNDING_OVERLAP || self.acts_at_a_distance() {
            self.change_places(add)?;
        } else {
            add(&mut self.world);
            self.pipeline.forces.rebuild(&mut self.world)?;
            self.pipeline.forces.invalidate();
        }
        self.admit_contact_change();
        Ok((first..first + count).collect())
    }

    fn check_numbers(&self, spheres: &[NewParticle]) -> Result<(), ProgramError> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        for (row, sphere) in spheres.iter().enumerate() {
            let numbers = [("radius", sphere.radius), ("density", sphere.density)];
            if let Some((what, value)) = numbers.into_iter().find(|&(_, value)| !positive(value)) {
                return Err(ProgramError::Value { what, row, value, allowed: "a finite number above 0" });
            }
            let vectors = [
                ("position", sphere.position),
                ("velocity", sphere.velocity),
                ("angular_velocity", sphere.angular_velocity),
            ];
            for (what, vector) in vectors {
                if let Some(value) = vector.to_array().into_iter().find(|x| !x.is_finite()) {
                    return Err(ProgramError::Value { what, row, value, allowed: "a finite number" });
                }
            }
        }
        Ok(())
    }

    fn is_in_domain(&self, sphere: &NewParticle) -> bool {
        let cell = &self.world.cell;
        let (low, high) = (cell.origin, cell.origin + cell.matrix() * dem_core::DVec3::ONE);
        (0..3).all(|k| cell.periodic[k] || (low[k]..=high[k]).contains(&sphere.position[k]))
    }

    fn check_room(&self, spheres: &[NewParticle], limit: f64) -> Result<(), ProgramError> {
        let (p, cell) = (&self.world.particles, &self.world.cell);
        let rows: Vec<TableSphere> = spheres
            .iter()
            .enumerate()
            .map(|(row, sphere)| TableSphere { position: sphere.position, radius: sphere.radius, row })
            .collect();
        if let Some(found) = worst(p, &rows, cell, limit) {
            // the second one is always new
            let row = found.second - p.len();
            let partner = match found.first.checked_sub(p.len()) {
                Some(other) => Partner::Row(other),
                None => Partner::Particle(p.id[found.first]),
            };
            return Err(ProgramError::Overlap { row, partner, ratio: found.ratio, limit });
        }
        for (row, sphere) in spheres.iter().enumerate() {
            for wall in self.world.walls.iter().filter(|wall| wall.active) {
                let ratio = overlap_ratio(wall, sphere.position, sphere.radius);
                if ratio > limit {
                    let partner = Partner::Wall(wall.name.clone());
                    return Err(ProgramError::Overlap { row, partner, ratio, limit });
                }
            }
        }
        Ok(())
    }

    /// Takes spheres out. Their energy, and that of their contacts, is booked as taken out; they count as removed by stages.
    ///
    /// # Errors
    /// [`ProgramError::NoParticle`], [`ProgramError::Member`] for a sphere of a rigid body; nothing is taken out then.
    pub fn take_out_particles(&mut self, ids: &[u64]) -> Result<(), ProgramError> {
        self.check_whole()?;
        let p = &self.world.particles;
        let order = p.slots_by_id();
        let mut leaving = Vec::with_capacity(ids.len());
        for &id in ids {
            let at = order.binary_search_by_key(&id, |&slot| p.id[slot as usize]);
            let slot = order[at.map_err(|_| ProgramError::NoParticle(id))?] as usize;
            if p.body[slot] != NO_BODY {
                return Err(ProgramError::Member { particle: id, body: p.body[slot], what: "presence" });
            }
            leaving.push(slot);
        }
        leaving.sort_unstable();
        leaving.dedup();
        self.take_movers_out(leaving.into_iter().map(Mover::Sphere).collect())
    }

    /// The same of rigid bodies by their ids.
    ///
    /// # Errors
    /// [`ProgramError::NoParticle`]; nothing is taken out then.
    pub fn take_out_bodies(&mut self, ids: &[u32]) -> Result<(), ProgramError> {
        self.check_whole()?;
        let bodies = &self.world.particles.bodies.all;
        let place = |&id: &u32| {
            let at = bodies.iter().position(|body| body.id == id);
            at.ok_or(ProgramError::NoParticle(u64::from(id)))
        };
        let mut leaving = ids.iter().map(place).collect::<Result<Vec<usize>, _>>()?;
        leaving.sort_unstable();
        leaving.dedup();
        self.take_movers_out(leaving.into_iter().map(Mover::Body).collect())
    }

    fn take_movers_out(&mut self, leaving: Vec<Mover>) -> Result<(), ProgramError> {
        if self.remove_movers(&leaving)? > 0 {
            // a program may look at the contacts before the next step
            self.pipeline.forces.rebuild(&mut self.world)?;
            self.pipeline.forces.invalidate();
        }
        Ok(())
    }
}
