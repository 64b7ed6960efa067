//! Space cut into bins.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::Particles;

/// Bins per sphere that bound the memory of a sparse cloud.
const BINS_PER_SPHERE: f64 = 4.0;

/// A grid of bins along the edges of the cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grid {
    normal: [DVec3; 3],
    low: [f64; 3],
    /// Numbers of bins along the edges.
    pub bins: [usize; 3],
    scale: [f64; 3],
    /// Width in proportion to the range asked for, where memory did not allow as many bins.
    pub widening: f64,
    periodic: [bool; 3],
}

impl Grid {
    /// Bins at least as wide as `range` \[m\], for `spheres` of the particles.
    pub fn new(particles: &Particles, cell: &Cell, range: f64, spheres: usize) -> Self {
        let mut grid = Self { periodic: cell.periodic, ..Self::default() };
        let mut extent = [0.0; 3];
        for k in 0..3 {
            grid.normal[k] = cell.inverse().row(k) * cell.width(k);
            if cell.periodic[k] {
                grid.low[k] = grid.normal[k].dot(cell.origin);
                extent[k] = cell.width(k);
            } else {
                let (low, high) = particles
                    .position
                    .iter()
                    .map(|x| grid.normal[k].dot(*x))
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), c| (low.min(c), high.max(c)));
                grid.low[k] = low;
                extent[k] = (high - low).max(0.0);
            }
        }
        // widen the bins of a sparse cloud until their number is in proportion to the spheres
        let mut width = range;
        let limit = (BINS_PER_SPHERE * spheres as f64).max(64.0);
        let bins = |extent: f64, width: f64| (extent / width).floor().clamp(1.0, 1e6);
        while extent.iter().map(|&e| bins(e, width)).product::<f64>() > limit {
            width *= 1.25;
        }
        grid.widening = width / range;
        for k in 0..3 {
            grid.bins[k] = bins(extent[k], width) as usize;
            grid.scale[k] = if extent[k] > 0.0 { grid.bins[k] as f64 / extent[k] } else { 0.0 };
        }
        grid
    }

    /// Bin of a position.
    pub fn coordinates(&self, x: DVec3) -> [usize; 3] {
        std::array::from_fn(|k| {
            let c = ((self.normal[k].dot(x) - self.low[k]) * self.scale[k]).floor();
            let bins = self.bins[k] as i64;
            // saturating casts: NaN becomes 0, infinities the border
            let c = c as i64;
            if self.periodic[k] { c.rem_euclid(bins) as usize } else { c.clamp(0, bins - 1) as usize }
        })
    }

    /// Number of a bin.
    pub fn index(&self, c: [usize; 3]) -> usize {
        (c[2] * self.bins[1] + c[1]) * self.bins[0] + c[0]
    }

    /// Bins around one bin that may hold partners, itself left out; `forward` keeps one of each pair of opposite bins.
    pub fn neighbours(&self, c: [usize; 3], forward: bool) -> Vec<usize> {
        let mut found = Vec::with_capacity(26);
        for dz in -1..=1i64 {
            for dy in -1..=1i64 {
                for dx in -1..=1i64 {
                    if (dx, dy, dz) == (0, 0, 0) || (forward && (dz, dy, dx) < (0, 0, 0)) {
                        continue;
                    }
                    let mut other = [0; 3];
                    let mut inside = true;
                    for (k, d) in [dx, dy, dz].into_iter().enumerate() {
                        let bins = self.bins[k] as i64;
                        let shifted = c[k] as i64 + d;
                        if self.periodic[k] {
                            other[k] = shifted.rem_euclid(bins) as usize;
                        } else {
                            inside &= (0..bins).contains(&shifted);
                            other[k] = shifted.max(0) as usize;
                        }
                    }
                    if inside {
                        found.push(self.index(other));
                    }
                }
            }
        }
        let own = self.index(c);
        found.sort_unstable();
        found.dedup();
        found.retain(|&b| b != own);
        found
    }

    /// Whether all bins around one are beside it in space.
    pub fn is_inner(&self, c: [usize; 3]) -> bool {
        (0..3).all(|k| (1..self.bins[k].saturating_sub(1)).contains(&c[k]))
    }

    /// Whether opposite neighbours of a bin are different bins in every direction.
    pub fn has_distinct_neighbours(&self) -> bool {
        (0..3).all(|k| !self.periodic[k] || self.bins[k] >= 3)
    }
}
