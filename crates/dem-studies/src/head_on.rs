//! Head-on impacts of bodies that may yield, adhere and stick: what is left of the speed, and where the energy went.

use dem_core::energy::EnergyLedger;
use dem_core::history::FurtherWork;
use dem_sim::world::World;

use crate::error::StudyError;
use crate::sphere_and_partner::{Approach, SphereAndPartner};

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

impl Rebound {
    /// Lets a sphere meet a wall without gravity, in steps of `1/steps` of the duration of its impact, for up to some durations: so long a body that
    /// will part may be held.
    ///
    /// # Errors
    /// A scene that the engine refuses, a step that fails.
    pub fn run(bodies: &SphereAndPartner, speed: f64, steps: f64, durations: f64) -> Result<Self, StudyError> {
        let approach = Approach { normal_speed: speed, tangential_velocity: 0.0, spin: 0.0 };
        let mut simulation = bodies.at_touch(approach, steps)?;
        let start = simulation.world.energy();
        for _ in 0..(durations * steps) as u64 {
            simulation.advance()?;
            if parts(&simulation.world) {
                break;
            }
        }
        let world = &simulation.world;
        let away = if parts(world) { world.particles.velocity[0].z } else { 0.0 };
        Ok(Self { restitution: away / speed, start, end: world.energy() })
    }

    /// Lost where surfaces snapped together and apart \[J\].
    pub fn adhesion_work(&self) -> f64 {
        self.end.further[FurtherWork::Adhesion.place()]
    }

    /// Taken by plastic deformation \[J\].
    pub fn plastic_work(&self) -> f64 {
        self.end.further[FurtherWork::Plastic.place()]
    }

    /// What the balance of energies is off by, over the kinetic energy before.
    pub fn imbalance(&self) -> f64 {
        (self.end.balance() - self.start.balance()) / self.start.kinetic()
    }
}

/// Whether the sphere leaves the wall, and nothing holds it any more.
fn parts(world: &World) -> bool {
    let p = &world.particles;
    p.velocity[0].z > 0.0 && p.position[0].z > p.radius[0] && p.force[0].z == 0.0
}
