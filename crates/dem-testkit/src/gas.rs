//! A gas of equal spheres in a periodic box, soft enough that a contact is a fair share of the free time.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_sim::world::World;

use crate::worlds::{self, Scatter};

/// The gas; it starts on a cubic lattice with random velocities and spins.
#[derive(Clone, Copy, Debug)]
pub struct Gas {
    /// Spheres.
    pub count: usize,
    /// Distance of the sites of the lattice \[m\].
    pub spacing: f64,
    /// Radius \[m\].
    pub radius: f64,
    /// Young's modulus \[Pa\].
    pub young_modulus: f64,
}

impl Default for Gas {
    /// Spheres that fill 27 % of space.
    fn default() -> Self {
        Self { count: 1000, spacing: 0.01, radius: 0.004, young_modulus: 1e7 }
    }
}

/// Variance of each component of the velocities, which are uniform in [−1, 1) m/s \[m²/s²\].
const VARIANCE: f64 = 1.0 / 3.0;

impl Gas {
    /// Time between two collisions of a sphere \[s\], of a gas of hard spheres (Enskog): `1/ν`, `ν = 4 n d² √(π θ) χ`,
    /// `χ = (1 − φ/2)/(1 − φ)³`.
    pub fn mean_free_time(&self) -> f64 {
        let (n, d) = (self.spacing.powi(-3), 2.0 * self.radius);
        let share = n * dem_core::particles::sphere_volume(self.radius);
        let contact = (1.0 - 0.5 * share) / (1.0 - share).powi(3);
        1.0 / (4.0 * n * d * d * (std::f64::consts::PI * VARIANCE).sqrt() * contact)
    }

    /// Duration of an impact at the root-mean-square relative speed \[s\].
    pub fn contact_duration(&self, world: &World) -> f64 {
        let speed = (6.0 * VARIANCE).sqrt();
        world.kernels[0].contact_duration(0, 0, 0.5 * self.radius, 0.5 * world.particles.mass[0], speed)
    }

    /// Parameters that every law accepts, a linear spring as soft as the default Hertz contact.
    pub fn parameters(law: &str, friction: f64, restitution: f64) -> BTreeMap<String, ParameterValue> {
        let mut given = worlds::common_parameters(law, friction, restitution);
        // 5 kN/m for the usual 1 MN/m
        worlds::scale_springs(&mut given, 5e-3);
        given
    }

    /// The gas under a law.
    pub fn world(&self, law: &str, given: &BTreeMap<String, ParameterValue>) -> World {
        let per_edge = (1..).find(|k| k * k * k >= self.count).unwrap_or(1);
        let high = DVec3::splat(per_edge as f64 * self.spacing);
        let cell = Cell::orthogonal(DVec3::ZERO, high, [true; 3], [[FacePolicy::Error; 2]; 3]);
        let mut world = worlds::world_of(law, given, cell, self.young_modulus);
        let mut scatter = Scatter(3);
        for k in 0..self.count {
            let site = [k % per_edge, k / per_edge % per_edge, k / per_edge / per_edge].map(|x| x as f64 + 0.5);
            let mut sphere = worlds::sphere(DVec3::from_array(site) * self.spacing, self.radius);
            sphere.velocity = scatter.next_vector();
            sphere.angular_velocity = 100.0 * scatter.next_vector();
            world.insert(sphere);
        }
        world
    }
}
