//! Packing fraction and height of a bed counted again, point by point and pair by pair, with geometry of its own: nothing here is shared with
//! the engine but the files that it writes.

#![allow(dead_code, reason = "each program uses a part of it")]

use std::path::Path;

use dem_io::snapshot::{ColumnData, SnapshotReader};

pub type Point = [f64; 3];

/// Spheres of the last frame.
pub struct Spheres {
    pub centres: Vec<Point>,
    pub radii: Vec<f64>,
}

fn difference(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn length(a: Point) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

impl Spheres {
    /// Of a run directory; nothing if it cannot be read.
    pub fn last(directory: &Path) -> Option<Self> {
        let reader = SnapshotReader::open(&directory.join("snapshots.vtkhdf")).ok()?;
        let frame = reader.read(reader.frames().len().checked_sub(1)?).ok()?;
        let column = frame.point_data.iter().find(|column| column.spec.name == "radius")?;
        let ColumnData::F64(radii) = &column.data else { return None };
        Some(Self { centres: frame.positions.iter().map(|x| x.to_array()).collect(), radii: radii.clone() })
    }

    pub fn diameter(&self) -> f64 {
        2.0 * self.radii.iter().sum::<f64>() / self.radii.len() as f64
    }

    pub fn solid(&self) -> f64 {
        self.radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r * r * r).sum()
    }

    /// Periodic images along x and y, all of them.
    pub fn repeated(&self, period: f64) -> Self {
        let mut all = Self { centres: Vec::new(), radii: Vec::new() };
        for (i, j) in (0..9).map(|k| (f64::from(k % 3 - 1), f64::from(k / 3 - 1))) {
            all.centres.extend(self.centres.iter().map(|x| [x[0] + i * period, x[1] + j * period, x[2]]));
            all.radii.extend(&self.radii);
        }
        all
    }

    /// Height along an axis of the largest set of overlapping spheres, every pair looked at.
    pub fn height(&self, axis: usize, period: f64) -> f64 {
        let nearest = |x: f64| if period > 0.0 { x - period * (x / period).round() } else { x };
        let touch = |a: usize, b: usize| {
            let [x, y, z] = difference(self.centres[a], self.centres[b]);
            length([nearest(x), nearest(y), z]) < self.radii[a] + self.radii[b]
        };
        let mut unseen: Vec<usize> = (0..self.radii.len()).collect();
        let mut largest: Vec<usize> = Vec::new();
        while let Some(first) = unseen.pop() {
            let mut set = vec![first];
            let mut next = 0;
            while next < set.len() {
                let (near, far) = unseen.iter().partition(|&&other| touch(set[next], other));
                (set, unseen) = ([set, near].concat(), far);
                next += 1;
            }
            if set.len() > largest.len() {
                largest = set;
            }
        }
        let low = largest.iter().map(|&k| self.centres[k][axis] - self.radii[k]).fold(f64::INFINITY, f64::min);
        let high = largest.iter().map(|&k| self.centres[k][axis] + self.radii[k]).fold(f64::NEG_INFINITY, f64::max);
        high - low
    }

    /// Share of the bulk that is inside of a sphere, and of the box that is bulk. The bulk is what is three diameters away from walls, whose distance
    /// a function tells, and around which grains lie in all directions: within a diameter of the points three diameters away, of the one four
    /// diameters above, so that the surface is three away. `flat` looks at the plane across z only, where y is up.
    pub fn fraction(&self, low: Point, high: Point, flat: bool, walls: &dyn Fn(Point) -> f64) -> (f64, f64) {
        let d = self.diameter();
        let grid = Grid::new(self, 1.5 * d);
        let directions: Vec<Point> = (0..27)
            .map(|k| [f64::from(k % 3 - 1), f64::from(k / 3 % 3 - 1), f64::from(k / 9 - 1)])
            .filter(|v| length(*v) > 0.0 && !(flat && v[2] != 0.0))
            .map(|v| {
                // y is up in the plane, z in space
                let straight_up = length(v) == 1.0 && v[if flat { 1 } else { 2 }] > 0.0;
                v.map(|component| component / length(v) * d * if straight_up { 4.0 } else { 3.0 })
            })
            .collect();
        let (mut tried, mut bulk, mut solid) = (0_u32, 0_u32, 0_u32);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            // Marsaglia's xorshift
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        while tried < 60_000 {
            tried += 1;
            let x: Point = std::array::from_fn(|k| low[k] + (high[k] - low[k]) * random());
            let at = |v: &Point| [x[0] + v[0], x[1] + v[1], x[2] + v[2]];
            let enclosed =
                || directions.iter().all(|v| grid.near(at(v)).any(|k| length(difference(self.centres[k], at(v))) < d));
            if walls(x) > 3.0 * d && enclosed() {
                bulk += 1;
                solid += u32::from(grid.near(x).any(|k| length(difference(self.centres[k], x)) < self.radii[k]));
            }
        }
        (f64::from(solid) / f64::from(bulk), f64::from(bulk) / f64::from(tried))
    }
}

/// Spheres in cubes of an edge that no look goes beyond.
struct Grid {
    edge: f64,
    low: Point,
    counts: [usize; 3],
    cells: Vec<Vec<usize>>,
}

impl Grid {
    fn new(spheres: &Spheres, edge: f64) -> Self {
        let fold = |k: usize, f: fn(f64, f64) -> f64, from: f64| spheres.centres.iter().map(|x| x[k]).fold(from, f);
        let low: Point = std::array::from_fn(|k| fold(k, f64::min, f64::INFINITY));
        let high: Point = std::array::from_fn(|k| fold(k, f64::max, f64::NEG_INFINITY));
        let counts = std::array::from_fn(|k| ((high[k] - low[k]) / edge) as usize + 1);
        let mut grid = Self { edge, low, counts, cells: vec![Vec::new(); counts.iter().product()] };
        for (k, x) in spheres.centres.iter().enumerate() {
            let cell: [usize; 3] = std::array::from_fn(|a| ((x[a] - low[a]) / edge) as usize);
            let index = grid.index(cell);
            grid.cells[index].push(k);
        }
        grid
    }

    fn index(&self, cell: [usize; 3]) -> usize {
        (cell[2] * self.counts[1] + cell[1]) * self.counts[0] + cell[0]
    }

    /// Spheres in the cube of a point and those around it.
    fn near(&self, x: Point) -> impl Iterator<Item = usize> {
        let at: [i64; 3] = std::array::from_fn(|k| ((x[k] - self.low[k]) / self.edge).floor() as i64);
        (0..27).flat_map(move |n| {
            let cell = [at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1];
            let inside = (0..3).all(|k| cell[k] >= 0 && cell[k] < self.counts[k] as i64);
            let list = if inside { self.cells[self.index(cell.map(|c| c as usize))].as_slice() } else { &[] };
            list.iter().copied()
        })
    }
}
