//! All pairs, compared one by one: the oracle of the tests, and quick enough for a handful of particles.

use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::Particles;

use crate::{Broadphase, TooManyPairs};

/// Compares all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct BruteForce;

impl Broadphase for BruteForce {
    fn key(&self) -> &'static str {
        "brute_force"
    }

    fn candidates_within(
        &mut self,
        particles: &Particles,
        cell: &Cell,
        margin: f64,
        most: usize,
        rows: &mut CandidateRows,
    ) -> Result<(), TooManyPairs> {
        rows.row.clear();
        rows.partner.clear();
        rows.row.push(0);
        for i in 0..particles.len() {
            for j in i + 1..particles.len() {
                let d = cell.nearest_image(particles.position[j] - particles.position[i]);
                let range = particles.radius[i] + particles.radius[j] + margin;
                if d.length_squared() < range * range {
                    rows.partner.push(j as u32);
                }
            }
            rows.row.push(rows.partner.len() as u32);
        }
        TooManyPairs::unless_within(most, rows)
    }

    fn spatial_order(&mut self, particles: &Particles, _cell: &Cell, _margin: f64) -> Vec<u32> {
        (0..particles.len() as u32).collect()
    }
}
