//! k-d tree, for clouds whose spheres fill few of the bins that space would be cut into.
//!
//! Every pair is found from its larger sphere, within `2 rᵢ + margin` of its centre: no sphere reaches farther for one that is not larger
//! than itself, so that a few large spheres among many small ones do not widen the search of the small ones. The tree is that of the
//! crate `kiddo`, built anew for every search.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::Particles;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rayon::prelude::*;

use crate::cell_list::CellList;
use crate::quota::Quota;
use crate::{Broadphase, TooManyPairs};

/// Slots per unit of parallel work.
const BLOCK: usize = 512;
/// The tree rounds in its own way; pairs at the edge are decided by the same comparison as in every other broadphase.
const ROUNDING: f64 = 1e-9;

/// k-d tree.
#[derive(Clone, Debug, Default)]
pub struct KdTree {
    bins: CellList,
}

/// Shifts by whole cells along the periodic directions under which a sphere of `reach` \[m\] around `x`, which is inside the cell, comes into
/// the cell, none first.
fn shifts(cell: &Cell, x: DVec3, reach: f64) -> Vec<DVec3> {
    let mut found = vec![DVec3::ZERO];
    let s = cell.inverse() * (x - cell.origin);
    for k in (0..3).filter(|&k| cell.periodic[k]) {
        let share = reach / cell.width(k);
        for i in 0..found.len() {
            if s[k] < share {
                found.push(found[i] + cell.matrix().col(k));
            }
            if s[k] > 1.0 - share {
                found.push(found[i] - cell.matrix().col(k));
            }
        }
    }
    found
}

impl Broadphase for KdTree {
    fn key(&self) -> &'static str {
        "kd_tree"
    }

    fn candidates_within(
        &mut self,
        particles: &Particles,
        cell: &Cell,
        margin: f64,
        most: usize,
        rows: &mut CandidateRows,
    ) -> Result<(), TooManyPairs> {
        let inside: Vec<[f64; 3]> = particles
            .position
            .iter()
            .map(|&x| {
                let mut x = x;
                cell.wrap(&mut x);
                x.to_array()
            })
            .collect();
        // a tree with NaN coordinates would silently lose spheres
        let finite = inside.iter().flatten().all(|c| c.is_finite());
        let tree: Option<ImmutableKdTree<f64, 3>> =
            if finite && !inside.is_empty() { ImmutableKdTree::new_from_slice(&inside).ok() } else { None };
        let Some(tree) = tree else {
            return self.bins.candidates_within(particles, cell, margin, most, rows);
        };
        let (position, radius) = (&particles.position, &particles.radius);
        let partners_of = |i: usize, partners: &mut Vec<u32>| {
            let start = partners.len();
            let reach = (2.0 * radius[i] + margin) * (1.0 + ROUNDING);
            let centre = DVec3::from(inside[i]);
            for shift in shifts(cell, centre, reach) {
                let at = (centre + shift).to_array();
                tree.query(&at).within::<SquaredEuclidean<f64>>(reach * reach).unsorted().visit(|entry| {
                    let j = entry.item as usize;
                    if (radius[j], j) >= (radius[i], i) {
                        return;
                    }
                    // as all others compute it, so that all find the same pairs
                    let (low, high) = (i.min(j), i.max(j));
                    let d = cell.nearest_image(position[high] - position[low]);
                    let range = radius[low] + radius[high] + margin;
                    if d.length_squared() < range * range {
                        partners.push(j as u32);
                    }
                });
            }
            // the tree tells no order, and in a narrow cell it may meet a sphere twice
            partners[start..].sort_unstable();
            let mut kept = start;
            for k in start..partners.len() {
                if k == start || partners[k] != partners[kept - 1] {
                    partners[kept] = partners[k];
                    kept += 1;
                }
            }
            partners.truncate(kept);
            kept - start
        };
        let count = particles.len();
        let quota = Quota::new(most);
        let blocks: Vec<(Vec<usize>, Vec<u32>)> = (0..count.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let (mut part, mut counts, mut partners) = (quota.part(), Vec::new(), Vec::new());
                for slot in block * BLOCK..((block + 1) * BLOCK).min(count) {
                    counts.push(partners_of(slot, &mut partners));
                    if !part.may_go_on(partners.len()) {
                        break;
                    }
                }
                part.tell(partners.len());
                (counts, partners)
            })
            .collect();
        *rows = CandidateRows { row: vec![0; count + 1], partner: Vec::new() };
        quota.outcome()?;
        rows.row.truncate(1);
        for (counts, partners) in blocks {
            for n in counts {
                rows.row.push(rows.row.last().copied().unwrap_or(0) + n as u32);
            }
            rows.partner.extend(partners);
        }
        Ok(())
    }

    fn spatial_order(&mut self, particles: &Particles, cell: &Cell, margin: f64) -> Vec<u32> {
        self.bins.spatial_order(particles, cell, margin)
    }
}
