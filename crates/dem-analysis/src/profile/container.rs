//! The region that is taken if none is given: as much of the container as the bed fills.
//!
//! It is the inside of a cylinder or box among the walls, whole periods, and what the bed extends over in directions without either, if the bed
//! fills nearly all of that. If not, as in hoppers, meshes, drums and heaps, it is the largest box in the bed, so that neither the outside of a
//! wall nor the air over a slope is averaged in.

use dem_core::DVec3;
use dem_core::wall::Shape;
use dem_report::ReportError;
use dem_sim::measure::{EmptyPlaces, TouchingSets, volume_weighted_diameter};

use super::assembly::Assembly;
use super::axis::Axis;
use super::region::{FORMS, Region};
use crate::error::AnalysisError;

/// Distance in mean diameters that a radial profile keeps from the floor and the free surface of a bed.
const CLEARANCE: f64 = 3.0;
/// Share of a region that the bed has to fill: the uneven surface of a bed a few tens of diameters high takes less than the rest.
const FILLED: f64 = 0.9;
/// Points at which it is asked whether they lie in the bed.
const POINTS: u32 = 8192;
/// Most cells along an edge among which the largest box is looked for.
const MOST_CELLS: f64 = 24.0;
/// Smallest volume of a box that is a region, in cubes of the mean diameter.
const SMALLEST: f64 = 27.0;

/// The bed of an assembly.
struct Bed<'a> {
    assembly: &'a Assembly,
    /// Which particles belong to it.
    members: Vec<bool>,
    /// Whether the spheres are known to have fewer than one contact each.
    in_flight: bool,
    empty: EmptyPlaces,
    /// Radius of the balls whose centres are empty places \[m\].
    ball: f64,
}

impl<'a> Bed<'a> {
    fn new(assembly: &'a Assembly) -> Self {
        let grains = &assembly.grains;
        let mut sets = TouchingSets::new(assembly.len());
        for contact in assembly.contact_list() {
            if let Some(second) = contact.second {
                sets.join(grains.of(contact.first), grains.of(second));
            }
        }
        let largest = sets.largest(|a, b| a < b);
        let mut members: Vec<bool> = (0..assembly.len()).map(|row| largest[grains.of(row)]).collect();
        // without contacts, and in flight, all that is there
        let pairs = assembly.contact_list().iter().filter(|contact| contact.second.is_some()).count();
        if 2 * pairs < grains.count() {
            members.fill(true);
        }
        let in_flight = assembly.contacts.is_some() && 2 * pairs < grains.count();
        let radii: Vec<f64> = grains.diameter.iter().map(|diameter| 0.5 * diameter).collect();
        let ball = volume_weighted_diameter(&radii);
        let centres = || (0..assembly.len()).filter(|&k| members[k]).map(|k| assembly.position[k]);
        let low = centres().fold(DVec3::INFINITY, DVec3::min);
        let high = centres().fold(DVec3::NEG_INFINITY, DVec3::max);
        let cell = &assembly.surroundings.cell;
        let empty = EmptyPlaces::new(&assembly.position, &assembly.radius, cell, [low, high], ball, 2.0 * ball);
        Self { assembly, members, in_flight, empty, ball }
    }

    /// Corners of the smallest box around its spheres \[m\].
    fn extent(&self) -> (DVec3, DVec3) {
        self.spheres()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (x, r)| (low.min(x - r), high.max(x + r)))
    }

    fn spheres(&self) -> impl Iterator<Item = (DVec3, f64)> {
        let all = self.assembly.position.iter().zip(&self.assembly.radius).zip(&self.members);
        all.filter(|(_, member)| **member).map(|((&x, &r), _)| (x, r))
    }

    /// Whether a point lies in the bed: no ball without a grain in it holds the point.
    fn holds(&self, point: DVec3) -> bool {
        self.empty.distance(point) > self.ball
    }

    /// Whether it fills nearly all of a region. Spheres in flight, with fewer than one contact each, are no bed: they have the whole container.
    fn fills(&self, region: &Region) -> bool {
        if self.in_flight {
            return true;
        }
        let mut inside = 0_u32;
        region.visit_points(POINTS, |point| inside += u32::from(self.holds(point)));
        f64::from(inside) >= FILLED * f64::from(POINTS)
    }
}

impl Region {
    /// The region of an assembly that is taken if none is given. A radial profile keeps away from both ends of a bed.
    ///
    /// # Errors
    /// A radial profile without a cylinder among the walls, or with one that the bed does not fill; no particles; a bed that no box fits into.
    pub fn around(assembly: &Assembly, axis: Axis) -> Result<Self, AnalysisError> {
        if assembly.is_empty() {
            return Err(AnalysisError::Snapshots("the frame holds no particles".to_owned()));
        }
        let refused = |why: &str| {
            let allowed = format!("{why}: {FORMS}");
            AnalysisError::from(ReportError::Option { option: "--region", value: "not given".to_owned(), allowed })
        };
        let bed = Bed::new(assembly);
        let cylinder = walls(assembly).find_map(|wall| match wall.shape {
            Shape::Revolution { base, axis, start, end } if start.x == end.x && start.x > 0.0 => {
                let turned = wall.pose.orientation;
                Some((wall.pose.position + turned * base, turned * axis, start.x))
            }
            _ => None,
        });
        let along = |direction: DVec3| axis.direction().is_none_or(|own| own.cross(direction).length() < 1e-9);
        let cylinder = cylinder.filter(|found| along(found.1));
        let inside = cylinder.map(|(origin, direction, radius)| in_cylinder(&bed, axis, origin, direction, radius));
        match inside.filter(|region| bed.fills(region)) {
            Some(region) => return Ok(region),
            None if axis != Axis::Radius => {}
            None if cylinder.is_some() => {
                return Err(refused("a cylinder in the bed, which does not fill that of the walls"));
            }
            None => return Err(refused("a cylinder, because the walls have none")),
        }
        let whole = box_of_walls(&bed, axis);
        if bed.fills(&whole) {
            return Ok(whole);
        }
        largest_box(&bed)
            .ok_or_else(|| refused("a region, because no box of 27 cubes of the mean diameter fits into the bed"))
    }
}

fn walls(assembly: &Assembly) -> impl Iterator<Item = &dem_core::wall::Wall> {
    assembly.surroundings.walls.iter().filter(|wall| wall.active)
}

fn in_cylinder(bed: &Bed<'_>, axis: Axis, origin: DVec3, direction: DVec3, radius: f64) -> Region {
    let cell = &bed.assembly.surroundings.cell;
    if let Some(k) = (0..3).find(|&k| cell.periodic[k] && direction.abs()[k] > 1.0 - 1e-12) {
        let mut base = origin;
        base[k] = if direction[k] > 0.0 { cell.origin[k] } else { cell.origin[k] + cell.width(k) };
        return Region::Cylinder { base, axis: direction, radius, height: cell.width(k), whole: true };
    }
    let heights = bed.spheres().map(|(x, r)| ((x - origin).dot(direction), r));
    let (mut low, mut high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (height, r)| {
        (low.min(height - r), high.max(height + r))
    });
    let mean_diameter = bed.assembly.mean_diameter();
    let clearance = CLEARANCE * mean_diameter;
    if axis == Axis::Radius && high - low > 2.0 * clearance + mean_diameter {
        (low, high) = (low + clearance, high - clearance);
    }
    Region::Cylinder { base: origin + low * direction, axis: direction, radius, height: high - low, whole: false }
}

/// The inside of boxes among the walls, whole periods, and what the bed extends over.
fn box_of_walls(bed: &Bed<'_>, axis: Axis) -> Region {
    let (mut low, mut high) = bed.extent();
    for wall in walls(bed.assembly) {
        if let Shape::Box { low: inner, high: outer, closed } = wall.shape {
            for k in 0..3 {
                if closed[2 * k] && closed[2 * k + 1] && Some(k) != axis.number() {
                    (low[k], high[k]) = (wall.pose.position[k] + inner[k], wall.pose.position[k] + outer[k]);
                }
            }
        }
    }
    let cell = &bed.assembly.surroundings.cell;
    for k in 0..3 {
        if cell.periodic[k] {
            (low[k], high[k]) = (cell.origin[k], cell.origin[k] + cell.width(k));
        }
    }
    Region::Box { low, high, whole: cell.periodic }
}

/// The largest box of cells all of which lie in the bed.
fn largest_box(bed: &Bed<'_>) -> Option<Region> {
    let Region::Box { low, high, .. } = box_of_walls(bed, Axis::Z) else { return None };
    let cells = ((high - low) / bed.ball).floor().clamp(DVec3::ONE, DVec3::splat(MOST_CELLS));
    let size = (high - low) / cells;
    let [nx, ny, nz] = cells.to_array().map(|count| count as usize);
    let at = |i: usize, j: usize, k: usize| low + size * DVec3::new(i as f64, j as f64, k as f64);
    // a cell counts if its middle and eight points around that do
    let filled = |i: usize, j: usize, k: usize| {
        let middle = at(i, j, k) + 0.5 * size;
        let corners = (0..8).map(|c| DVec3::new(f64::from(c & 1), f64::from(c >> 1 & 1), f64::from(c >> 2)));
        bed.holds(middle) && corners.into_iter().all(|corner| bed.holds(middle + 0.5 * size * (corner - 0.5)))
    };
    // how many there are up to a cell along x and y, in every layer
    let mut sums = vec![0_u32; (nx + 1) * (ny + 1) * nz];
    let index = |i: usize, j: usize, k: usize| (j * (nx + 1) + i) * nz + k;
    for (j, i, k) in (0..nx * ny * nz).map(|n| (n / nz / nx, n / nz % nx, n % nz)) {
        sums[index(i + 1, j + 1, k)] =
            u32::from(filled(i, j, k)) + sums[index(i, j + 1, k)] + sums[index(i + 1, j, k)] - sums[index(i, j, k)];
    }
    let mut best = (0.0, None);
    for (a, b) in spans(nx) {
        for (c, d) in spans(ny) {
            let all = ((b - a) * (d - c)) as u32;
            let mut from = 0;
            for k in 0..nz {
                let count = sums[index(b, d, k)] + sums[index(a, c, k)] - sums[index(a, d, k)] - sums[index(b, c, k)];
                if count < all {
                    from = k + 1;
                }
                let corners = (at(a, c, from), at(b, d, k + 1));
                let volume = if count < all { 0.0 } else { (corners.1 - corners.0).element_product() };
                if volume > best.0 {
                    best = (volume, Some(corners));
                }
            }
        }
    }
    let (low, high) = best.1.filter(|_| best.0 >= SMALLEST * bed.assembly.mean_diameter().powi(3))?;
    Some(Region::Box { low, high, whole: [false; 3] }.in_cell(&bed.assembly.surroundings.cell))
}

/// First cell and the one after the last of all runs of cells.
fn spans(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..=count).map(move |end| (first, end)))
}
