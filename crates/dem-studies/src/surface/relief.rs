//! Heights of the surface of one frame, slice by slice, and the slope of their middle.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use dem_core::DVec3;
use dem_core::wall::Shape;

use super::Kind;
use crate::error::StudyError;
use crate::profile::assembly::Assembly;
use crate::statistics::StraightLine;

/// Width of a cell in mean diameters.
const CELL: f64 = 2.0;
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
/// Rise over length up to which an axis counts as horizontal, and down from which as upright.
const TILT: f64 = 1e-6;

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Relief {
    /// Time \[s\].
    pub time: f64,
    /// Width of a cell \[m\].
    pub cell: f64,
    /// Height of the cells of every slice \[m\], by the number of the cell along it; cells without particles are missing.
    pub slices: Vec<BTreeMap<i64, f64>>,
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

impl Relief {
    /// The surface of a frame.
    ///
    /// # Errors
    /// No particles, a drum without an axis.
    pub fn of(assembly: &Assembly, kind: Kind) -> Result<Self, StudyError> {
        if assembly.len() == 0 {
            return Err(StudyError::Snapshots("the frame holds no particles".to_owned()));
        }
        let frame = Frame::of(assembly, kind)?;
        let mut contacts = vec![0; assembly.len()];
        for contact in assembly.contact_list() {
            contacts[contact.first] += 1;
            if let Some(second) = contact.second {
                contacts[second] += 1;
            }
        }
        let lies = |k: &usize| assembly.contacts.is_none() || contacts[*k] >= CONTACTS;
        let mut slices: BTreeMap<i64, BTreeMap<i64, f64>> = BTreeMap::new();
        for k in (0..assembly.len()).filter(lies) {
            let (slice, cell) = frame.place(assembly.position[k]);
            let top = assembly.position[k].dot(frame.up) + assembly.radius[k];
            let height = slices.entry(slice).or_default().entry(cell).or_insert(top);
            *height = height.max(top);
        }
        if kind == Kind::Heap {
            let lowest = assembly.position.iter().map(|x| x.dot(frame.up)).fold(f64::INFINITY, f64::min);
            let foot = lowest + FOOT * assembly.mean_diameter();
            slices.values_mut().for_each(|cells| cells.retain(|_, height| *height > foot));
        }
        Ok(Self { time: assembly.time, cell: frame.cell, slices: slices.into_values().collect() })
    }
}

impl Frame {
    fn of(assembly: &Assembly, kind: Kind) -> Result<Self, StudyError> {
        let up = assembly.surroundings.up;
        let cell = CELL * assembly.mean_diameter();
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
                    return Err(StudyError::Option { option: "--kind", value: "drum".to_owned(), allowed });
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

    /// Numbers of slice and cell of a point.
    fn place(&self, point: DVec3) -> (i64, i64) {
        let offset = point - self.origin;
        let (x, y) = (offset.dot(self.across), offset.dot(self.up.cross(self.across)));
        match self.kind {
            Kind::Drum => ((y / self.cell).floor() as i64, (x / self.cell).floor() as i64),
            Kind::Heap => {
                let turn = (libm::atan2(y, x) / TAU).rem_euclid(1.0);
                ((turn * SECTORS as f64) as i64 % SECTORS as i64, (x.hypot(y) / self.cell).floor() as i64)
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
    let count = reliefs.iter().map(|relief| relief.slices.len()).max().unwrap_or(0);
    let of_number = |number: usize| {
        let mut cells: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for relief in reliefs {
            for (&cell, &height) in relief.slices.get(number).into_iter().flatten() {
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
    (0..count).filter_map(of_number).collect()
}
