//! Packing fraction of the bulk, away from walls, floor, free surface and everything else that the bed does not fill.

use dem_core::DVec3;
use dem_core::exact_sum::sum_of;
use thiserror::Error;

use super::bed;
use super::empty_places::{EmptyPlaces, spheres_and_images, volume_weighted_diameter};
use super::kinematics::up;
use super::stress;
use crate::state::world::World;

/// Distance from walls and surface in mean diameters.
const CLEARANCE: f64 = 3.0;
/// Distance from the centres of empty balls in their radii: such a ball lies behind a wall or on a surface and sinks up to half of its radius in between
/// the grains there, so that this leaves what is 3 d away from walls and surfaces as it is, and keeps 3 d away from other limits.
const FROM_EMPTY: f64 = 3.5;
/// Points of the quasi-random sample in the bounding box of the bed.
const POINTS: u32 = 200_000;
/// Points of them in the bulk without which there is none.
const FEWEST: u32 = 100;
/// Points in the bulk that are enough, and how many times [`POINTS`] may be tried to find them.
const ENOUGH: u32 = 10_000;
const MOST_ROUNDS: u32 = 10;

/// Why a bed has no bulk.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoBulk {
    /// Nothing there, or places that are NaN.
    #[error("no particle has a finite position")]
    NoParticles,
    /// Fewer than one contact a particle.
    #[error("the particles are in flight, with fewer than one contact each")]
    InFlight,
    /// Nothing is far enough from what bounds the bed.
    #[error("no part of the bed is 3 d away from walls, surface and unfilled regions")]
    TooThin,
}

/// Packing fraction of the part of a settled bed that is more than three mean diameters from every wall, from the floor, from
/// the free surface and from every place that the bed does not fill \[-\].
///
/// The fraction of points of a three-dimensional Kronecker sequence that lie inside a sphere, of a body inside one of its spheres; with some 10⁴ points in
/// the bulk its error is below 0.002. The free surface is the height map of the bed over columns of three diameters,
/// the lowest of a column and its neighbours. A place that the bed does not fill holds the centre of a ball without any
/// grain in it, whose radius is the diameter of the grains weighted with their volume: outside the walls, below an
/// outlet, next to a heap. The bulk is three and a half of these radii away from such centres. In a cell that is
/// periodic along every edge and holds no wall, or that deforms, it is the whole cell and the volumes are exact.
///
/// # Errors
/// A bed without such a part.
pub fn bulk_packing_fraction(world: &World) -> Result<f64, NoBulk> {
    let p = &world.particles;
    if p.is_empty() || p.position.iter().any(|x| !x.is_finite()) {
        return Err(NoBulk::NoParticles);
    }
    if cell_is_sample(world) {
        return Ok(1.0 - stress::porosity(world));
    }
    let members = bed::bed(world);
    // grains that do not touch each other are treated as they lie
    let alone = (0..p.len()).filter(|&slot| members[slot] && p.grain(slot) == slot).count() <= 1;
    let in_bed = |slot: &usize| alone || members[*slot];
    let radii = grain_radii(world);
    let diameter = 2.0 * sum_of(radii.len(), |at| radii[at]) / radii.len() as f64;
    let clearance = CLEARANCE * diameter;
    let (low, high) = (0..p.len())
        .filter(in_bed)
        .map(|slot| p.position[slot])
        .fold((DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY)), |(low, high), x| {
            (low.min(x), high.max(x))
        });
    let surface = has_surface(world).then(|| HeightMap::new(world, low, high, 3.0 * diameter, &in_bed));
    let ball = volume_weighted_diameter(&radii);
    let empty = EmptyPlaces::new(&p.position, &p.radius, &world.cell, [low, high], ball, FROM_EMPTY * ball);
    // plastic number of dimension 3: the sequence with the smallest discrepancy of its kind
    let g = 1.220_744_084_605_759_5_f64;
    let step = DVec3::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
    let mut point = DVec3::splat(0.5);
    let spheres = SphereGrid::new(world, low, high);
    let (mut points, mut inside) = (0u32, 0u32);
    for _ in 0..MOST_ROUNDS {
        for _ in 0..POINTS {
            point = (point + step).fract();
            let x = low + point * (high - low);
            let in_bulk = empty.distance(x) > FROM_EMPTY * ball
                && surface.as_ref().is_none_or(|surface| surface.depth(x) > clearance)
                && world.walls.iter().filter(|wall| wall.active).all(|wall| wall.distance(x) > clearance);
            if in_bulk {
                points += 1;
                inside += u32::from(spheres.cover(x));
            }
        }
        if !(FEWEST..ENOUGH).contains(&points) {
            break;
        }
    }
    if points >= FEWEST { Ok(f64::from(inside) / f64::from(points)) } else { Err(NoBulk::TooThin) }
}

/// Radii of spheres by themselves, and of spheres with the volumes of bodies \[m\].
fn grain_radii(world: &World) -> Vec<f64> {
    world.movers().map(|mover| world.radius_of(mover)).collect()
}

/// Whether the cell is the sample, as one that deforms, or that is periodic along every edge and holds no wall: its porosity is known without any
/// sampling.
pub fn cell_is_sample(world: &World) -> bool {
    world.deformation.is_some() || world.cell.periodic == [true; 3] && world.walls.iter().all(|wall| !wall.active)
}

/// Whether gravity gives a bed a free surface.
fn has_surface(world: &World) -> bool {
    let up = up(world);
    let periodic_along = |k: usize| world.cell.periodic[k] && up[k].abs() > 1.0 - 1e-9;
    world.fields.gravity.length() > 0.0 && !world.fields.gravity_turns() && !(0..3).any(periodic_along)
}

/// The spheres, with those that reach in across periodic faces, sorted into bins at least as wide as the largest radius.
struct SphereGrid {
    /// Centres and radii.
    spheres: Vec<(DVec3, f64)>,
    low: DVec3,
    scale: DVec3,
    bins: [usize; 3],
    /// Start of each bin in `order`; one more than bins.
    start: Vec<u32>,
    /// Numbers of the spheres bin by bin.
    order: Vec<u32>,
}

impl SphereGrid {
    fn new(world: &World, low: DVec3, high: DVec3) -> Self {
        let p = &world.particles;
        let spheres = spheres_and_images(&p.position, &p.radius, &world.cell, low, high);
        let largest = p.radius.iter().copied().fold(0.0, f64::max);
        let most = (p.len() as f64).cbrt().ceil();
        let extent = high - low;
        let bins: [usize; 3] = std::array::from_fn(|k| (extent[k] / largest).floor().clamp(1.0, 2.0 * most) as usize);
        let scale =
            DVec3::from_array(std::array::from_fn(|k| if extent[k] > 0.0 { bins[k] as f64 / extent[k] } else { 0.0 }));
        let mut grid = Self {
            low,
            scale,
            bins,
            start: vec![0; bins.iter().product::<usize>() + 1],
            order: vec![0; spheres.len()],
            spheres,
        };
        let bin: Vec<usize> = grid.spheres.iter().map(|&(x, _)| grid.index(grid.coordinates(x))).collect();
        for &b in &bin {
            grid.start[b + 1] += 1;
        }
        for b in 1..grid.start.len() {
            grid.start[b] += grid.start[b - 1];
        }
        let mut next = grid.start.clone();
        for (sphere, &b) in bin.iter().enumerate() {
            grid.order[next[b] as usize] = sphere as u32;
            next[b] += 1;
        }
        grid
    }

    fn coordinates(&self, x: DVec3) -> [usize; 3] {
        let c = (x - self.low) * self.scale;
        std::array::from_fn(|k| (c[k].max(0.0) as usize).min(self.bins[k] - 1))
    }

    fn index(&self, c: [usize; 3]) -> usize {
        (c[2] * self.bins[1] + c[1]) * self.bins[0] + c[0]
    }

    /// Whether a point lies inside a sphere.
    fn cover(&self, x: DVec3) -> bool {
        let c = self.coordinates(x);
        let around = |k: usize| c[k].saturating_sub(1)..=(c[k] + 1).min(self.bins[k] - 1);
        around(2).any(|k| {
            around(1).any(|j| {
                // the bins of a row lie one after the other
                let row = around(0);
                let (first, last) = (self.index([*row.start(), j, k]), self.index([*row.end(), j, k]));
                self.order[self.start[first] as usize..self.start[last + 1] as usize].iter().any(|&sphere| {
                    let (centre, radius) = self.spheres[sphere as usize];
                    centre.distance_squared(x) < radius * radius
                })
            })
        })
    }
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
    fn new(world: &World, low: DVec3, high: DVec3, width: f64, in_bed: &dyn Fn(&usize) -> bool) -> Self {
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
        for slot in (0..p.len()).filter(in_bed) {
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

#[cfg(test)]
mod tests {
    use crate::builder::loaded_scene::parse_scene;
    use crate::builder::simulation::build;

    /// Simple cubic lattice with every layer a quarter of its spacing further along x than the one below: in each depth of the bulk other
    /// spheres lie across the periodic faces.
    #[test]
    fn spheres_that_reach_across_periodic_faces_count_on_both_sides() {
        let scene = r#"
[domain]
min = [0.5, 0.5, -1]
max = [8.5, 8.5, 20]
x = "periodic"
y = "periodic"
[materials.grain]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 1e4
friction = 0.5
restitution = 0.5
[[walls]]
name = "floor"
material = "grain"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "bed"
material = "grain"
sizes = { type = "single", radius = 0.49 }
region = { type = "box", min = [0.5, 0.5, 0], max = [8.5, 8.5, 14] }
fill = { type = "lattice", spacing = 1 }
"#;
        let mut simulation = build(&parse_scene("test", scene, &[]).unwrap()).unwrap();
        let world = &mut simulation.world;
        assert_eq!(world.particles.len(), 8 * 8 * 14);
        for x in &mut world.particles.position {
            x.x = 0.5 + (x.x - 0.5 + 0.25 * x.z.floor()).rem_euclid(8.0);
        }
        let fraction = super::bulk_packing_fraction(world).unwrap();
        // the bulk is 2.94 away from the floor and from the surface at 13.99: eight layers and caps of the next, 0.05 and 0.04 high
        let cap = |h: f64| std::f64::consts::PI * h * h * (0.49 - h / 3.0);
        let expected = (8.0 * dem_core::particles::sphere_volume(0.49) + cap(0.05) + cap(0.04)) / 8.11;
        // without images caps are missing, 0.005 of the packing fraction
        assert!((fraction - expected).abs() < 2e-3, "{fraction}, expected {expected}");
    }
}
