//! Sums over the particles of the whole assembly, whoever holds them.

use dem_core::exact_sum::exact_sums_of;

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

    /// Sums over some number of things of this part, and over those of others.
    pub(crate) fn sums_over<const N: usize>(&self, count: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        self.whole.sums(exact_sums_of(count, term))
    }

    /// Mean diameter \[m\] and density of the grains \[kg/m³\] of all particles.
    pub(crate) fn mean_diameter_and_density(&self) -> (f64, f64) {
        let p = &self.particles;
        let [radii, mass, volume] = self.sums_over_particles(|slot| {
            [p.radius[slot], p.mass[slot], dem_core::particles::sphere_volume(p.radius[slot])]
        });
        (2.0 * radii / self.particle_count() as f64, mass / volume)
    }
}
