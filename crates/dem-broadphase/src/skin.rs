//! When the contact list must be rebuilt.

use dem_core::affine::{AffineStep, largest_shrinkage};
use dem_core::cell::Cell;
use dem_core::particles::Particles;
use dem_core::wall::{Pose, Wall};
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

use crate::reference::{BLOCK, Reference};

/// Where everything was when the list was built, and how far it may move before the list can miss a contact.
///
/// A list built with a margin holds every pair that comes within its range as long as no two particles have together moved
/// by more than the margin, and no particle and wall. A cell that deforms carries particles along, which does not count as such; but it
/// shrinks the distances of pairs, at most by the share that its deformation shrinks any length.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Margin the list was built with \[m\].
    pub margin: f64,
    /// Largest distance of two centres that interact \[m\].
    range: f64,
    /// Deformation gradient of the cell since the list was built.
    deformation: DMat3,
    reference: Reference,
    wall_reference: Vec<Pose>,
}

impl Skin {
    /// Notes the present positions as those the list is built from. `range` is the largest distance of two centres that interact \[m\].
    pub fn record(&mut self, particles: &Particles, walls: &[Wall], margin: f64, range: f64) {
        self.margin = margin;
        self.range = range;
        self.deformation = DMat3::IDENTITY;
        self.reference.record(&particles.position);
        self.wall_reference.clear();
        self.wall_reference.extend(walls.iter().map(|wall| wall.pose));
    }

    /// Notes that the cell has carried the particles along.
    pub fn deform(&mut self, step: &AffineStep) {
        self.deformation = step.gradient * self.deformation;
    }

    /// Largest displacement of a particle since the list was built \[m\], beside that of the cell, which counts by half of what it has
    /// used up of the margin.
    pub fn largest_displacement(&self, particles: &Particles, cell: &Cell) -> f64 {
        let periodic = cell.is_periodic();
        let carried = (self.deformation != DMat3::IDENTITY).then_some((self.deformation, cell.origin));
        let blocks: Vec<f64> = particles
            .position
            .par_chunks(BLOCK)
            .zip(self.reference.blocks())
            .map(|(now, then)| {
                now.iter().zip(then).fold(0.0, |largest: f64, (&x, x0)| {
                    let x0 = carried.map_or(x0, |(gradient, origin)| origin + gradient * (x0 - origin));
                    let d = if periodic { cell.nearest_image(x - x0) } else { x - x0 };
                    largest.max(d.length_squared())
                })
            })
            .collect();
        let stretch = carried.map_or(1.0, |(gradient, _)| largest_stretch(gradient));
        let displacement = blocks.into_iter().fold(0.0, f64::max).sqrt() + stretch * self.reference.rounding();
        let shrinkage = if carried.is_some() { largest_shrinkage(self.deformation) } else { 0.0 };
        displacement + 0.5 * shrinkage * (self.range + self.margin)
    }

    /// Whether the list was built for as many particles and walls.
    pub fn fits(&self, particles: &Particles, walls: &[Wall]) -> bool {
        self.reference.len() == particles.len() && self.wall_reference.len() == walls.len()
    }

    /// Whether the list may miss a contact if no particle has moved by more than `displacement` \[m\] since it was built.
    ///
    /// `reach` bounds the distance of any particle from any wall's reference point \[m\].
    pub fn is_exhausted_by(&self, displacement: f64, walls: &[Wall], reach: f64) -> bool {
        if 2.0 * displacement >= self.margin {
            return true;
        }
        walls
            .iter()
            .zip(&self.wall_reference)
            .any(|(wall, since)| displacement + wall.surface_displacement(since, reach) >= self.margin)
    }
}

/// Bound of what a deformation stretches any length by: the root of the sum of squares.
fn largest_stretch(gradient: DMat3) -> f64 {
    [gradient.x_axis, gradient.y_axis, gradient.z_axis].map(DVec3::length_squared).iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use dem_core::DQuat;
    use dem_core::cell::FacePolicy;
    use dem_core::particles::NewParticle;

    use super::*;

    #[test]
    fn displacements_are_bounded_from_above_and_closely() {
        let mut particles = Particles::default();
        for k in 0..9000u32 {
            particles.push(NewParticle {
                position: DVec3::new(f64::from(k).sin(), f64::from(k).cos(), 0.1 + 1e-4 * f64::from(k)),
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius: 1e-3,
                density: 1.0,
                material: 0,
                group: 1,
                frozen: 0,
            });
        }
        let cell = Cell::orthogonal(DVec3::splat(-2.0), DVec3::splat(2.0), [false; 3], [[FacePolicy::Error; 2]; 3]);
        let mut skin = Skin::default();
        skin.record(&particles, &[], 1e-4, 2e-3);
        let none = skin.largest_displacement(&particles, &cell);
        assert!(none > 0.0 && none < 1e-9, "{none}");
        let mut moved = 0.0;
        // what is rounded one way is measured too short the other way
        let start = particles.position[8999];
        for way in [3e-6, -3e-6] {
            particles.position[8999].y = start.y + way;
            moved = skin.largest_displacement(&particles, &cell);
            let exact = (particles.position[8999] - start).length();
            assert!(moved >= exact && moved < exact + 1e-9, "{moved} {exact}");
        }
        assert!(skin.is_exhausted_by(moved, &[], 0.0) == (2.0 * moved >= 1e-4));

        // a cell that turns by a right angle carries them along and shortens nothing
        let turn = DMat3::from_rotation_z(std::f64::consts::FRAC_PI_2);
        skin.deformation = turn;
        for x in &mut particles.position {
            *x = cell.origin + turn * (*x - cell.origin);
        }
        let turned = skin.largest_displacement(&particles, &cell);
        assert!((2.999_999_999e-6..3.002e-6).contains(&turned), "{turned}");
    }
}
