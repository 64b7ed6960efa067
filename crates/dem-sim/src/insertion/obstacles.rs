//! What a new sphere must stay clear of: spheres already there and walls.

use glam::DVec3;

use super::error::{InsertionError, check, check_radius};
use super::periodic_lengths::PeriodicLengths;
use super::sphere::{MAXIMUM_SPHERES, ROUNDING};

/// Cells of one level at most: 16 MiB; larger domains get larger cells.
const MAXIMUM_CELLS: usize = 1 << 22;
/// Levels of cells, each twice as coarse as the one before.
const MAXIMUM_LEVELS: usize = 24;
const NOBODY: u32 = u32::MAX;

/// Spheres and walls that new spheres must not touch.
///
/// Spheres lie in uniform grids of cells, one grid per factor of two in size, so that a
/// query costs the same whether sizes are equal or differ a hundredfold.
#[derive(Clone)]
pub struct Occupied<'walls> {
    periodic: PeriodicLengths,
    lower: DVec3,
    extent: DVec3,
    finest_cell: f64,
    levels: Vec<Option<Level>>,
    spheres: Vec<Entry>,
    wall_clearance: Option<&'walls dyn Fn(DVec3) -> f64>,
}

#[derive(Clone)]
struct Entry {
    centre: DVec3,
    radius: f64,
    /// The next sphere of the same cell.
    next: u32,
    level: u8,
}

#[derive(Clone)]
struct Level {
    cells: [usize; 3],
    edge: DVec3,
    largest_radius: f64,
    /// First sphere of each cell.
    heads: Vec<u32>,
}

impl<'walls> Occupied<'walls> {
    /// Nothing occupied yet.
    ///
    /// `bounds` are the lower and upper corner of the box in which most spheres lie `[m]`
    /// and `cell_hint` is the usual diameter `[m]`. Both affect speed only: spheres
    /// outside the bounds or of other sizes are found as well.
    ///
    /// # Errors
    /// [`InsertionError::Value`] for periods, bounds or a hint that are not finite or not
    /// positive.
    pub fn new(periodic: PeriodicLengths, bounds: (DVec3, DVec3), cell_hint: f64) -> Result<Self, InsertionError> {
        periodic.validate()?;
        check("cell hint", cell_hint, cell_hint > 0.0, "above 0")?;
        let (mut lower, mut extent) = (bounds.0, bounds.1 - bounds.0);
        for axis in 0..3 {
            if let Some(length) = periodic.lengths[axis] {
                lower[axis] = periodic.origin[axis];
                extent[axis] = length;
            }
            let finite = lower[axis].is_finite();
            let length = extent[axis];
            check("length of the bounds", length, finite && length >= 0.0, "finite, at least 0")?;
        }
        Ok(Self {
            periodic,
            lower,
            extent,
            finest_cell: cell_hint,
            levels: Vec::new(),
            spheres: Vec::new(),
            wall_clearance: None,
        })
    }

    /// Adds walls: `clearance` gives the distance from a point to the nearest wall surface
    /// `[m]`, zero or negative inside a wall.
    ///
    /// It must not change faster than the point moves, as distances do not; whole voxels
    /// are discarded from the value at their centre.
    #[must_use]
    pub fn with_walls(mut self, clearance: &'walls dyn Fn(DVec3) -> f64) -> Self {
        self.wall_clearance = Some(clearance);
        self
    }

    /// The periodic axes.
    pub fn periodic(&self) -> &PeriodicLengths {
        &self.periodic
    }

    /// Number of spheres.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Whether there is no sphere.
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// Adds a sphere: centre `[m]`, radius `[m]`. It may overlap others.
    ///
    /// # Errors
    /// [`InsertionError::Value`] for a centre or radius that is NaN or out of range, [`InsertionError::TooMany`].
    pub fn insert(&mut self, centre: DVec3, radius: f64) -> Result<(), InsertionError> {
        check_radius("radius", radius)?;
        for axis in 0..3 {
            check("coordinate of a centre", centre[axis], true, "finite")?;
        }
        if self.spheres.len() >= MAXIMUM_SPHERES {
            return Err(InsertionError::TooMany {
                requested: self.spheres.len() as f64 + 1.0,
                allowed: MAXIMUM_SPHERES,
            });
        }
        let level = self.level_for(radius);
        self.spheres.push(Entry { centre: self.periodic.wrap(centre), radius, next: NOBODY, level: level as u8 });
        self.link(self.spheres.len() - 1);
        Ok(())
    }

    /// Whether a sphere with this centre `[m]` and radius `[m]` would come closer than
    /// `gap` `[m]` to a sphere, a wall or its own periodic image.
    ///
    /// An overlap below 1e-10 of the sum of the radii counts as rounding of a touch.
    pub fn overlaps(&self, centre: DVec3, radius: f64, gap: f64) -> bool {
        if !centre.is_finite() || !self.periodic.holds(radius, gap) {
            return true;
        }
        let reach = radius + gap;
        if let Some(clearance) = self.wall_clearance
            && clearance(centre) < reach - ROUNDING * reach.abs()
        {
            return true;
        }
        let centre = self.periodic.wrap(centre);
        self.levels.iter().flatten().any(|level| self.meets_level(level, centre, reach))
    }

    /// Removes the spheres from index `first` on.
    pub(super) fn truncate(&mut self, first: usize) {
        for index in (first..self.spheres.len()).rev() {
            self.unlink(index);
        }
        self.spheres.truncate(first);
    }

    /// Moves a sphere to `centre` if it then keeps `gap` from everything else, and returns whether it did.
    pub(super) fn relocate(&mut self, index: usize, centre: DVec3, gap: f64) -> bool {
        let radius = self.spheres[index].radius;
        self.unlink(index);
        let free = !self.overlaps(centre, radius, gap);
        if free {
            self.spheres[index].centre = self.periodic.wrap(centre);
        }
        self.link(index);
        free
    }

    /// Moves the spheres of a body, from index `first` on, if all then keep `gap` from everything that is not of the body, and returns whether they did.
    pub(super) fn relocate_all(
        &mut self,
        first: usize,
        centres: impl ExactSizeIterator<Item = DVec3> + Clone,
        gap: f64,
    ) -> bool {
        let all = first..first + centres.len();
        all.clone().for_each(|index| self.unlink(index));
        let free =
            all.clone().zip(centres.clone()).all(|(index, x)| !self.overlaps(x, self.spheres[index].radius, gap));
        for (index, centre) in all.zip(centres) {
            if free {
                self.spheres[index].centre = self.periodic.wrap(centre);
            }
            self.link(index);
        }
        free
    }

    fn meets_level(&self, level: &Level, centre: DVec3, reach: f64) -> bool {
        let furthest = reach + level.largest_radius;
        if furthest <= 0.0 {
            return false;
        }
        let [x, y, z] = [0, 1, 2].map(|axis| self.cell_range(level, axis, centre[axis], furthest));
        for k in z.0..=z.1 {
            let slab = self.cell_at(level, 2, k) * level.cells[1];
            for j in y.0..=y.1 {
                let row = (slab + self.cell_at(level, 1, j)) * level.cells[0];
                for i in x.0..=x.1 {
                    let mut index = level.heads[row + self.cell_at(level, 0, i)];
                    while index != NOBODY {
                        let sphere = &self.spheres[index as usize];
                        let apart = self.periodic.shortest_of_wrapped(centre - sphere.centre);
                        let needed = (reach + sphere.radius) * (1.0 - ROUNDING);
                        if needed > 0.0 && apart.length_squared() < needed * needed {
                            return true;
                        }
                        index = sphere.next;
                    }
                }
            }
        }
        false
    }

    /// Cells along an axis that `centre ± reach` touches; along periodic axes not yet
    /// wrapped, each cell at most once.
    fn cell_range(&self, level: &Level, axis: usize, centre: f64, reach: f64) -> (i64, i64) {
        let edge = level.edge[axis];
        // Sphere and query may round to different sides of a cell face.
        let reach = reach + 1e-9 * (reach + edge);
        let cell = |x: f64| ((x - self.lower[axis]) / edge).floor().clamp(-1e15, 1e15) as i64;
        let (first, last) = (cell(centre - reach), cell(centre + reach));
        let count = level.cells[axis] as i64;
        if self.periodic.lengths[axis].is_some() {
            if last - first + 1 >= count { (0, count - 1) } else { (first, last) }
        } else {
            (first.clamp(0, count - 1), last.clamp(0, count - 1))
        }
    }

    fn cell_at(&self, level: &Level, axis: usize, cell: i64) -> usize {
        let count = level.cells[axis] as i64;
        let wrapped = if self.periodic.lengths[axis].is_some() {
            // Ranges start at most a whole period outside.
            if cell < 0 {
                cell.rem_euclid(count)
            } else if cell >= count {
                cell % count
            } else {
                cell
            }
        } else {
            cell.clamp(0, count - 1)
        };
        wrapped as usize
    }

    fn cell_of(&self, level: &Level, centre: DVec3) -> usize {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let offset = (centre[axis] - self.lower[axis]) / level.edge[axis];
            let cell = offset.floor().clamp(-1e15, 1e15) as i64;
            cell.clamp(0, level.cells[axis] as i64 - 1) as usize
        });
        (z * level.cells[1] + y) * level.cells[0] + x
    }

    fn link(&mut self, index: usize) {
        let sphere = &self.spheres[index];
        let (centre, radius) = (sphere.centre, sphere.radius);
        let number = usize::from(sphere.level);
        let Some(cell) = self.levels[number].as_ref().map(|level| self.cell_of(level, centre)) else {
            return;
        };
        if let Some(level) = &mut self.levels[number] {
            level.largest_radius = level.largest_radius.max(radius);
            self.spheres[index].next = level.heads[cell];
            level.heads[cell] = index as u32;
        }
    }

    fn unlink(&mut self, index: usize) {
        let sphere = &self.spheres[index];
        let (number, next) = (usize::from(sphere.level), sphere.next);
        let Some(cell) = self.levels[number].as_ref().map(|level| self.cell_of(level, sphere.centre)) else {
            return;
        };
        let Some(level) = &mut self.levels[number] else {
            return;
        };
        let mut before = level.heads[cell];
        if before as usize == index {
            level.heads[cell] = next;
            return;
        }
        while before != NOBODY {
            let follower = self.spheres[before as usize].next;
            if follower as usize == index {
                self.spheres[before as usize].next = next;
                return;
            }
            before = follower;
        }
    }

    /// The level whose cells hold the diameter, made when first needed.
    fn level_for(&mut self, radius: f64) -> usize {
        let (mut number, mut cell) = (0, self.finest_cell);
        while cell < 2.0 * radius && number + 1 < MAXIMUM_LEVELS {
            number += 1;
            cell *= 2.0;
        }
        if self.levels.len() <= number {
            self.levels.resize(number + 1, None);
        }
        let extent = self.extent;
        self.levels[number].get_or_insert_with(|| {
            let mut cells = [0, 1, 2].map(|axis| {
                let count = (extent[axis] / cell).floor();
                count.clamp(1.0, MAXIMUM_CELLS as f64) as usize
            });
            while cells.iter().fold(1_usize, |all, count| all.saturating_mul(*count)) > MAXIMUM_CELLS {
                // Halving the longest side keeps the cells near to cubes.
                let longest = (0..3).max_by_key(|axis| cells[*axis]).unwrap_or(0);
                cells[longest] = cells[longest].div_ceil(2);
            }
            let edge = DVec3::from_array([0, 1, 2].map(|axis| {
                let edge = extent[axis] / cells[axis] as f64;
                if edge > 0.0 { edge } else { cell }
            }));
            Level { cells, edge, largest_radius: 0.0, heads: vec![NOBODY; cells[0] * cells[1] * cells[2]] }
        });
        number
    }
}
