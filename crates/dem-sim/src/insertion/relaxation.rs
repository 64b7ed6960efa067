//! Random moves of hard spheres that open holes in a full packing.

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::body_source::nearest_image;
use super::sequence::Sequence;
use super::uniform;

/// Sweeps between two searches for holes.
const SWEEPS: usize = 10;
/// Cycles without a new sphere after which the packing counts as jammed.
const FRUITLESS_CYCLES: u32 = 40;
/// Cycles of one attempt at most: what is not reached by then takes hours.
const MAXIMUM_CYCLES: u32 = 200;

/// Metropolis moves of the spheres of one attempt: each sphere in turn is shifted by a
/// random step, which is undone where it would overlap or leave the region. The step
/// follows the acceptance, towards four in ten.
pub(super) struct Relaxation {
    /// Step as a fraction of the radius.
    step: f64,
    fruitless: u32,
    cycles: u32,
    placed: usize,
}

impl Relaxation {
    pub fn new() -> Self {
        Self { step: 0.3, fruitless: 0, cycles: 0, placed: 0 }
    }

    /// Whether another cycle is worth while, given how many spheres are placed by now.
    pub fn goes_on(&mut self, placed: usize) -> bool {
        if placed > self.placed {
            self.placed = placed;
            self.fruitless = 0;
        }
        self.fruitless += 1;
        placed > 0 && self.fruitless <= FRUITLESS_CYCLES && self.cycles < MAXIMUM_CYCLES
    }

    /// Number of cycles so far.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// Moves every sphere [`SWEEPS`] times.
    pub fn cycle(&mut self, sequence: &mut Sequence<'_, '_>, rng: &mut Pcg64Mcg) {
        self.cycles += 1;
        for _ in 0..SWEEPS {
            let mut accepted = 0;
            for index in 0..sequence.placed.len() {
                accepted += usize::from(self.shift(sequence, index, rng));
            }
            let share = accepted as f64 / sequence.placed.len().max(1) as f64;
            let factor = if share < 0.4 { 0.9 } else { 1.1 };
            self.step = (self.step * factor).clamp(1e-6, 1.0);
        }
    }

    fn shift(&self, sequence: &mut Sequence<'_, '_>, index: usize, rng: &mut Pcg64Mcg) -> bool {
        let sphere = sequence.placed[index];
        let mut step = uniform::in_box(rng, DVec3::NEG_ONE, DVec3::ONE);
        if let Some(plane) = sequence.settings.plane {
            step[plane.axis] = 0.0;
        }
        let moved = sphere.centre + self.step * sphere.radius * step;
        let moved = nearest_image(sequence.region, sequence.occupied.periodic(), moved);
        let inside = sequence.domain(sphere.radius).is_some_and(|domain| domain.contains(moved));
        let number = sequence.first + index;
        if !inside || !sequence.occupied.relocate(number, moved, sequence.settings.gap) {
            return false;
        }
        sequence.placed[index].centre = moved;
        true
    }
}
