//! Impact of one sphere on a plane, with the law and nothing else of the engine.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::law::ContactLaw;
use dem_core::DVec3;
use dem_core::history::ContactWork;
use dem_core::material::{Material, PairMaterial};

use crate::single_contact::{ALONG, SingleContact};

/// An impact without initial spin.
#[derive(Clone, Copy, Debug)]
pub struct ObliqueImpact {
    /// The two materials.
    pub pair: PairMaterial,
    /// Radius \[m\].
    pub radius: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Speed \[m/s\].
    pub speed: f64,
    /// Friction coefficient.
    pub friction: f64,
}

/// What comes out.
#[derive(Clone, Copy, Debug)]
pub struct Rebound {
    /// Tangential velocity of the centre after to that before the impact.
    pub tangential_restitution: f64,
    /// Largest tangential force to friction coefficient times largest normal force.
    pub largest_force_ratio: f64,
    /// Kinetic energy lost \[J\].
    pub lost: f64,
    /// Kinetic energy before \[J\].
    pub initial: f64,
    /// What the law booked.
    pub work: ContactWork,
}

impl ObliqueImpact {
    /// Aluminium oxide on soda-lime glass: A. H. Kharaz, D. A. Gorham, A. D. Salman, Powder Technol. 120 (2001) 281; data of A. Di Renzo,
    /// F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, Table 1.
    pub fn of_kharaz() -> Self {
        let material = |young_modulus, poisson_ratio| Material {
            name: String::new(),
            density: 4000.0,
            young_modulus,
            poisson_ratio,
        };
        Self {
            pair: PairMaterial::new(&material(380e9, 0.23), &material(70e9, 0.25)),
            radius: 2.5e-3,
            density: 4000.0,
            speed: 3.9,
            friction: 0.092,
        }
    }

    /// Impact at an angle to the normal \[rad\], in steps of `1/steps` of its duration.
    ///
    /// Velocity Verlet with the velocity predicted for the end of the step.
    pub fn run<L: ContactLaw>(
        &self,
        parameters: &BTreeMap<String, ParameterValue>,
        angle: f64,
        steps: usize,
    ) -> Rebound {
        let mass = self.density * 4.0 / 3.0 * std::f64::consts::PI * self.radius * self.radius * self.radius;
        // the contact point of a sphere responds as 2/7 of its mass
        let point_mass = 2.0 / 7.0 * mass;
        let mut contact = SingleContact::<L>::new(&self.pair, parameters, self.radius, mass);
        let (normal0, tangential0) = (self.speed * libm::cos(angle), self.speed * libm::sin(angle));
        let dt = contact.law.contact_duration(self.radius, mass, normal0) / steps as f64;
        let (mut approach, mut slip_rate) = (normal0, tangential0);
        let (mut normal_force, mut opposing) = (0.0, 0.0);
        let (mut impulse, mut largest_normal, mut largest) = (0.0, 0.0f64, 0.0f64);
        for _ in 0..100 * steps {
            let overlap = contact.overlap + dt * (approach - 0.5 * dt * normal_force / mass);
            let slip = dt * (slip_rate - 0.5 * dt * opposing / point_mass);
            let mut k = contact.kinematics(overlap, ALONG * slip, dt);
            k.overlap_rate = approach - dt * normal_force / mass;
            let response = contact.respond(&k);
            let now = -DVec3::from(response.tangential_force).dot(ALONG);
            approach -= 0.5 * dt * (normal_force + response.normal_force) / mass;
            slip_rate -= 0.5 * dt * (opposing + now) / point_mass;
            impulse += 0.5 * dt * (opposing + now);
            (normal_force, opposing) = (response.normal_force, now);
            (largest_normal, largest) = (largest_normal.max(normal_force), largest.max(now.abs()));
            if overlap <= 0.0 {
                break;
            }
        }
        let energy = |approach: f64, slip_rate: f64| {
            // the mode that does not slip is left alone
            0.5 * mass * approach * approach + 0.5 * point_mass * slip_rate * slip_rate
        };
        Rebound {
            tangential_restitution: 1.0 - impulse / (mass * tangential0),
            largest_force_ratio: largest / (self.friction * largest_normal),
            lost: energy(normal0, tangential0) - energy(approach, slip_rate),
            initial: energy(normal0, tangential0),
            work: contact.work(),
        }
    }
}
