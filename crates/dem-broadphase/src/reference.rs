//! Positions to compare later ones with, in half the bytes.
//!
//! Each block of particles has a box around it, which is cut into 2³² parts along its longest edge. By how much any position is rounded is
//! known, so that a bound on displacements stays one.

use dem_core::DVec3;
use rayon::prelude::*;

/// Particles that share a box.
pub(crate) const BLOCK: usize = 4096;

/// Positions of particles by slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reference {
    boxes: Vec<Extent>,
    /// Places in the boxes.
    place: Vec<[i32; 3]>,
    rounding: f64,
}

/// Box around some particles.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    centre: DVec3,
    /// A unit of a place \[m\].
    unit: f64,
}

impl Extent {
    fn of(positions: &[DVec3]) -> Self {
        let low = positions.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = positions.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let half = (0.5 * high - 0.5 * low).max_element();
        Self { centre: 0.5 * low + 0.5 * high, unit: half / f64::from(i32::MAX) }
    }

    fn place(&self, position: DVec3) -> [i32; 3] {
        // a box without extent has one place: NaN becomes zero
        ((position - self.centre) / self.unit).to_array().map(|units| units.round() as i32)
    }

    fn position(&self, place: [i32; 3]) -> DVec3 {
        self.centre + self.unit * DVec3::from_array(place.map(f64::from))
    }
}

impl Reference {
    /// Notes positions.
    pub fn record(&mut self, positions: &[DVec3]) {
        self.boxes.resize(positions.len().div_ceil(BLOCK), Extent::default());
        self.place.resize(positions.len(), [0; 3]);
        let blocks = (self.boxes.par_iter_mut(), self.place.par_chunks_mut(BLOCK), positions.par_chunks(BLOCK));
        let rounding: Vec<f64> = blocks
            .into_par_iter()
            .map(|(of, place, positions)| {
                *of = Extent::of(positions);
                place.iter_mut().zip(positions).fold(0.0, |largest: f64, (place, &position)| {
                    *place = of.place(position);
                    largest.max((of.position(*place) - position).length())
                })
            })
            .collect();
        self.rounding = rounding.into_iter().fold(0.0, f64::max);
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// By how much any position is rounded at most \[m\].
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The positions, block by block.
    pub fn blocks(&self) -> impl IndexedParallelIterator<Item = impl Iterator<Item = DVec3> + '_> + '_ {
        let blocks = self.boxes.par_iter().zip(self.place.par_chunks(BLOCK));
        blocks.map(|(of, places)| places.iter().map(|&place| of.position(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_rounded_by_no_more_than_it_says_and_by_little() {
        let far = DVec3::new(1e3, -2e3, 5.0);
        let scattered =
            |k: usize| far + DVec3::new((k as f64 * 0.37).sin(), (k as f64 * 0.73).cos(), 1e-3 * (k % 7) as f64);
        let positions: Vec<DVec3> = (0..BLOCK + 100).map(scattered).collect();
        let mut reference = Reference::default();
        for count in [positions.len(), 0, 1, 2, BLOCK] {
            reference.record(&positions[..count]);
            assert_eq!(reference.len(), count);
            let kept: Vec<DVec3> = reference.blocks().flat_map_iter(|block| block).collect();
            let off =
                kept.iter().zip(&positions).map(|(kept, position)| (*kept - *position).length()).fold(0.0, f64::max);
            assert_eq!((kept.len(), off), (count, reference.rounding()));
            // half a unit of a box of two metres, and that of the coordinates themselves
            assert!(off < 3f64.sqrt() * (0.25e-9 + 0.25e-12), "{off}");
        }
        reference.record(&positions[..1]);
        assert_eq!(reference.rounding(), 0.0);
    }

    #[test]
    fn boxes_of_any_size_are_bounded() {
        let mut reference = Reference::default();
        reference.record(&[DVec3::splat(-1e150), DVec3::ZERO, DVec3::splat(1e150)]);
        assert!(reference.rounding() < 1e142, "{}", reference.rounding());
        reference.record(&[DVec3::splat(1e-320), DVec3::ZERO]);
        assert!(reference.rounding() < 1e-310, "{}", reference.rounding());
    }
}
