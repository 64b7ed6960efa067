//! Sums over the particles of the whole assembly, whoever holds them.

use dem_core::bodies::body::Body;
use dem_core::exact_sum::exact_sums_of;
use dem_core::particles::{NO_BODY, sphere_volume};

use super::movers::Mover;
use super::world::World;

impl World {
    /// Number of particles of all parts.
    pub fn particle_count(&self) -> usize {
        self.whole.count(self.particles.owned())
    }

    /// Sum over all particles, that of the real numbers, rounded once; `term` is called for slots in any order.
    pub fn sum_over_particles(&self, term: impl Fn(usize) -> f64 + Sync) -> f64 {
        let [sum] = self.sums_over_particles(|slot| [term(slot)]);
        sum
    }

    /// The same of N numbers each.
    pub fn sums_over_particles<const N: usize>(&self, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        self.sums_over(self.particles.owned(), term)
    }

    /// Sums over all that is moved by itself: spheres, given their slots, and rigid bodies.
    pub fn sums_over_movers<const N: usize>(
        &self,
        of_sphere: impl Fn(usize) -> [f64; N] + Sync,
        of_body: impl Fn(&Body) -> [f64; N] + Sync,
    ) -> [f64; N] {
        let bodies = &self.particles.bodies.all;
        self.sums_of_movers(|mover| match mover {
            Mover::Sphere(slot) => of_sphere(slot),
            Mover::Body(at) => of_body(&bodies[at]),
        })
    }

    /// The same of one function of both.
    pub(crate) fn sums_of_movers<const N: usize>(&self, term: impl Fn(Mover) -> [f64; N] + Sync) -> [f64; N] {
        let p = &self.particles;
        self.sums_over(p.owned() + p.bodies.len(), |k| match k.checked_sub(p.owned()) {
            Some(at) => term(Mover::Body(at)),
            None if p.body[k] == NO_BODY => term(Mover::Sphere(k)),
            None => [0.0; N],
        })
    }

    /// Sums over some number of things of this part, and over those of others.
    pub(crate) fn sums_over<const N: usize>(&self, count: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        self.whole.sums(exact_sums_of(count, term))
    }

    /// Mean diameter \[m\] and density of the grains \[kg/m³\], of bodies by the spheres of their volumes.
    pub(crate) fn mean_diameter_and_density(&self) -> (f64, f64) {
        let [radii, mass, volume, count] = self.sums_of_movers(|mover| {
            let radius = self.radius_of(mover);
            [radius, self.mass_of(mover), sphere_volume(radius), 1.0]
        });
        (2.0 * radii / count, mass / volume)
    }
}
