//! What reports of progress show.

use std::time::Duration;

use crate::simulation::components::Simulation;

/// What progress reports show.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// Step.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Stage.
    pub stage: String,
    /// Particles.
    pub particles: usize,
    /// Rigid bodies; their spheres are among the particles.
    pub bodies: usize,
    /// Touching contacts.
    pub contacts: usize,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Particle-steps per second of wall time since the last report.
    pub rate: f64,
    /// Fraction of the run that is done, if it is known.
    pub done: Option<f64>,
    /// Wall time left at the present pace, if it is known.
    pub remaining: Option<Duration>,
}

impl Status {
    /// That of a simulation, with what only whoever runs it knows: particle-steps per second, the share that is done, and the time left.
    pub fn of(simulation: &Simulation, rate: f64, done: Option<f64>, remaining: Option<Duration>) -> Self {
        let world = &simulation.world;
        let count = world.contact_count();
        Self {
            step: world.step,
            time: world.time,
            stage: simulation.stage_name().to_owned(),
            particles: world.particle_count(),
            bodies: world.whole.count(world.particles.bodies.len()),
            contacts: count.pairs + count.walls,
            kinetic_energy: world.kinetic_energy(),
            rate,
            done,
            remaining,
        }
    }
}
