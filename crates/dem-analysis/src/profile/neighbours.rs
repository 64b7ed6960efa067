//! Which points are near which, over periodic faces.

use dem_core::DVec3;
use dem_core::cell::Cell;

/// Points and their periodic images, sorted into cubes.
pub struct Neighbourhood {
    reach: f64,
    low: DVec3,
    cube: f64,
    cubes: [usize; 3],
    /// First entry of each cube.
    start: Vec<u32>,
    /// Row and place of each entry, cube by cube.
    entries: Vec<(u32, DVec3)>,
    /// The points, inside the cell.
    points: Vec<DVec3>,
}

/// Cubes along the reach: two leave less to be looked at than one.
const CUBES_PER_REACH: f64 = 2.0;

impl Neighbourhood {
    /// Of points, for distances up to `reach` \[m\], which must not exceed half of a period.
    pub fn new(points: &[DVec3], reach: f64, cell: &Cell) -> Self {
        let mut points = points.to_vec();
        for point in &mut points {
            cell.wrap(point);
        }
        let mut entries: Vec<(u32, DVec3)> = points.iter().enumerate().map(|(k, &x)| (k as u32, x)).collect();
        for k in (0..3).filter(|&k| cell.periodic[k]) {
            let edge = cell.matrix().col(k);
            let (low, high) = (cell.origin[k], cell.origin[k] + cell.width(k));
            let images = entries.iter().flat_map(|&(row, x)| {
                let above = (x[k] < low + reach).then_some((row, x + edge));
                let below = (x[k] > high - reach).then_some((row, x - edge));
                above.into_iter().chain(below)
            });
            let images: Vec<(u32, DVec3)> = images.collect();
            entries.extend(images);
        }
        let (low, high) = entries
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (_, x)| (low.min(*x), high.max(*x)));
        // points far apart must not make more cubes than points
        let volume = (high - low).max(DVec3::splat(reach)).element_product();
        let cube = (reach / CUBES_PER_REACH).max((volume / (2.0 * entries.len() as f64 + 1.0)).cbrt());
        let cubes: [usize; 3] = std::array::from_fn(|k| ((high[k] - low[k]) / cube).max(0.0) as usize + 1);
        let mut found = Self { reach, low, cube, cubes, start: Vec::new(), entries: Vec::new(), points };
        let numbers: Vec<usize> = entries.iter().map(|&(_, x)| found.number(found.place(x))).collect();
        found.start = vec![0; cubes.iter().product::<usize>() + 1];
        for &number in &numbers {
            found.start[number + 1] += 1;
        }
        for number in 1..found.start.len() {
            found.start[number] += found.start[number - 1];
        }
        let mut next = found.start.clone();
        found.entries = vec![(0, DVec3::ZERO); entries.len()];
        for (entry, number) in entries.into_iter().zip(numbers) {
            found.entries[next[number] as usize] = entry;
            next[number] += 1;
        }
        found
    }

    fn place(&self, x: DVec3) -> [usize; 3] {
        std::array::from_fn(|k| (((x[k] - self.low[k]) / self.cube).max(0.0) as usize).min(self.cubes[k] - 1))
    }

    fn number(&self, place: [usize; 3]) -> usize {
        (place[2] * self.cubes[1] + place[1]) * self.cubes[0] + place[0]
    }

    /// Calls back with the row of every other point within reach of a point and the way there \[m\].
    pub fn around(&self, row: usize, mut act: impl FnMut(usize, DVec3)) {
        let x = self.points[row];
        let steps = (self.reach / self.cube).ceil() as usize;
        let place = self.place(x);
        let range = |k: usize| place[k].saturating_sub(steps)..=(place[k] + steps).min(self.cubes[k] - 1);
        for c in range(2) {
            for b in range(1) {
                let along = range(0);
                let (first, last) = (self.number([*along.start(), b, c]), self.number([*along.end(), b, c]));
                for &(other, at) in &self.entries[self.start[first] as usize..self.start[last + 1] as usize] {
                    let way = at - x;
                    if way.length_squared() <= self.reach * self.reach && other as usize != row {
                        act(other as usize, way);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::cell::FacePolicy;

    #[test]
    fn lattice_has_its_neighbours_over_periodic_faces() {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(5.0), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let sites = (0..125).map(|k| DVec3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64));
        let points: Vec<DVec3> = sites.collect();
        let near = Neighbourhood::new(&points, 1.8, &cell);
        for row in 0..points.len() {
            let mut ways = Vec::new();
            near.around(row, |_, way| ways.push(way.length_squared().round() as u32));
            ways.sort_unstable();
            assert_eq!(ways.iter().filter(|&&d| d == 1).count(), 6);
            assert_eq!(ways.iter().filter(|&&d| d == 2).count(), 12);
            assert_eq!(ways.iter().filter(|&&d| d == 3).count(), 8);
            assert_eq!(ways.len(), 26);
        }
    }

    #[test]
    fn points_far_apart_take_little_memory() {
        let points = [DVec3::splat(-1e9), DVec3::splat(1e9), DVec3::splat(1e9 - 0.1)];
        let near = Neighbourhood::new(&points, 1.0, &Cell::unbounded());
        assert!(near.start.len() < 1000);
        let mut found = Vec::new();
        near.around(1, |row, _| found.push(row));
        assert_eq!(found, [2]);
    }
}
