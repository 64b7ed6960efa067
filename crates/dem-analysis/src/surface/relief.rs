//! Heights of the surface of one frame, slice by slice, and the slope of their middle.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use dem_core::DVec3;
use dem_core::wall::Shape;
use dem_report::ReportError;
use dem_report::statistics::StraightLine;

use super::options::Kind;
use crate::error::AnalysisError;
use crate::profile::assembly::Assembly;

/// Width of a cell in mean diameters.
pub const DIAMETERS: f64 = 2.0;
/// Sectors of a heap.
const SECTORS: usize = 8;
/// Contacts of a particle that lies.
const CONTACTS: usize = 2;
/// Share of a surface that is left out at either end.
const TRIM: f64 = 0.25;
/// Height above the lowest point in mean diameters up to which a heap is scattered grains.
const FOOT: f64 = 2.0;
/// Fewest cells of a line.
const FEWEST: usize = 3;
/// Fewest cells of a slice, of which its ends are left out.
pub const LEAST_CELLS: usize = 6;
/// Rise over length up to which an axis counts as horizontal, and down from which as upright.
const TILT: f64 = 1e-6;

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Relief {
    /// Time \[s\].
    pub time: f64,
    /// Width of a cell \[m\].
    pub cell: f64,
    /// Height of the cells of every slice \[m\], by the number of the slice and that of the cell along it; cells without particles are missing.
    pub slices: BTreeMap<i64, BTreeMap<i64, f64>>,
}

/// Coordinates of a surface: along the slices, the number of the slice, upwards.
struct Frame {
    origin: DVec3,
    up: DVec3,
    /// Horizontal, from the origin; for a drum across its axis.
    across: DVec3,
    kind: Kind,
    cell: f64,
}

/// Numbers of the slice, of the cell along it, and of the part of the cell: parts are about as wide as cells are long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    slice: i64,
    cell: i64,
    part: i64,
}

impl Relief {
    /// The surface of a frame.
    ///
    /// # Errors
    /// No particles, a drum without an axis.
    pub fn of(assembly: &Assembly, kind: Kind) -> Result<Self, AnalysisError> {
        if assembly.is_empty() {
            return Err(AnalysisError::Snapshots("the frame holds no particles".to_owned()));
        }
        let frame = Frame::of(assembly, kind)?;
        let mut contacts = vec![0; assembly.len()];
        for contact in assembly.contact_list() {
            contacts[assembly.grains.of(contact.first)] += 1;
            if let Some(second) = contact.second {
                contacts[assembly.grains.of(second)] += 1;
            }
        }
        let lies = |k: &usize| assembly.contacts.is_none() || contacts[assembly.grains.of(*k)] >= CONTACTS;
        // the highest of many particles is higher than that of few: only parts of equal area compare
        let mut parts: BTreeMap<Place, f64> = BTreeMap::new();
        for k in (0..assembly.len()).filter(lies) {
            let top = assembly.position[k].dot(frame.up) + assembly.radius[k];
            let height = parts.entry(frame.place(assembly.position[k])).or_insert(top);
            *height = height.max(top);
        }
        let mut slices: BTreeMap<i64, BTreeMap<i64, f64>> = BTreeMap::new();
        for parts in
            parts.into_iter().collect::<Vec<_>>().chunk_by(|(a, _), (b, _)| (a.slice, a.cell) == (b.slice, b.cell))
        {
            let mean = parts.iter().map(|(_, height)| height).sum::<f64>() / parts.len() as f64;
            slices.entry(parts[0].0.slice).or_default().insert(parts[0].0.cell, mean);
        }
        if kind == Kind::Heap {
            let lowest = assembly.position.iter().map(|x| x.dot(frame.up)).fold(f64::INFINITY, f64::min);
            let foot = lowest + FOOT * assembly.mean_diameter();
            slices.values_mut().for_each(|cells| cells.retain(|_, height| *height > foot));
        }
        Ok(Self { time: assembly.time, cell: frame.cell, slices })
    }
}

impl Frame {
    fn of(assembly: &Assembly, kind: Kind) -> Result<Self, AnalysisError> {
        let up = assembly.surroundings.up;
        let cell = DIAMETERS * assembly.mean_diameter();
        let mut axes =
            assembly.surroundings.walls.iter().filter(|wall| wall.active).filter_map(|wall| match wall.shape {
                Shape::Revolution { base, axis, start, end } if start.x == end.x => {
                    Some((wall.pose.position + wall.pose.orientation * base, wall.pose.orientation * axis))
                }
                _ => None,
            });
        match kind {
            Kind::Drum => {
                let Some((origin, axis)) = axes.find(|(_, axis)| axis.dot(up).abs() < TILT) else {
                    let allowed = "a run with a cylinder whose axis is horizontal for drum".to_owned();
                    return Err(ReportError::Option { option: "--kind", value: "drum".to_owned(), allowed }.into());
                };
                Ok(Self { origin, up, across: axis.cross(up), kind, cell })
            }
            Kind::Heap => {
                let upright = axes.find(|(_, axis)| axis.dot(up).abs() > 1.0 - TILT).map(|found| found.0);
                let mass: f64 = assembly.mass.iter().sum();
                let weighted = || assembly.position.iter().zip(&assembly.mass).map(|(x, m)| *x * *m).sum::<DVec3>();
                let origin = upright.unwrap_or_else(|| weighted() / mass);
                Ok(Self { origin, up, across: up.any_orthonormal_vector(), kind, cell })
            }
        }
    }

    /// Where a point is.
    fn place(&self, point: DVec3) -> Place {
        let offset = point - self.origin;
        let (x, y) = (offset.dot(self.across), offset.dot(self.up.cross(self.across)));
        match self.kind {
            Kind::Drum => {
                Place { slice: (y / self.cell).floor() as i64, cell: (x / self.cell).floor() as i64, part: 0 }
            }
            Kind::Heap => {
                let turn = (libm::atan2(y, x) / TAU).rem_euclid(1.0) * SECTORS as f64;
                let (slice, cell) = (turn as i64 % SECTORS as i64, (x.hypot(y) / self.cell).floor());
                let arc = (cell + 0.5) * TAU / SECTORS as f64;
                let part = (turn.fract() * arc.round().max(1.0)) as i64;
                Place { slice, cell: cell as i64, part }
            }
        }
    }
}

/// A slice over all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Place along the slice and mean height of its cells \[m\].
    pub points: Vec<[f64; 2]>,
    /// Those of them that the line goes through.
    pub middle: Vec<[f64; 2]>,
    /// The line.
    pub line: StraightLine,
}

/// Joins the slices of all frames; those that are too short for a line are left out.
pub fn slices(reliefs: &[Relief]) -> Vec<Slice> {
    let numbers: BTreeSet<i64> = reliefs.iter().flat_map(|relief| relief.slices.keys().copied()).collect();
    let of_number = |number: i64| {
        let mut cells: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for relief in reliefs {
            for (&cell, &height) in relief.slices.get(&number).into_iter().flatten() {
                let (sum, frames) = cells.entry(cell).or_default();
                *sum += height;
                *frames += 1.0;
            }
        }
        // a cell that is empty most of the time is no part of the surface
        let cell = reliefs.first().map_or(0.0, |relief| relief.cell);
        let lasting = cells.into_iter().filter(|(_, (_, frames))| 2.0 * frames >= reliefs.len() as f64);
        let points: Vec<[f64; 2]> =
            lasting.map(|(number, (sum, frames))| [(number as f64 + 0.5) * cell, sum / frames]).collect();
        let trimmed = (TRIM * points.len() as f64).round() as usize;
        let middle = points.get(trimmed..points.len() - trimmed).unwrap_or_default().to_vec();
        (middle.len() >= FEWEST).then(|| Slice { line: StraightLine::through(&middle), points, middle })
    };
    numbers.into_iter().filter_map(of_number).collect()
}
