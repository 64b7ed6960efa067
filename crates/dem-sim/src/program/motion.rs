//! Positions, velocities and loads that a program gives to particles. Rows are in order of ids.

use dem_core::DVec3;
use dem_core::particles::{ExternalLoad, NO_BODY, frozen};

use super::error::ProgramError;
use crate::simulation::components::Simulation;
use crate::state::world::World;

/// Magnitude beyond which a number is of no use.
const LARGEST: f64 = 1e100;

/// What a program can give to particles, three numbers each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantities {
    /// Centres \[m\].
    Position,
    /// Velocities \[m/s\].
    Velocity,
    /// Angular velocities \[rad/s\].
    AngularVelocity,
    /// Forces of the program, which act until they are changed \[N\].
    ExternalForce,
    /// Torques of the program \[N m\].
    ExternalTorque,
}

impl Quantities {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::AngularVelocity => "angular_velocity",
            Self::ExternalForce => "external_force",
            Self::ExternalTorque => "external_torque",
        }
    }

    /// Whether members of rigid bodies take it from their body.
    pub fn is_of_bodies(self) -> bool {
        matches!(self, Self::Position | Self::Velocity | Self::AngularVelocity)
    }
}

impl Simulation {
    /// Gives all particles positions, velocities, angular velocities or loads, one row for each in order of ids; `order` has the slots in
    /// that order, see [`slots_by_id`](dem_core::particles::Particles::slots_by_id). Velocities
    /// keep the zeros of what is frozen.
    ///
    /// The energy is booked as exchanged but for loads: the ledger does not know their work, so that the balance of energies shows it. New positions end and
    /// begin contacts.
    ///
    /// # Errors
    /// [`ProgramError::Length`], [`ProgramError::Value`] for a number that is not finite, [`ProgramError::Member`] for a change of what a member of a rigid
    /// body takes from it; nothing is changed then.
    pub fn give(&mut self, what: Quantities, rows: &[DVec3], order: &[u32]) -> Result<(), ProgramError> {
        self.check_whole()?;
        let p = &self.world.particles;
        if rows.len() != p.len() {
            return Err(ProgramError::Length { expected: p.len(), given: rows.len() });
        }
        let is_wrong = |x: &f64| !(x.is_finite() && x.abs() <= LARGEST);
        for (row, (new, &slot)) in rows.iter().zip(order).enumerate() {
            if let Some(value) = new.to_array().into_iter().find(is_wrong) {
                return Err(ProgramError::Value { what: what.name(), row, value, allowed: "a finite number" });
            }
            let slot = slot as usize;
            if what.is_of_bodies() && p.body[slot] != NO_BODY && *new != present(&self.world, what, slot) {
                let (particle, body) = (p.id[slot], p.body[slot]);
                return Err(ProgramError::Member { particle, body, what: what.name() });
            }
        }
        let given = rows.iter().zip(order.iter().map(|&slot| slot as usize));
        match what {
            Quantities::ExternalForce | Quantities::ExternalTorque => {
                let external = &mut self.world.particles.external;
                external.resize(rows.len(), ExternalLoad::default());
                given.for_each(|(&new, slot)| match what {
                    Quantities::ExternalForce => external[slot].force = new,
                    _ => external[slot].torque = new,
                });
                if external.iter().all(|load| *load == ExternalLoad::default()) {
                    // without loads of a program the balance of energies is watched again
                    external.clear();
                }
                Ok(())
            }
            Quantities::Position => self.change_places(|world| {
                given.for_each(|(&new, slot)| {
                    let (p, cell) = (&mut world.particles, &world.cell);
                    if p.body[slot] == NO_BODY && p.position[slot] != new {
                        let mut place = new;
                        p.image[slot] = cell.wrap(&mut place);
                        p.position[slot] = place;
                    }
                });
            }),
            Quantities::Velocity => self.change_velocities(|world| {
                let p = &mut world.particles;
                given.for_each(|(&new, slot)| {
                    p.velocity[slot] = frozen::without(p.frozen[slot], frozen::TRANSLATION, new)
                });
            }),
            Quantities::AngularVelocity => self.change_velocities(|world| {
                let p = &mut world.particles;
                given.for_each(|(&new, slot)| {
                    p.angular_velocity[slot] = frozen::without(p.frozen[slot], frozen::ROTATION, new);
                });
            }),
        }
    }

    /// Changes velocities in any way and books the kinetic energy as exchanged.
    ///
    /// # Errors
    /// None yet.
    pub fn change_velocities(&mut self, change: impl FnOnce(&mut World)) -> Result<(), ProgramError> {
        let before = self.world.kinetic_energy();
        change(&mut self.world);
        self.world.accumulated.exchanged += self.world.kinetic_energy() - before;
        // the list of near pairs is not renewed for it: how far particles come off the paths that it reckons with is measured
        Ok(())
    }

    /// Changes the places of particles in any way, evaluates the forces there and books the energy as exchanged.
    ///
    /// # Errors
    /// A state that the simulation cannot go on from.
    pub fn change_places(&mut self, change: impl FnOnce(&mut World)) -> Result<(), ProgramError> {
        let before = self.world.energy().balance();
        change(&mut self.world);
        self.pipeline.initialise(&mut self.world)?;
        self.world.accumulated.exchanged += self.world.energy().balance() - before;
        Ok(())
    }

    /// Books the energy of positions, velocities or both that a program has written by itself: `balance` is that of all energies before positions, and
    /// `kinetic` the kinetic energy before velocities were written \[J\]. Positions are moved into the cell, and what is frozen is put back to rest.
    ///
    /// # Errors
    /// A state that the simulation cannot go on from.
    pub fn book_written(&mut self, balance: Option<f64>, kinetic: Option<f64>) -> Result<(), ProgramError> {
        let World { particles: p, cell, .. } = &mut self.world;
        for slot in 0..p.len() {
            p.velocity[slot] = frozen::without(p.frozen[slot], frozen::TRANSLATION, p.velocity[slot]);
            p.angular_velocity[slot] = frozen::without(p.frozen[slot], frozen::ROTATION, p.angular_velocity[slot]);
            if balance.is_some() {
                let crossed = cell.wrap(&mut p.position[slot]);
                for (image, crossed) in p.image[slot].iter_mut().zip(crossed) {
                    *image += crossed;
                }
            }
        }
        self.put_members_back();
        if let Some(before) = balance {
            self.pipeline.initialise(&mut self.world)?;
            self.world.accumulated.exchanged += self.world.energy().balance() - before;
        } else if let Some(before) = kinetic {
            self.world.accumulated.exchanged += self.world.kinetic_energy() - before;
        }
        Ok(())
    }

    /// Members of rigid bodies are where their bodies say, whatever was written for them.
    fn put_members_back(&mut self) {
        let World { particles, cell, .. } = &mut self.world;
        for at in 0..particles.bodies.len() {
            particles.place_members(at, cell);
        }
    }
}

fn present(world: &World, what: Quantities, slot: usize) -> DVec3 {
    let p = &world.particles;
    match what {
        Quantities::Position => p.position[slot],
        Quantities::Velocity => p.velocity[slot],
        Quantities::AngularVelocity => p.angular_velocity[slot],
        Quantities::ExternalForce => p.external.get(slot).map_or(DVec3::ZERO, |load| load.force),
        Quantities::ExternalTorque => p.external.get(slot).map_or(DVec3::ZERO, |load| load.torque),
    }
}
