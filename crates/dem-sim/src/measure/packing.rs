//! Packing fraction of the bulk, away from walls, floor and free surface.

use dem_broadphase::{Broadphase, CellList};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::{NewParticle, Particles};

use super::up;
use crate::world::World;

/// Distance from walls and surface in mean diameters.
const CLEARANCE: f64 = 3.0;
/// Points of the quasi-random sample in the bounding box of the particles.
const POINTS: usize = 200_000;

/// Packing fraction of the part of a settled bed that is more than three mean diameters from every wall, from the floor and
/// from the free surface \[-\]; `None` if there is no such part.
///
/// The share of points of a three-dimensional Kronecker sequence that lie inside a sphere; with some 10⁴ points in the bulk
/// its error is below 0.002. The free surface is the height map of the particles over columns of three diameters, the lowest of a
/// column and its neighbours.
pub fn bulk_packing_fraction(world: &World) -> Option<f64> {
    let p = &world.particles;
    if p.is_empty() {
        return None;
    }
    let diameter = 2.0 * p.radius.iter().sum::<f64>() / p.len() as f64;
    let clearance = CLEARANCE * diameter;
    let (low, high) =
        p.position.iter().fold((DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY)), |(low, high), &x| {
            (low.min(x), high.max(x))
        });
    let surface = HeightMap::new(world, low, high, 3.0 * diameter);
    // plastic number of dimension 3: the sequence with the smallest discrepancy of its kind
    let g = 1.220_744_084_605_759_5_f64;
    let step = DVec3::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
    let mut point = DVec3::splat(0.5);
    let mut sample = Particles::default();
    for _ in 0..POINTS {
        point = (point + step).fract();
        let x = low + point * (high - low);
        let clear = world.walls.iter().filter(|wall| wall.active).all(|wall| wall.distance(x) > clearance);
        if clear && surface.depth(x) > clearance {
            sample.push(NewParticle {
                position: x,
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: glam::DQuat::IDENTITY,
                radius: 0.0,
                density: 1.0,
                material: 0,
                group: 0,
                frozen: 0,
            });
        }
    }
    let points = sample.len();
    if points < 100 {
        return None;
    }
    Some(covered(world, sample, points) / points as f64)
}

/// Number of the first `points` entries of `sample` inside a sphere of the world.
fn covered(world: &World, mut sample: Particles, points: usize) -> f64 {
    let p = &world.particles;
    for slot in 0..p.len() {
        sample.push(NewParticle {
            position: p.position[slot],
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            orientation: glam::DQuat::IDENTITY,
            radius: p.radius[slot],
            density: 1.0,
            material: 0,
            group: 0,
            frozen: 0,
        });
    }
    let mut rows = CandidateRows::default();
    CellList::default().candidates(&sample, &Cell::unbounded(), 0.0, &mut rows);
    let mut inside = vec![false; points];
    for i in 0..sample.len() {
        for &j in &rows.partner[rows.row[i] as usize..rows.row[i + 1] as usize] {
            let (a, b) = (i.min(j as usize), i.max(j as usize));
            if a < points && b >= points {
                inside[a] = true;
            }
        }
    }
    inside.iter().filter(|&&x| x).count() as f64
}

/// Height of the bed over columns along gravity.
struct HeightMap {
    up: DVec3,
    across: [DVec3; 2],
    low: [f64; 2],
    width: f64,
    columns: [usize; 2],
    height: Vec<f64>,
}

impl HeightMap {
    fn new(world: &World, low: DVec3, high: DVec3, width: f64) -> Self {
        let up = up(world);
        let u = up.any_orthonormal_vector();
        let across = [u, up.cross(u)];
        let corners = (0..8).map(|c| {
            let pick = |k: usize| if c >> k & 1 == 0 { low[k] } else { high[k] };
            DVec3::new(pick(0), pick(1), pick(2))
        });
        let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for corner in corners {
            for k in 0..2 {
                range[k][0] = range[k][0].min(corner.dot(across[k]));
                range[k][1] = range[k][1].max(corner.dot(across[k]));
            }
        }
        let columns = range.map(|[a, b]| (((b - a) / width).ceil() as usize).clamp(1, 4096));
        let mut map = Self {
            up,
            across,
            low: range.map(|r| r[0]),
            width,
            columns,
            height: vec![f64::NEG_INFINITY; columns[0] * columns[1]],
        };
        let p = &world.particles;
        for slot in 0..p.len() {
            let [a, b] = map.column(p.position[slot]);
            let top = p.position[slot].dot(up) + p.radius[slot];
            let height = &mut map.height[b * columns[0] + a];
            *height = height.max(top);
        }
        map
    }

    fn column(&self, x: DVec3) -> [usize; 2] {
        std::array::from_fn(|k| {
            (((x.dot(self.across[k]) - self.low[k]) / self.width).floor().max(0.0) as usize).min(self.columns[k] - 1)
        })
    }

    /// Depth below the free surface \[m\].
    fn depth(&self, x: DVec3) -> f64 {
        let [a, b] = self.column(x);
        let mut surface = f64::INFINITY;
        for j in b.saturating_sub(1)..=(b + 1).min(self.columns[1] - 1) {
            for i in a.saturating_sub(1)..=(a + 1).min(self.columns[0] - 1) {
                let height = self.height[j * self.columns[0] + i];
                // a corner column of a round container holds nothing
                if height.is_finite() {
                    surface = surface.min(height);
                }
            }
        }
        surface - x.dot(self.up)
    }
}
