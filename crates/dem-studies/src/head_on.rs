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

#[cfg(test)]
mod tests {
    use dem_reference::plastic_impact::viscoelastic_spheres;

    use super::*;
    use crate::material::Material;
    use crate::named_choice::NamedChoice;
    use crate::sphere_and_partner::Partner;

    #[test]
    fn a_restitution_at_a_speed_is_reached_by_all_sizes_and_falls_with_the_speed() {
        let material = Material::parse("--material", "2500 kg/m^3, 3.75 GPa, 0.25").unwrap();
        for (radius, wanted) in [(0.5e-3_f64, 0.8), (20e-3, 0.8), (5e-3, 0.4)] {
            let bodies = SphereAndPartner {
                sphere: material,
                partner_material: material,
                partner: Partner::Wall,
                radius,
                friction: 0.3,
                restitution: 1.0,
                law: NamedChoice::law(&format!("hertz-mindlin:restitution={wanted},restitution_speed=0.5 m/s"))
                    .unwrap(),
                integrator: NamedChoice::integrator("velocity-verlet").unwrap(),
                lever: "half".to_owned(),
                gravity: 0.0,
            };
            let found = |speed: f64| Rebound::run(&bodies, speed, 4000.0, 6.0).unwrap().restitution;
            assert!((found(0.5) - wanted).abs() < 1e-3, "{radius} {}", found(0.5));
            // the dissipation time that the reference has this restitution with at 0.5 m/s, by bisection
            let mass = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * material.density;
            let expected = |time: f64, speed: f64| viscoelastic_spheres(radius, mass, 2e9, time, speed);
            let (mut low, mut high) = (0.0, 1e-3);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if expected(middle, 0.5) > wanted { low = middle } else { high = middle }
            }
            for speed in [0.01, 5.0] {
                let (found, expected) = (found(speed), expected(low, speed));
                assert!((found - expected).abs() < 1e-3, "{radius} {speed}: {found} {expected}");
            }
        }
    }
}
