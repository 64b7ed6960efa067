//! Tests of insertion, by module.

use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::periodic_lengths::PeriodicLengths;
use super::sphere::NewSphere;

mod lattice;
mod obstacles;
mod pouring;
mod region;
mod sequential_addition;
mod size_distribution;

fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// Smallest gap between any two spheres over all 27 images, as a fraction of the sum of their radii; brute force, and
/// independent of the code under test.
fn smallest_gap(spheres: &[NewSphere], periodic: &PeriodicLengths) -> f64 {
    let mut images = vec![DVec3::ZERO];
    for axis in 0..3 {
        if let Some(length) = periodic.lengths[axis] {
            let shift = DVec3::AXES[axis] * length;
            let more: Vec<_> = images.iter().flat_map(|i| [*i - shift, *i + shift]).collect();
            images.extend(more);
        }
    }
    let mut smallest = f64::INFINITY;
    for (index, a) in spheres.iter().enumerate() {
        for b in &spheres[..index] {
            for image in &images {
                let distance = (a.centre - b.centre + image).length();
                smallest = smallest.min(distance / (a.radius + b.radius) - 1.0);
            }
        }
    }
    smallest
}
