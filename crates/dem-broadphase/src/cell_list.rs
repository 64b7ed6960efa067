//! Cell list and hierarchical grid: space cut into bins, so that only neighbouring bins are searched.
//!
//! A bin is at least as wide as the longest range of two spheres, so that partners are in the same bin or in one of the 26 around it. Where
//! sizes differ much, the bins of the largest spheres hold very many of the smallest: the cost of a plain cell list grows with the cube of
//! the ratio of radii. The hierarchical grid has a level of bins for every octave of radii. Two spheres of one level find each other in the
//! bins of that level; a sphere finds larger ones in the bins of their levels, around the one that its own centre is in, because these
//! bins are wide enough for two spheres of their level and the smaller sphere reaches less far (M. Iwai, C.-W. Hong and P. Greil, Int. J.
//! Mod. Phys. C 10 (1999) 823; V. Ogarko and S. Luding, Comput. Phys. Commun. 183 (2012) 931).

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::delivery::{Delivered, Senders, deliver, parts};
use dem_core::lanes::{LaneTask, Lanes, Width};
use dem_core::particles::Particles;
use rayon::prelude::*;

use crate::grid::Grid;
use crate::quota::Quota;
use crate::search::{Found, Search, SortedSpheres};
use crate::{Broadphase, TooManyPairs};

/// Slots per unit of parallel work.
const BLOCK: usize = 1024;
/// Spheres up to which the memory of a search is kept for the next one.
const FEW: usize = 1 << 16;
/// Spheres smaller than the largest by more octaves than this share the last level.
const MOST_LEVELS: usize = 32;

/// Bins with counting sort, on one level or on as many as there are octaves of radii.
#[derive(Clone, Debug, Default)]
pub struct CellList {
    /// Whether there may be several levels.
    hierarchical: bool,
    /// The levels that have spheres, the largest spheres first.
    levels: Vec<Level>,
    /// Level of each slot.
    level: Vec<u8>,
    /// Bin of each slot; bins are numbered through all levels.
    bin: Vec<u32>,
    /// Start of each bin in `sorted`; one more than bins.
    start: Vec<u32>,
    /// Spheres sorted by bin.
    sorted: SortedSpheres,
    /// Place of each slot in `sorted`.
    rank: Vec<u32>,
}

/// The bins for spheres of one octave of radii.
#[derive(Clone, Copy, Debug)]
struct Level {
    grid: Grid,
    /// Number of the first bin.
    first: usize,
}

/// Radii and number of the spheres of a level.
#[derive(Clone, Copy, Default)]
struct Population {
    largest: f64,
    spheres: usize,
}

impl Population {
    fn add(&mut self, other: Self) {
        self.largest = self.largest.max(other.largest);
        self.spheres += other.spheres;
    }
}

impl CellList {
    /// A grid with a level for every octave of radii.
    pub fn hierarchical() -> Self {
        Self { hierarchical: true, ..Self::default() }
    }

    /// Releases the memory of a search, all but the levels.
    fn forget_spheres(&mut self) {
        let levels = std::mem::take(&mut self.levels);
        *self = Self { hierarchical: self.hierarchical, levels, ..Self::default() };
    }

    /// Levels of the last search.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Width of bins for all spheres in proportion to the longest range, where memory does not allow as many.
    pub(crate) fn widening(particles: &Particles, cell: &Cell, margin: f64) -> f64 {
        let largest = particles.radius.iter().copied().fold(0.0, f64::max);
        let range = (2.0 * largest + margin).max(f64::MIN_POSITIVE);
        Grid::new(particles, cell, range, particles.len()).widening
    }

    /// Assigns spheres to levels; returns what is in each.
    fn assign_levels(&mut self, radius: &[f64]) -> Vec<Population> {
        let largest = radius.iter().copied().fold(0.0, f64::max);
        let levels = if self.hierarchical { MOST_LEVELS } else { 1 };
        // halves of a number are exact, so that equal radii are never told apart
        let lower: Vec<f64> = (1..levels).map(|level| largest * 0.5f64.powi(level as i32)).collect();
        let octave = |r: f64| lower.iter().take_while(|&&bound| r <= bound).count();
        self.level.clear();
        self.level.resize(radius.len(), 0);
        let blocks = radius.par_chunks(BLOCK).zip(self.level.par_chunks_mut(BLOCK));
        let found = blocks.map(|(radius, level)| {
            let mut all = vec![Population::default(); levels];
            for (&r, level) in radius.iter().zip(level) {
                let own = octave(r);
                all[own].add(Population { largest: r, spheres: 1 });
                *level = own as u8;
            }
            all
        });
        let mut all = vec![Population::default(); levels];
        for found in found.collect::<Vec<_>>() {
            all.iter_mut().zip(found).for_each(|(population, found)| population.add(found));
        }
        // levels without spheres are left out
        let mut number = [0u8; MOST_LEVELS];
        let mut occupied = 0;
        for (level, population) in all.iter().enumerate() {
            number[level] = occupied;
            occupied += u8::from(population.spheres > 0);
        }
        for level in &mut self.level {
            *level = number[*level as usize];
        }
        all.retain(|population| population.spheres > 0);
        all
    }

    /// Runs of ranks to search for the partners of the spheres of a bin on its own level, its own bin first. In forward order what follows
    /// the own bin is part of the first run.
    fn runs(&self, level: &Level, bin: usize, forward: bool, runs: &mut Vec<(u32, u32)>) {
        let [nx, ny, _] = level.grid.bins;
        let local = bin - level.first;
        let c = [local % nx, local / nx % ny, local / (nx * ny)];
        runs.clear();
        if forward && level.grid.is_inner(c) {
            runs.push(self.between(bin, bin + 1));
            for row in [bin + nx, bin + nx * ny - nx, bin + nx * ny, bin + nx * ny + nx] {
                runs.push(self.between(row - 1, row + 1));
            }
            return;
        }
        runs.push(self.between(bin, bin));
        for other in level.grid.neighbours(c, forward) {
            let run = self.between(level.first + other, level.first + other);
            let may_join = forward || runs.len() > 1;
            match runs.last_mut() {
                Some(last) if may_join && last.1 == run.0 => last.1 = run.1,
                _ => runs.push(run),
            }
        }
    }

    /// Ranks of the spheres from one bin to another.
    fn between(&self, first: usize, last: usize) -> (u32, u32) {
        (self.start[first], self.start[last + 1])
    }

    /// Runs of ranks of the spheres of a level that may touch a smaller one in a bin of that level.
    fn runs_of_larger(&self, level: &Level, c: [usize; 3], runs: &mut Vec<(u32, u32)>) {
        let own = level.grid.index(c);
        let mut bins = level.grid.neighbours(c, false);
        bins.insert(bins.partition_point(|&bin| bin < own), own);
        runs.clear();
        for bin in bins {
            let run = self.between(level.first + bin, level.first + bin);
            match runs.last_mut() {
                Some(last) if last.1 == run.0 => last.1 = run.1,
                _ => runs.push(run),
            }
        }
        runs.retain(|run| run.0 < run.1);
    }

    fn sort(&mut self, particles: &Particles, cell: &Cell, margin: f64) {
        let populations = self.assign_levels(&particles.radius);
        self.levels.clear();
        let mut bins = 0;
        for population in &populations {
            let range = (2.0 * population.largest + margin).max(f64::MIN_POSITIVE);
            let grid = Grid::new(particles, cell, range, population.spheres);
            self.levels.push(Level { grid, first: bins });
            bins += grid.bins.iter().product::<usize>();
        }
        let (levels, level) = (&self.levels, &self.level);
        self.bin.clear();
        self.bin.par_extend(particles.position.par_iter().zip(level).map(|(&x, &level)| {
            let Level { grid, first } = &levels[level as usize];
            (first + grid.index(grid.coordinates(x))) as u32
        }));
        let slots = particles.len();
        let into_bins = IntoBins { bin: &self.bin, parts: parts(slots, BLOCK).collect() };
        Delivered { row: self.start, number: self.sorted.slot } = deliver(bins, &into_bins, |_, _| {});
        let mut rank: Vec<AtomicU32> = Vec::new();
        rank.resize_with(slots, AtomicU32::default);
        self.sorted.slot.par_iter().enumerate().for_each(|(at, &slot)| {
            rank[slot as usize].store(at as u32, Ordering::Relaxed);
        });
        self.rank = rank.into_iter().map(AtomicU32::into_inner).collect();
    }
}

/// Spheres on their way to their bins.
struct IntoBins<'a> {
    bin: &'a [u32],
    parts: Vec<Range<usize>>,
}

impl Senders for IntoBins<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn send(&self, sender: usize, mut post: impl FnMut(u32, u32)) {
        for slot in self.parts[sender].clone() {
            post(self.bin[slot], slot as u32);
        }
    }
}

/// Larger spheres of one level around the bin of that level searched last.
#[derive(Clone, Default)]
struct Larger {
    around: Option<[usize; 3]>,
    runs: Vec<(u32, u32)>,
}

/// The slots of a block.
struct Block<'a> {
    list: &'a CellList,
    particles: &'a Particles,
    search: Search<'a>,
    slots: Range<usize>,
    quota: &'a Quota,
}

impl LaneTask for Block<'_> {
    /// Numbers of partners, and partners.
    type Output = (Vec<u32>, Vec<u32>);

    #[inline(always)]
    fn run<R: Lanes>(self) -> (Vec<u32>, Vec<u32>) {
        let Self { list, particles, search, slots, quota } = self;
        let mut part = quota.part();
        let mut count = Vec::with_capacity(slots.len());
        let mut found = Found::with_capacity(6 * slots.len());
        let (mut bin, mut forward, mut runs, mut before) = (u32::MAX, false, Vec::new(), 0);
        let mut larger = vec![Larger::default(); list.levels.len()];
        for slot in slots {
            let own_level = list.level[slot] as usize;
            if list.bin[slot] != bin {
                bin = list.bin[slot];
                let level = &list.levels[own_level];
                forward = level.grid.has_distinct_neighbours();
                list.runs(level, bin as usize, forward, &mut runs);
            }
            let rank = list.rank[slot];
            // those of its own bin that come behind it, then the other bins, then larger spheres
            let (own, others) = runs.split_at(1);
            search.look::<R>(rank as usize, None, &[(rank + 1, own[0].1)], &mut found);
            search.look::<R>(rank as usize, if forward { None } else { Some(slot as u32) }, others, &mut found);
            for (level, larger) in list.levels[..own_level].iter().zip(&mut larger) {
                let c = level.grid.coordinates(particles.position[slot]);
                if larger.around != Some(c) {
                    larger.around = Some(c);
                    list.runs_of_larger(level, c, &mut larger.runs);
                }
                search.look::<R>(rank as usize, None, &larger.runs, &mut found);
            }
            let all = found.close();
            count.push((all - before) as u32);
            before = all;
            if !part.may_go_on(all) {
                break;
            }
        }
        part.tell(before);
        (count, found.partner)
    }
}

/// Puts together what was found for blocks of slots.
fn joined(blocks: &[(Vec<u32>, Vec<u32>)], slots: usize) -> CandidateRows {
    let all = blocks.iter().map(|(_, partner)| partner.len()).sum();
    let mut rows = CandidateRows { row: vec![0; slots + 1], partner: vec![0; all] };
    let (mut rest, mut end) = (rows.partner.as_mut_slice(), 0u32);
    let places: Vec<(u32, &mut [u32])> = blocks
        .iter()
        .map(|(_, partner)| {
            let (place, others) = std::mem::take(&mut rest).split_at_mut(partner.len());
            rest = others;
            let before = end;
            end += partner.len() as u32;
            (before, place)
        })
        .collect();
    let row = rows.row[1..].par_chunks_mut(BLOCK);
    blocks.par_iter().zip(places).zip(row).for_each(|(((count, partner), (mut end, place)), row)| {
        place.copy_from_slice(partner);
        for (row, count) in row.iter_mut().zip(count) {
            end += count;
            *row = end;
        }
    });
    rows
}

impl Broadphase for CellList {
    fn key(&self) -> &'static str {
        if self.hierarchical { "hierarchical_grid" } else { "cell_list" }
    }

    fn candidates_within(
        &mut self,
        particles: &Particles,
        cell: &Cell,
        margin: f64,
        most: usize,
        rows: &mut CandidateRows,
    ) -> Result<(), TooManyPairs> {
        if particles.is_empty() {
            *rows = CandidateRows { row: vec![0], partner: Vec::new() };
            return Ok(());
        }
        self.sort(particles, cell, margin);
        self.sorted.fill(&particles.position, &particles.radius);
        let this = &*self;
        let width = Width::fastest();
        let quota = Quota::new(most);
        let blocks: Vec<(Vec<u32>, Vec<u32>)> = (0..particles.len().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let slots = block * BLOCK..((block + 1) * BLOCK).min(particles.len());
                let search = Search { spheres: &this.sorted, cell, periodic: cell.is_periodic(), margin };
                width.run(Block { list: this, particles, search, slots, quota: &quota })
            })
            .collect();
        let outcome = quota.outcome();
        *rows = if outcome.is_ok() {
            joined(&blocks, particles.len())
        } else {
            CandidateRows { row: vec![0; particles.len() + 1], partner: Vec::new() }
        };
        if particles.len() > FEW {
            self.forget_spheres();
        }
        outcome
    }

    fn spatial_order(&mut self, particles: &Particles, cell: &Cell, margin: f64) -> Vec<u32> {
        if particles.is_empty() {
            return Vec::new();
        }
        self.sort(particles, cell, margin);
        // the bins of the most numerous spheres tell near from far
        let mut spheres = vec![0usize; self.levels.len()];
        for &level in &self.level {
            spheres[level as usize] += 1;
        }
        let most = (0..spheres.len()).max_by_key(|&level| spheres[level]).unwrap_or(0);
        let grid = self.levels[most].grid;
        let sweep = grid.sweep();
        let mut order: Vec<(u64, u32)> = particles
            .position
            .par_iter()
            .enumerate()
            .map(|(slot, &x)| (sweep.number(grid.coordinates(x)), slot as u32))
            .collect();
        order.par_sort_unstable();
        order.into_iter().map(|(_, slot)| slot).collect()
    }
}
