//! Where around a packing there is nothing: places that hold a ball of some size without a grain in it.
//!
//! Air above a bed, next to a heap, outside a container and below an outlet is empty in this sense, whatever the walls
//! look like; the holes between the grains of a bed are not. Centres of empty balls are searched for on a grid of half
//! their radius, and the distance of every node to the nearest of them is that of a Euclidean distance transform in
//! whole numbers (A. Meijster, J. Roerdink, W. Hesselink, Computational Imaging and Vision 18 (2000) 331: one axis
//! after the other).

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::exact_sum::sums_of;

/// Most nodes of a grid; a finer one is made coarser.
const MOST_NODES: f64 = 16_777_216.0;
/// Nodes over the radius of an empty ball.
const NODES_PER_RADIUS: f64 = 2.0;

/// Diameter of grains weighted with their volume \[m\]: few small ones between many large ones do not make it small.
pub fn volume_weighted_diameter(radii: &[f64]) -> f64 {
    let [third, fourth] = sums_of(radii.len(), |at| {
        let r = radii[at];
        [r * r * r, r * r * r * r]
    });
    2.0 * fourth / third
}

/// Spheres that reach into a box, images across periodic faces included.
pub(super) fn spheres_and_images(
    centres: &[DVec3],
    radii: &[f64],
    cell: &Cell,
    low: DVec3,
    high: DVec3,
) -> Vec<(DVec3, f64)> {
    // a box may be longer than the cell
    let around = |k: usize| {
        if !cell.periodic[k] {
            return 0..=0;
        }
        let beyond = (cell.origin[k] - low[k]).max(high[k] - cell.origin[k] - cell.width(k)).max(0.0);
        let most = 1 + (beyond / cell.width(k)).ceil().min(64.0) as i32;
        -most..=most
    };
    let mut shifts = Vec::new();
    for i in around(0) {
        for j in around(1) {
            shifts.extend(around(2).map(|k| cell.matrix() * DVec3::new(f64::from(i), f64::from(j), f64::from(k))));
        }
    }
    let mut spheres = Vec::with_capacity(centres.len());
    for (&centre, &radius) in centres.iter().zip(radii) {
        let reach = DVec3::splat(radius);
        let images = shifts.iter().map(|&shift| centre + shift);
        let near = images.filter(|x| x.cmpge(low - reach).all() && x.cmple(high + reach).all());
        spheres.extend(near.map(|x| (x, radius)));
    }
    spheres
}

/// Distances to the nearest centre of an empty ball, on a grid.
pub struct EmptyPlaces {
    low: DVec3,
    spacing: f64,
    nodes: [usize; 3],
    /// Squares of distances in spacings, up to that of `reach`.
    squares: Vec<u16>,
    /// Distance in spacings beyond which all are the same.
    reach: usize,
}

impl EmptyPlaces {
    /// Balls of a radius \[m\] in a box around spheres, and distances from them up to `reach` \[m\]. Beyond the box
    /// nothing is known to be empty, so that it is made larger by what reach and radius require.
    pub fn new(
        centres: &[DVec3],
        radii: &[f64],
        cell: &Cell,
        [low, high]: [DVec3; 2],
        radius: f64,
        reach: f64,
    ) -> Self {
        // spheres in a plane are treated in that plane
        let flat = low.cmpeq(high);
        let margin = DVec3::select(flat, DVec3::ZERO, DVec3::splat(reach + radius));
        let (low, high) = (low - margin, high + margin);
        let nodes_at = |spacing: f64| {
            let along = (high - low) / spacing;
            [along.x, along.y, along.z].map(|count| count.ceil() + 1.0)
        };
        let mut spacing = radius / NODES_PER_RADIUS;
        while nodes_at(spacing).iter().product::<f64>() > MOST_NODES {
            spacing *= 1.1;
        }
        let nodes = nodes_at(spacing).map(|count| count as usize);
        let reach = ((reach / spacing).ceil() as usize + 1).min(250);
        let beyond = ((reach + 1) * (reach + 1)) as u16;
        let mut places = Self { low, spacing, nodes, squares: vec![0; nodes.iter().product()], reach };
        for (centre, r) in spheres_and_images(centres, radii, cell, low - radius, high + radius) {
            places.cover(centre, r + radius, beyond);
        }
        for axis in 0..3 {
            places.spread(axis);
        }
        places
    }

    /// Takes away the nodes around which a ball would hold a part of a sphere.
    fn cover(&mut self, centre: DVec3, reach: f64, covered: u16) {
        let at = (centre - self.low) / self.spacing;
        let reach = reach / self.spacing;
        let range = |k: usize| {
            let first = (at[k] - reach).ceil().max(0.0) as usize;
            let last = (at[k] + reach).floor().min(self.nodes[k] as f64 - 1.0);
            if last < 0.0 { 0..0 } else { first..last as usize + 1 }
        };
        for k in range(2) {
            for j in range(1) {
                let across = (k as f64 - at.z).powi(2) + (j as f64 - at.y).powi(2);
                let row = (k * self.nodes[1] + j) * self.nodes[0];
                for i in range(0) {
                    if across + (i as f64 - at.x).powi(2) < reach * reach {
                        self.squares[row + i] = covered;
                    }
                }
            }
        }
    }

    /// One pass of the distance transform: along an axis.
    fn spread(&mut self, axis: usize) {
        let stride = self.nodes[..axis].iter().product::<usize>();
        let count = self.nodes[axis];
        let mut line = vec![0_u16; count];
        for start in (0..self.squares.len()).filter(|index| index / stride % count == 0) {
            for (i, value) in line.iter_mut().enumerate() {
                *value = self.squares[start + i * stride];
            }
            for i in 0..count {
                let around = i.saturating_sub(self.reach)..=(i + self.reach).min(count - 1);
                let nearest = around.map(|j| line[j].saturating_add((i.abs_diff(j) * i.abs_diff(j)) as u16)).min();
                self.squares[start + i * stride] = nearest.unwrap_or(0);
            }
        }
    }

    /// Distance from a point of the box to the nearest centre of an empty ball \[m\], to half a spacing or so; infinite beyond the reach.
    pub fn distance(&self, point: DVec3) -> f64 {
        let at = (point - self.low) / self.spacing;
        let node: [usize; 3] = std::array::from_fn(|k| (at[k].round().max(0.0) as usize).min(self.nodes[k] - 1));
        let square = self.squares[(node[2] * self.nodes[1] + node[1]) * self.nodes[0] + node[0]];
        if usize::from(square) > self.reach * self.reach {
            return f64::INFINITY;
        }
        f64::from(square).sqrt() * self.spacing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::cell::FacePolicy;

    /// Distances on the grid are those to the nearest node around which nothing lies, by brute force.
    #[test]
    fn distances_are_those_to_the_nearest_empty_ball() {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(8.0), [true, true, false], [[FacePolicy::Error; 2]; 3]);
        // a layer of touching spheres across the whole periodic cell, with a hole of one of them
        let all = (0..64).map(|k| DVec3::new(0.5 + f64::from(k % 8), 0.5 + f64::from(k / 8), 4.0));
        let centres: Vec<DVec3> = all.filter(|x| (x.x, x.y) != (3.5, 4.5)).collect();
        let radii = vec![0.5; centres.len()];
        let [low, high] = [DVec3::new(0.0, 0.0, 3.5), DVec3::new(8.0, 8.0, 4.5)];
        let places = EmptyPlaces::new(&centres, &radii, &cell, [low, high], 0.6, 2.0);
        let images = spheres_and_images(&centres, &radii, &cell, low - 4.0, high + 4.0);
        let node =
            |i: usize, j: usize, k: usize| places.low + places.spacing * DVec3::new(i as f64, j as f64, k as f64);
        let [nx, ny, nz] = places.nodes;
        let mut empty = Vec::new();
        for (i, j, k) in (0..nx * ny * nz).map(|n| (n % nx, n / nx % ny, n / nx / ny)) {
            let x = node(i, j, k);
            if images.iter().all(|(centre, r)| centre.distance(x) >= r + 0.6) {
                empty.push(x);
            }
        }
        for (i, j, k) in [(nx / 2, ny / 2, nz / 2), (8, 9, nz / 2), (nx / 2, 7, nz / 2 + 2), (10, 10, nz - 1)] {
            let x = node(i, j, k);
            let nearest = empty.iter().map(|other| other.distance(x)).fold(f64::INFINITY, f64::min);
            assert!((places.distance(x) - nearest).abs() < 1e-9, "{x}: {} for {nearest}", places.distance(x));
        }
        // one sphere less is no place for a ball of a larger radius than its own: in the layer the nearest lie above and below
        assert!(places.distance(DVec3::new(3.5, 4.5, 4.0)) > 0.1);
    }

    #[test]
    fn diameters_are_weighted_with_volume() {
        assert!((volume_weighted_diameter(&[0.5; 7]) - 1.0).abs() < 1e-15);
        let mixed = volume_weighted_diameter(&[1.0, 0.1, 0.1]);
        assert!((mixed - 2.0 * (1.0 + 2e-4) / (1.0 + 2e-3)).abs() < 1e-15);
    }
}
