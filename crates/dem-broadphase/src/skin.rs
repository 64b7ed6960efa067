//! When the contact list must be rebuilt.

use dem_core::affine::{AffineStep, largest_shrinkage};
use dem_core::cell::Cell;
use dem_core::particles::Particles;
use dem_core::wall::{Pose, Wall};
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

/// Particles per unit of parallel work.
const BLOCK: usize = 4096;

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
    reference: Vec<DVec3>,
    wall_reference: Vec<Pose>,
}

impl Skin {
    /// Notes the present positions as those the list is built from. `range` is the largest distance of two centres that interact \[m\].
    pub fn record(&mut self, particles: &Particles, walls: &[Wall], margin: f64, range: f64) {
        self.margin = margin;
        self.range = range;
        self.deformation = DMat3::IDENTITY;
        self.reference.clone_from(&particles.position);
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
            .zip(self.reference.par_chunks(BLOCK))
            .map(|(now, then)| {
                now.iter().zip(then).fold(0.0, |largest: f64, (&x, &x0)| {
                    let x0 = carried.map_or(x0, |(gradient, origin)| origin + gradient * (x0 - origin));
                    let d = if periodic { cell.nearest_image(x - x0) } else { x - x0 };
                    largest.max(d.length_squared())
                })
            })
            .collect();
        let displacement = blocks.into_iter().fold(0.0, f64::max).sqrt();
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
