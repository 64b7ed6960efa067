//! Sample cells that tell how well particles are mixed.

use dem_core::DVec3;
use dem_core::cell::Cell;

use crate::insertion::region::Region;

/// A grid of sample cells over the domain or over the box around a region.
#[derive(Clone, Debug, PartialEq)]
pub struct MixingGrid {
    /// Name, part of those of its columns.
    pub name: String,
    /// Material whose share in every cell is taken.
    pub reference: u16,
    /// Cells along x, y and z.
    pub cells: [usize; 3],
    /// Where particles count; everywhere in the domain without it.
    pub region: Option<Region>,
}

impl MixingGrid {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.iter().product()
    }

    /// Whether it has no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell in which a point lies; nothing if it does not count.
    pub fn cell_of(&self, mut point: DVec3, domain: &Cell) -> Option<usize> {
        domain.wrap(&mut point);
        let shares = match &self.region {
            Some(region) => {
                if !region.contains(point) {
                    return None;
                }
                let (low, high) = region.bounds();
                (point - low) / (high - low)
            }
            None => domain.inverse() * (point - domain.origin),
        };
        let mut index = 0;
        for k in 0..3 {
            let cell = (shares[k] * self.cells[k] as f64).floor();
            // at the upper face, and with a hair of rounding below the lower one
            let cell = cell.clamp(0.0, self.cells[k] as f64 - 1.0) as usize;
            index = index * self.cells[k] + cell;
        }
        shares.is_finite().then_some(index)
    }
}
