//! Cell list: space cut into bins at least as wide as the largest interaction range, so that only neighbouring bins are searched.
//!
//! The list pays off when radii are similar; its cost grows with the cube of the ratio of radii.

use std::ops::Range;

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::lanes::{LaneTask, Real, Width};
use dem_core::particles::Particles;
use rayon::prelude::*;

use crate::Broadphase;
use crate::search::{Found, Search, SortedSpheres};

/// Bins per particle that bound the memory of a sparse cloud.
const BINS_PER_PARTICLE: f64 = 4.0;
/// Slots per unit of parallel work.
const BLOCK: usize = 1024;

/// Cell list with counting sort.
#[derive(Clone, Debug, Default)]
pub struct CellList {
    grid: Grid,
    /// Bin of each slot.
    bin: Vec<u32>,
    /// Start of each bin in `sorted`; one more than bins.
    start: Vec<u32>,
    /// Spheres sorted by bin.
    sorted: SortedSpheres,
    /// Place of each slot in `sorted`.
    rank: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Grid {
    normal: [DVec3; 3],
    low: [f64; 3],
    bins: [usize; 3],
    scale: [f64; 3],
    periodic: [bool; 3],
}

impl Grid {
    fn new(particles: &Particles, cell: &Cell, range: f64) -> Self {
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
        // widen the bins of a sparse cloud until their number is in proportion to the particles
        let mut width = range;
        let limit = (BINS_PER_PARTICLE * particles.len() as f64).max(64.0);
        let bins = |extent: f64, width: f64| (extent / width).floor().clamp(1.0, 1e6);
        while extent.iter().map(|&e| bins(e, width)).product::<f64>() > limit {
            width *= 1.25;
        }
        for k in 0..3 {
            grid.bins[k] = bins(extent[k], width) as usize;
            grid.scale[k] = if extent[k] > 0.0 { grid.bins[k] as f64 / extent[k] } else { 0.0 };
        }
        grid
    }

    fn coordinates(&self, x: DVec3) -> [usize; 3] {
        std::array::from_fn(|k| {
            let c = ((self.normal[k].dot(x) - self.low[k]) * self.scale[k]).floor();
            let bins = self.bins[k] as i64;
            // saturating casts: NaN becomes 0, infinities the border
            let c = c as i64;
            if self.periodic[k] { c.rem_euclid(bins) as usize } else { c.clamp(0, bins - 1) as usize }
        })
    }

    fn index(&self, c: [usize; 3]) -> usize {
        (c[2] * self.bins[1] + c[1]) * self.bins[0] + c[0]
    }

    /// Bins around one bin that may hold partners, itself left out; `forward` keeps one of each pair of opposite bins.
    fn neighbours(&self, c: [usize; 3], forward: bool) -> Vec<usize> {
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
    fn is_inner(&self, c: [usize; 3]) -> bool {
        (0..3).all(|k| (1..self.bins[k].saturating_sub(1)).contains(&c[k]))
    }

    /// Whether opposite neighbours of a bin are different bins in every direction.
    fn has_distinct_neighbours(&self) -> bool {
        (0..3).all(|k| !self.periodic[k] || self.bins[k] >= 3)
    }
}

impl CellList {
    /// Runs of ranks to search for the partners of the spheres of a bin, its own bin first. In forward order what follows the own bin is
    /// part of the first run.
    fn runs(&self, bin: usize, forward: bool, runs: &mut Vec<(u32, u32)>) {
        let [nx, ny, _] = self.grid.bins;
        let c = [bin % nx, bin / nx % ny, bin / (nx * ny)];
        runs.clear();
        let between = |first: usize, last: usize| (self.start[first], self.start[last + 1]);
        if forward && self.grid.is_inner(c) {
            runs.push(between(bin, bin + 1));
            for row in [bin + nx, bin + nx * ny - nx, bin + nx * ny, bin + nx * ny + nx] {
                runs.push(between(row - 1, row + 1));
            }
            return;
        }
        runs.push(between(bin, bin));
        for other in self.grid.neighbours(c, forward) {
            let run = between(other, other);
            let may_join = forward || runs.len() > 1;
            match runs.last_mut() {
                Some(last) if may_join && last.1 == run.0 => last.1 = run.1,
                _ => runs.push(run),
            }
        }
    }

    fn sort(&mut self, particles: &Particles, cell: &Cell, margin: f64) {
        let largest = particles.radius.iter().copied().fold(0.0, f64::max);
        let range = (2.0 * largest + margin).max(f64::MIN_POSITIVE);
        self.grid = Grid::new(particles, cell, range);
        let grid = self.grid;
        let bins: usize = grid.bins.iter().product();
        self.bin.clear();
        self.bin.par_extend(particles.position.par_iter().map(|&x| grid.index(grid.coordinates(x)) as u32));
        self.start.clear();
        self.start.resize(bins + 1, 0);
        for &b in &self.bin {
            self.start[b as usize + 1] += 1;
        }
        for b in 0..bins {
            self.start[b + 1] += self.start[b];
        }
        let mut next = self.start.clone();
        self.sorted.slot.resize(particles.len(), 0);
        self.rank.resize(particles.len(), 0);
        for (slot, &b) in self.bin.iter().enumerate() {
            let at = &mut next[b as usize];
            self.sorted.slot[*at as usize] = slot as u32;
            self.rank[slot] = *at;
            *at += 1;
        }
    }
}

/// The slots of a block.
struct Block<'a> {
    list: &'a CellList,
    search: Search<'a>,
    slots: Range<usize>,
}

impl LaneTask for Block<'_> {
    /// Numbers of partners, and partners.
    type Output = (Vec<u32>, Vec<u32>);

    #[inline(always)]
    fn run<R: Real>(self) -> (Vec<u32>, Vec<u32>) {
        let Self { list, search, slots } = self;
        let forward = list.grid.has_distinct_neighbours();
        let mut count = Vec::with_capacity(slots.len());
        let mut found = Found::with_capacity(6 * slots.len());
        let (mut bin, mut runs, mut before) = (u32::MAX, Vec::new(), 0);
        for slot in slots {
            if list.bin[slot] != bin {
                bin = list.bin[slot];
                list.runs(bin as usize, forward, &mut runs);
            }
            let rank = list.rank[slot];
            // those of its own bin that come behind it, then the other bins
            let (own, others) = runs.split_at(1);
            search.look::<R>(rank as usize, None, &[(rank + 1, own[0].1)], &mut found);
            search.look::<R>(rank as usize, if forward { None } else { Some(slot as u32) }, others, &mut found);
            let all = found.close();
            count.push((all - before) as u32);
            before = all;
        }
        (count, found.partner)
    }
}

impl Broadphase for CellList {
    fn key(&self) -> &'static str {
        "cell_list"
    }

    fn candidates(&mut self, particles: &Particles, cell: &Cell, margin: f64, rows: &mut CandidateRows) {
        rows.row.clear();
        rows.partner.clear();
        rows.row.push(0);
        if particles.is_empty() {
            return;
        }
        self.sort(particles, cell, margin);
        self.sorted.fill(&particles.position, &particles.radius);
        let this = &*self;
        let width = Width::fastest();
        let blocks: Vec<(Vec<u32>, Vec<u32>)> = (0..particles.len().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let slots = block * BLOCK..((block + 1) * BLOCK).min(particles.len());
                let search = Search { spheres: &this.sorted, cell, periodic: cell.is_periodic(), margin };
                width.run(Block { list: this, search, slots })
            })
            .collect();
        for (count, partner) in blocks {
            for n in count {
                rows.row.push(rows.row.last().copied().unwrap_or(0) + n);
            }
            rows.partner.extend(partner);
        }
    }

    fn spatial_order(&mut self, particles: &Particles, cell: &Cell, margin: f64) -> Vec<u32> {
        if particles.is_empty() {
            return Vec::new();
        }
        self.sort(particles, cell, margin);
        let [nx, ny, _] = self.grid.bins;
        let mut order: Vec<(u64, u32)> = self
            .bin
            .iter()
            .enumerate()
            .map(|(slot, &b)| {
                let b = b as usize;
                (morton([b % nx, b / nx % ny, b / (nx * ny)]), slot as u32)
            })
            .collect();
        order.par_sort_unstable();
        order.into_iter().map(|(_, slot)| slot).collect()
    }
}

/// Interleaves the bits of three bin coordinates (Z-order curve).
fn morton(c: [usize; 3]) -> u64 {
    let spread = |v: usize| {
        let mut x = v as u64 & 0x1f_ffff;
        x = (x | x << 32) & 0x001f_0000_0000_ffff;
        x = (x | x << 16) & 0x001f_0000_ff00_00ff;
        x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
        x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
        (x | x << 2) & 0x1249_2492_4924_9249
    };
    spread(c[0]) | spread(c[1]) << 1 | spread(c[2]) << 2
}
