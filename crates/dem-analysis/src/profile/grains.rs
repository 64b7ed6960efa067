//! Which spheres of a frame are one rigid body, and what of them counts.
//!
//! A grain is a sphere by itself or a rigid body. The spheres of a body overlap: each counts with the share of the mass and of the volume of the body
//! that is nearest to it, which the snapshots have as its mass, so that all of them together have the volume of the body.

use dem_core::DVec3;
use dem_core::particles::NO_BODY;
use dem_io::snapshot::Frame;

use super::columns::{numbers, small_unsigned, vectors};
use crate::error::AnalysisError;
use crate::volume::sphere;

/// The grains of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Grains {
    /// Of each sphere, the row that stands for its grain: its own, or that of the first sphere of the body.
    pub row: Vec<u32>,
    /// Of each sphere, its share of the grain \[-\].
    pub share: Vec<f64>,
    /// Of each sphere, the volume that counts in proportion to that of the sphere \[-\].
    pub filling: Vec<f64>,
    /// Centres of grains, of bodies those of mass \[m\].
    pub centre: Vec<DVec3>,
    /// Their diameters, of bodies those of spheres of their volumes \[m\].
    pub diameter: Vec<f64>,
    /// Of each sphere, the id of its body; empty without bodies.
    pub bodies: Vec<u32>,
}

/// What a frame says of the body of a sphere.
pub struct OfBody {
    /// Centre of mass \[m\].
    pub centre: DVec3,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: DVec3,
}

impl Grains {
    /// Spheres by themselves with these centres and radii \[m\].
    pub fn of_spheres(position: &[DVec3], radius: &[f64]) -> Self {
        let count = radius.len();
        Self {
            row: (0..count as u32).collect(),
            share: vec![1.0; count],
            filling: vec![1.0; count],
            centre: position.to_vec(),
            diameter: radius.iter().map(|r| 2.0 * r).collect(),
            bodies: Vec::new(),
        }
    }

    /// Of a frame with the radii \[m\] and masses \[kg\] of its spheres, and the body of each sphere that has one.
    ///
    /// # Errors
    /// Columns that are missing or of another type, spheres of bodies that are not there.
    pub fn of_frame(frame: &Frame, radius: &[f64], mass: &[f64]) -> Result<(Self, Vec<Option<OfBody>>), AnalysisError> {
        let mut grains = Self::of_spheres(&frame.positions, radius);
        let mut of_rows: Vec<Option<OfBody>> = radius.iter().map(|_| None).collect();
        let Some(table) = frame.tables.iter().find(|table| table.name == "bodies") else {
            return Ok((grains, of_rows));
        };
        let (columns, rows) = (&table.columns, table.rows);
        let body = small_unsigned(&frame.point_data, "body", radius.len())?;
        let ids = small_unsigned(columns, "id", rows)?;
        let (of_mass, volume) = (numbers(columns, "mass", rows)?, numbers(columns, "volume", rows)?);
        let diameter = numbers(columns, "equivalent_diameter", rows)?;
        let (centre, velocity) = (vectors(columns, "position", rows)?, vectors(columns, "velocity", rows)?);
        let mut first: Vec<Option<u32>> = vec![None; rows];
        grains.diameter.clear();
        grains.centre.clear();
        grains.bodies = body.to_vec();
        for (k, &id) in body.iter().enumerate() {
            if id == NO_BODY {
                grains.diameter.push(2.0 * radius[k]);
                grains.centre.push(frame.positions[k]);
                continue;
            }
            let at = ids.binary_search(&id).map_err(|_| {
                AnalysisError::Snapshots(format!("a sphere belongs to body {id}, which is not in the frame"))
            })?;
            if first[at].is_none() {
                grains.diameter.push(diameter[at]);
                grains.centre.push(centre[at]);
            }
            grains.row[k] = *first[at].get_or_insert(k as u32);
            grains.share[k] = mass[k] / of_mass[at];
            grains.filling[k] = grains.share[k] * volume[at] / sphere(radius[k]);
            of_rows[k] = Some(OfBody { centre: centre[at], velocity: velocity[at] });
        }
        Ok((grains, of_rows))
    }

    /// Number of grains.
    pub fn count(&self) -> usize {
        self.diameter.len()
    }

    /// Row that stands for the grain of a sphere.
    pub fn of(&self, row: usize) -> usize {
        self.row[row] as usize
    }

    /// Whether a sphere belongs to no body.
    pub fn is_alone(&self, row: usize) -> bool {
        self.bodies.get(row).is_none_or(|&id| id == NO_BODY)
    }

    /// Whether a row stands for a grain.
    pub fn is_first(&self, row: usize) -> bool {
        self.of(row) == row
    }
}
