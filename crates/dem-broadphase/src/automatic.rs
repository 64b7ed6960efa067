//! The choice between the others, made anew for every search.

use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::Particles;

use crate::cell_list::CellList;
use crate::kd_tree::KdTree;
use crate::{Broadphase, TooManyPairs};

/// Bins as wide as the memory allows must not be wider than this many ranges, or they hold too many spheres of a cluster to compare.
const WIDEST_BINS: f64 = 3.0;

/// The hierarchical grid, which is a cell list where sizes are alike; the k-d tree for spheres so far apart that bins would be too wide.
#[derive(Clone, Debug)]
pub struct Automatic {
    grid: CellList,
    tree: KdTree,
    is_sparse: bool,
}

impl Default for Automatic {
    fn default() -> Self {
        Self { grid: CellList::hierarchical(), tree: KdTree::default(), is_sparse: false }
    }
}

impl Broadphase for Automatic {
    fn key(&self) -> &'static str {
        if self.is_sparse { self.tree.key() } else { self.grid.key() }
    }

    fn candidates_within(
        &mut self,
        particles: &Particles,
        cell: &Cell,
        margin: f64,
        most: usize,
        rows: &mut CandidateRows,
    ) -> Result<(), TooManyPairs> {
        self.is_sparse = CellList::widening(particles, cell, margin) > WIDEST_BINS;
        let chosen: &mut dyn Broadphase = if self.is_sparse { &mut self.tree } else { &mut self.grid };
        chosen.candidates_within(particles, cell, margin, most, rows)
    }

    fn spatial_order(&mut self, particles: &Particles, cell: &Cell, margin: f64) -> Vec<u32> {
        self.grid.spatial_order(particles, cell, margin)
    }
}
