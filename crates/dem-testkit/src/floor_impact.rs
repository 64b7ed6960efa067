//! A sphere that falls on a floor: the rebound under any law.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::energy::EnergyLedger;
use dem_sim::error::StepError;
use dem_sim::world::World;

use crate::worlds;

/// An impact without gravity.
#[derive(Clone, Debug)]
pub struct FloorImpact<'a> {
    /// Name of the law.
    pub law: &'a str,
    /// Its parameters.
    pub given: BTreeMap<String, ParameterValue>,
    /// Young's modulus of sphere and floor, whose Poisson's ratio is 0.25 \[Pa\].
    pub young_modulus: f64,
    /// Radius \[m\].
    pub radius: f64,
    /// Speed of approach \[m/s\].
    pub speed: f64,
    /// Steps in a contact duration.
    pub steps: f64,
}

/// E* of two equal bodies of the test material over their Young's modulus.
pub const OF_YOUNG_MODULUS: f64 = 1.0 / (2.0 * (1.0 - 0.25 * 0.25));

/// What an impact has left.
#[derive(Clone, Copy, Debug)]
pub struct Rebound {
    /// Speed of separation over that of approach; zero if the bodies stick.
    pub restitution: f64,
    /// Energies before it.
    pub start: EnergyLedger,
    /// Energies after it.
    pub end: EnergyLedger,
}

impl FloorImpact<'_> {
    /// Mass of the sphere \[kg\].
    pub fn mass(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3) * worlds::DENSITY
    }

    /// Lets the sphere fall and rebound, or stick, for up to four contact durations.
    ///
    /// # Errors
    /// What a step returns.
    ///
    /// # Panics
    /// If the law or its parameters are refused.
    pub fn run(&self) -> Result<Rebound, StepError> {
        let mut world = worlds::world_of(self.law, &self.given, Cell::unbounded(), self.young_modulus);
        worlds::add_floor(&mut world);
        let mut sphere = worlds::sphere(DVec3::Z * (self.radius * (1.0 + 1e-9)), self.radius);
        sphere.velocity = DVec3::Z * -self.speed;
        world.insert(sphere);
        let duration = world.kernels[0].contact_duration(0, 0, self.radius, self.mass(), self.speed);
        let start = world.energy();
        world.time_step = duration / self.steps;
        let mut pipeline = worlds::pipeline();
        pipeline.limits.overlap_ratio = 1.0;
        pipeline.initialise(&mut world)?;
        for _ in 0..(4.0 * self.steps) as u64 {
            pipeline.step(&mut world)?;
            if rebounds(&world) {
                break;
            }
        }
        let speed = if rebounds(&world) { world.particles.velocity[0].z } else { 0.0 };
        Ok(Rebound { restitution: speed / self.speed, start, end: world.energy() })
    }

    /// Root mean square of a number over sixteen impacts with slightly different steps.
    ///
    /// Where a force jumps, the error of one impact depends on where in a step the jump falls, and is no measure of
    /// convergence; that of many is.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn rms(&self, number: impl Fn(&Rebound) -> f64) -> Result<f64, StepError> {
        const RUNS: u32 = 16;
        let mut sum = 0.0;
        for k in 0..RUNS {
            let impact = Self { steps: self.steps * (1.0 + f64::from(k) / 64.0), ..self.clone() };
            sum += number(&impact.run()?).powi(2);
        }
        Ok((sum / f64::from(RUNS)).sqrt())
    }
}

/// Whether the sphere leaves, and nothing holds it any more.
fn rebounds(world: &World) -> bool {
    let mut contacts = 0;
    let leaves = world.particles.velocity[0].z > 0.0 && world.particles.position[0].z > world.particles.radius[0];
    if leaves {
        world.visit_contacts(&mut |_| contacts += 1);
    }
    leaves && contacts == 0
}
