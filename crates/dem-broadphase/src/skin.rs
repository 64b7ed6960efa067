//! When the contact list must be rebuilt.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::Particles;
use dem_core::wall::{Pose, Wall};
use rayon::prelude::*;

/// Particles per unit of parallel work.
const BLOCK: usize = 4096;

/// Where everything was when the list was built, and how far it may move before the list can miss a contact.
///
/// A list built with a margin holds every pair that comes within its range as long as no two particles have together moved
/// by more than the margin, and no particle and wall.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Margin the list was built with \[m\].
    pub margin: f64,
    reference: Vec<DVec3>,
    wall_reference: Vec<Pose>,
}

impl Skin {
    /// Notes the present positions as those the list is built from.
    pub fn record(&mut self, particles: &Particles, walls: &[Wall], margin: f64) {
        self.margin = margin;
        self.reference.clone_from(&particles.position);
        self.wall_reference.clear();
        self.wall_reference.extend(walls.iter().map(|wall| wall.pose));
    }

    /// Largest displacement of a particle since the list was built \[m\].
    pub fn largest_displacement(&self, particles: &Particles, cell: &Cell) -> f64 {
        let periodic = cell.is_periodic();
        let blocks: Vec<f64> = particles
            .position
            .par_chunks(BLOCK)
            .zip(self.reference.par_chunks(BLOCK))
            .map(|(now, then)| {
                now.iter().zip(then).fold(0.0, |largest: f64, (&x, &x0)| {
                    let d = if periodic { cell.nearest_image(x - x0) } else { x - x0 };
                    largest.max(d.length_squared())
                })
            })
            .collect();
        blocks.into_iter().fold(0.0, f64::max).sqrt()
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
