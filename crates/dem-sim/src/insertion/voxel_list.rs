//! The voxels in which the centre of one more sphere may still lie.
//!
//! Source: G. Zhang and S. Torquato, Precise algorithm to generate random sequential
//! addition of hard hyperspheres at saturation, Phys. Rev. E 88 (2013) 053312.

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::uniform;

/// Voxels a new list starts from at most.
const MAXIMUM_INITIAL: f64 = (1_u64 << 24) as f64;
/// Voxels a list may hold: 384 MiB.
const MAXIMUM_VOXELS: usize = 1 << 25;
/// Voxels along an axis at most, so that coordinates stay exact.
const MAXIMUM_ALONG_AXIS: u64 = 1 << 31;

/// Equal voxels that together contain every place a centre may take.
///
/// Axes along which the domain has no extent are not divided, which makes a monolayer the
/// two-dimensional case.
#[derive(Clone)]
pub(super) struct VoxelList {
    lower: DVec3,
    edge: DVec3,
    /// Voxels along each axis of the whole grid.
    counts: [u64; 3],
    voxels: Vec<[u32; 3]>,
}

impl VoxelList {
    /// The voxels of edge about `edge` between two corners that are not closed.
    ///
    /// `closed` is given the centre of a voxel and half its diagonal and returns whether no point of that ball may be a
    /// centre.
    pub fn covering((lower, upper): (DVec3, DVec3), edge: f64, closed: &dyn Fn(DVec3, f64) -> bool) -> Self {
        let extent = (upper - lower).max(DVec3::ZERO);
        let mut edge = edge;
        let counts = loop {
            let counts = extent.map(|length| (length / edge).ceil().max(1.0));
            if counts.element_product() <= MAXIMUM_INITIAL {
                break counts;
            }
            edge *= 1.25;
        };
        let mut list = Self {
            lower,
            edge: extent / counts,
            counts: counts.to_array().map(|count| count as u64),
            voxels: Vec::new(),
        };
        let half = list.half_diagonal();
        let [nx, ny, nz] = list.counts.map(|count| count as u32);
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let voxel = [x, y, z];
                    if !closed(list.centre(voxel), half) {
                        list.voxels.push(voxel);
                    }
                }
            }
        }
        list
    }

    pub fn len(&self) -> usize {
        self.voxels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.voxels.is_empty()
    }

    /// A point uniform over the voxels.
    pub fn sample(&self, rng: &mut Pcg64Mcg) -> DVec3 {
        let voxel = self.voxels[uniform::below(rng, self.voxels.len())];
        let share = uniform::in_box(rng, DVec3::ZERO, DVec3::ONE);
        self.lower + (corner(voxel) + share) * self.edge
    }

    /// Drops the voxels that are closed.
    pub fn drop_closed(&mut self, closed: &dyn Fn(DVec3, f64) -> bool) {
        let half = self.half_diagonal();
        let mut voxels = std::mem::take(&mut self.voxels);
        voxels.retain(|voxel| !closed(self.centre(*voxel), half));
        self.voxels = voxels;
    }

    /// Halves the voxels along their longer edges and drops the parts that are closed.
    /// Leaves the list as it is and returns `false` where the parts would be too many or
    /// too small.
    pub fn subdivide(&mut self, closed: &dyn Fn(DVec3, f64) -> bool) -> bool {
        let longest = self.edge.max_element();
        let split = self.edge.to_array().map(|edge| edge > 0.6 * longest);
        let mut finer = Self { voxels: Vec::new(), ..*self };
        for (axis, split) in split.into_iter().enumerate() {
            if split {
                finer.edge[axis] *= 0.5;
                finer.counts[axis] *= 2;
            }
        }
        if longest == 0.0 || finer.counts.iter().any(|count| *count > MAXIMUM_ALONG_AXIS) {
            return false;
        }
        let half = finer.half_diagonal();
        let parts = split.map(|split| if split { 2 } else { 1 });
        for voxel in &self.voxels {
            for z in 0..parts[2] {
                for y in 0..parts[1] {
                    for x in 0..parts[0] {
                        let part = [voxel[0] * parts[0] + x, voxel[1] * parts[1] + y, voxel[2] * parts[2] + z];
                        if !closed(finer.centre(part), half) {
                            finer.voxels.push(part);
                        }
                    }
                }
            }
            if finer.voxels.len() > MAXIMUM_VOXELS {
                return false;
            }
        }
        *self = finer;
        true
    }

    fn centre(&self, voxel: [u32; 3]) -> DVec3 {
        self.lower + (corner(voxel) + 0.5) * self.edge
    }

    fn half_diagonal(&self) -> f64 {
        0.5 * self.edge.length()
    }
}

fn corner(voxel: [u32; 3]) -> DVec3 {
    DVec3::from_array(voxel.map(f64::from))
}
