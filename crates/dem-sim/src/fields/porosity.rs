//! Local porosity, for drag that depends on it.
//!
//! The rule: space is divided into cubic cells whose corners are multiples of their edge, along periodic directions into as many equal cells as
//! fit. Where forces are evaluated the volume of every sphere is shared among the eight cells whose centres are nearest to its own, with linear
//! weights; the porosity at a point is one less the solid fraction of the eight nearest cells with the same weights. So a sphere that crosses
//! from one cell into another changes nothing abruptly, and its own volume counts. What lies behind a wall counts as empty.
//!
//! Volumes are summed as integers: the order does not matter, and with it neither slots nor threads. Parts of an assembly tell each other what
//! their particles put into cells.

use std::collections::BTreeMap;

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::Particles;

/// Below this no porosity is taken: the densest packing of equal spheres has 0.26, and correlations have no meaning there.
pub const SMALLEST: f64 = 0.2;

/// Units of the solid fraction: sums up to 2¹⁵ fit, each term is rounded by 2⁻⁴⁹.
const UNITS: f64 = (1u64 << 48) as f64;
/// Largest number of a cell, far beyond any domain: what is farther away counts as there.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// Cells of a table for each particle, and in any case; if more are wanted, because some sphere is far away, only those that hold something are kept.
const CELLS_PER_PARTICLE: usize = 64;
const CELLS_IN_ANY_CASE: usize = 4096;
/// The same for each cell that parts of an assembly have told of.
const CELLS_PER_TOLD: usize = 64;

/// Local porosities over a step.
#[derive(Clone, Debug, Default)]
pub struct Porosity {
    /// At its start.
    pub start: PorosityGrid,
    /// Where forces are evaluated, at its end.
    pub end: PorosityGrid,
}

/// Solid fraction of cells.
#[derive(Clone, Debug, Default)]
pub struct PorosityGrid {
    origin: DVec3,
    edge: DVec3,
    /// Number of cells along periodic directions.
    periods: [Option<i64>; 3],
    solid: Solid,
}

/// Units of solid fraction by cell.
#[derive(Clone, Debug)]
enum Solid {
    /// All cells of a box.
    Table { first: [i64; 3], count: [i64; 3], units: Vec<i64> },
    /// Those that hold something.
    Sparse(BTreeMap<[i64; 3], i64>),
}

impl Default for Solid {
    fn default() -> Self {
        Self::Sparse(BTreeMap::new())
    }
}

/// One of the eight cells near a point, and its weight.
type Share = ([i64; 3], f64);

impl PorosityGrid {
    /// Takes the porosity of the present state in cells of about an edge \[m\], that of the particles which are no ghosts.
    pub fn measure(&mut self, particles: &Particles, cell: &Cell, edge: f64) {
        let lengths = cell.matrix() * DVec3::ONE;
        self.origin = DVec3::ZERO;
        self.edge = DVec3::splat(edge);
        self.periods = [None; 3];
        for k in (0..3).filter(|&k| cell.periodic[k]) {
            let count = (lengths[k] / edge).floor().clamp(1.0, FARTHEST);
            self.periods[k] = Some(count as i64);
            self.edge[k] = lengths[k] / count;
            self.origin[k] = cell.origin[k];
        }
        let owned = &particles.position[..particles.owned()];
        self.solid = self.empty(owned);
        let volume = self.edge.x * self.edge.y * self.edge.z;
        for (slot, &x) in owned.iter().enumerate() {
            let fraction = particles.solid_volume(slot) / volume;
            for (cell, weight) in self.shares(x) {
                self.solid.add(cell, (weight * fraction * UNITS) as i64);
            }
        }
    }

    /// Porosity at a point \[-\], not below [`SMALLEST`]; one where nothing has been measured.
    pub fn at(&self, point: DVec3) -> f64 {
        if self.edge == DVec3::ZERO {
            return 1.0;
        }
        let solid: f64 = self.shares(point).into_iter().map(|(cell, weight)| weight * self.solid.fraction(cell)).sum();
        (1.0 - solid).clamp(SMALLEST, 1.0)
    }

    /// The cells near a point with weights that add up to one.
    fn shares(&self, point: DVec3) -> [Share; 8] {
        let place = (point - self.origin) / self.edge - 0.5;
        let place = place.clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST));
        let low = place.floor();
        let beyond = place - low;
        std::array::from_fn(|corner| {
            let mut weight = 1.0;
            let cell = std::array::from_fn(|k| {
                let upper = corner >> k & 1;
                weight *= if upper == 1 { beyond[k] } else { 1.0 - beyond[k] };
                let number = low[k] as i64 + upper as i64;
                self.periods[k].map_or(number, |count| number.rem_euclid(count))
            });
            (cell, weight)
        })
    }

    /// Room for the cells near some places.
    fn empty(&self, places: &[DVec3]) -> Solid {
        let near = places.iter().flat_map(|&x| self.shares(x)).map(|(cell, _)| [cell; 2]);
        Solid::with_room(near, places.len().saturating_mul(CELLS_PER_PARTICLE))
    }

    /// What cells hold, as a message: for every run of cells along the last axis the first one, their number, and the units of each.
    pub(crate) fn to_words(&self) -> Vec<u64> {
        let (mut words, mut length, mut next) = (Vec::new(), 0, None);
        self.solid.visit(|cell @ [x, y, z], units| {
            if next != Some(cell) {
                words.extend(cell.map(|number| number as u64));
                length = words.len();
                words.push(0);
            }
            words[length] += 1;
            words.push(units as u64);
            next = Some([x, y, z + 1]);
        });
        words
    }

    /// Has cells hold what the messages of all parts say together, one after the other.
    pub(crate) fn hold_all(&mut self, words: &[u64]) {
        let spans = runs(words).map(|([x, y, z], units)| [[x, y, z], [x, y, z + units.len() as i64 - 1]]);
        self.solid = Solid::with_room(spans, words.len().saturating_mul(CELLS_PER_TOLD));
        for ([x, y, z], units) in runs(words) {
            for (z, &units) in (z..).zip(units) {
                self.solid.add([x, y, z], units as i64);
            }
        }
    }
}

/// Runs of cells of a message: the first cell of each, and their units.
fn runs(mut words: &[u64]) -> impl Iterator<Item = ([i64; 3], &[u64])> {
    std::iter::from_fn(move || {
        let (&[x, y, z, length], rest) = words.split_first_chunk()?;
        let (units, rest) = rest.split_at_checked(length as usize)?;
        words = rest;
        Some(([x, y, z].map(|number| number as i64), units))
    })
}

impl Solid {
    /// Room for all cells between the corners of some boxes, in a table if that has not many more cells than `enough`.
    fn with_room(boxes: impl Iterator<Item = [[i64; 3]; 2]>, enough: usize) -> Self {
        let (mut low, mut high) = ([i64::MAX; 3], [i64::MIN; 3]);
        for [first, last] in boxes {
            for k in 0..3 {
                low[k] = low[k].min(first[k]);
                high[k] = high[k].max(last[k]);
            }
        }
        if low[0] > high[0] {
            return Self::default();
        }
        let count: [i64; 3] = std::array::from_fn(|k| high[k] - low[k] + 1);
        let most = CELLS_IN_ANY_CASE.saturating_add(enough);
        let cells = count.iter().try_fold(1usize, |all, &n| all.checked_mul(n as usize)).filter(|&cells| cells <= most);
        match cells {
            Some(cells) => Self::Table { first: low, count, units: vec![0; cells] },
            None => Self::default(),
        }
    }

    /// Calls `act` with the cells that hold something, along the last axis first.
    fn visit(&self, mut act: impl FnMut([i64; 3], i64)) {
        match self {
            Self::Sparse(all) => {
                all.iter().filter(|&(_, &units)| units != 0).for_each(|(&cell, &units)| act(cell, units))
            }
            Self::Table { first: [x, y, z], count: [_, wide, deep], units } => {
                for (row, units) in (0..).zip(units.chunks_exact(*deep as usize)) {
                    for (z, &units) in (*z..).zip(units).filter(|&(_, &units)| units != 0) {
                        act([x + row / wide, y + row % wide, z], units);
                    }
                }
            }
        }
    }

    fn add(&mut self, cell: [i64; 3], units: i64) {
        match self {
            Self::Sparse(all) => *all.entry(cell).or_default() += units,
            Self::Table { first, count, units: all } => {
                if let Some(at) = place_in(first, count, cell) {
                    all[at] += units;
                }
            }
        }
    }

    fn fraction(&self, cell: [i64; 3]) -> f64 {
        let units = match self {
            Self::Sparse(all) => all.get(&cell).copied(),
            Self::Table { first, count, units } => place_in(first, count, cell).map(|at| units[at]),
        };
        units.unwrap_or(0) as f64 / UNITS
    }
}

/// Place of a cell in a table, if it is part of it.
fn place_in(first: &[i64; 3], count: &[i64; 3], cell: [i64; 3]) -> Option<usize> {
    let mut at = 0;
    for k in 0..3 {
        let n = cell[k] - first[k];
        if n < 0 || n >= count[k] {
            return None;
        }
        at = at * count[k] as usize + n as usize;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use dem_core::DQuat;
    use dem_core::cell::FacePolicy;
    use dem_core::particles::NewParticle;

    use dem_core::particles::sphere_volume;

    use super::*;

    fn spheres(places: impl IntoIterator<Item = DVec3>, radius: f64) -> Particles {
        let mut particles = Particles::default();
        for position in places {
            particles.push(NewParticle {
                position,
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius,
                density: 1000.0,
                material: 0,
                group: 0,
                frozen: 0,
            });
        }
        particles
    }

    fn periodic(length: f64) -> Cell {
        Cell::orthogonal(DVec3::ZERO, DVec3::splat(length), [true; 3], [[FacePolicy::Open; 2]; 3])
    }

    /// 10 x 10 x 10 spheres on a lattice: every cell holds the same.
    #[test]
    fn lattice_has_its_own_porosity_everywhere() {
        let places = (0..1000).map(|k| DVec3::new((k % 10) as f64, (k / 10 % 10) as f64, (k / 100) as f64) + 0.5);
        let particles = spheres(places, 0.45);
        let mut grid = PorosityGrid::default();
        grid.measure(&particles, &periodic(10.0), 1.9);
        let expected = 1.0 - sphere_volume(0.45);
        for point in [DVec3::splat(0.1), DVec3::new(9.9, 3.3, 5.0), DVec3::splat(5.0)] {
            let found = grid.at(point);
            // five cells of 2 m: linear weights over a lattice add up exactly where the edge is a multiple of its spacing
            assert!((found - expected).abs() < 1e-12, "{found}, {expected} at {point}");
        }
    }

    #[test]
    fn all_volume_is_shared_out_and_a_sphere_far_away_changes_nothing() {
        let near = [DVec3::new(0.3, 0.1, -0.2), DVec3::new(1.7, 2.2, 0.4)];
        let mut table = PorosityGrid::default();
        table.measure(&spheres(near, 0.2), &Cell::unbounded(), 1.0);
        let Solid::Table { units, .. } = &table.solid else { panic!("two spheres need a table only") };
        let sum = units.iter().sum::<i64>() as f64 / UNITS;
        assert!((sum - 2.0 * sphere_volume(0.2)).abs() < 1e-12, "{sum}");
        let mut sparse = PorosityGrid::default();
        sparse.measure(&spheres(near.into_iter().chain([DVec3::splat(1e30)]), 0.2), &Cell::unbounded(), 1.0);
        assert!(matches!(sparse.solid, Solid::Sparse(_)));
        for point in [near[0], near[1], DVec3::splat(0.6), DVec3::splat(40.0)] {
            assert_eq!(table.at(point).to_bits(), sparse.at(point).to_bits());
        }
        assert_eq!(table.at(DVec3::splat(40.0)), 1.0);
    }

    /// In a table or not, in a cell with periodic directions or not, alone, near each other or empty.
    #[test]
    fn parts_hold_together_what_the_whole_holds() {
        let near: Vec<DVec3> = (0..40u32)
            .map(|k| DVec3::new(f64::from(k * 7 % 11), f64::from(k * 5 % 13), f64::from(k % 9)) * 0.7)
            .collect();
        for (far, cell) in [(None, periodic(9.0)), (None, Cell::unbounded()), (Some(1e6), Cell::unbounded())] {
            let places: Vec<DVec3> = near.iter().copied().chain(far.map(DVec3::splat)).collect();
            let measured = |places: &[DVec3]| {
                let mut grid = PorosityGrid::default();
                grid.measure(&spheres(places.iter().copied(), 0.4), &cell, 1.3);
                grid
            };
            let whole = measured(&places);
            assert_eq!(matches!(whole.solid, Solid::Sparse(_)), far.is_some());
            let parts = [&places[..0], &places[..9], &places[9..10], &places[10..]].map(measured);
            let said: Vec<u64> = parts.iter().flat_map(PorosityGrid::to_words).collect();
            for mut part in parts {
                part.hold_all(&said);
                for &place in &places {
                    assert!(part.at(place) < 1.0);
                    assert_eq!(part.at(place).to_bits(), whole.at(place).to_bits());
                }
            }
        }
    }
}
