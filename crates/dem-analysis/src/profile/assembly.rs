//! Particles and contacts of one frame as plain columns, with what surrounds them.

use std::sync::Arc;

use dem_core::DVec3;
use dem_io::snapshot::{ColumnData, Frame, Table};
use dem_sim::builder::Surroundings;
use dem_sim::measure;
use dem_sim::run::frame;
use dem_sim::world::World;

use super::columns::{column, numbers, other_type, unsigned, vectors};
use super::grains::{Grains, OfBody};
use crate::error::AnalysisError;
use crate::volume::sphere;

/// A touching pair of particles, or of particle and wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Row of the first particle.
    pub first: usize,
    /// Row of the second particle; `None` for a wall.
    pub second: Option<usize>,
    /// Force on the first particle \[N\].
    pub force: DVec3,
    /// Centre of mass of the first grain, where the branch begins \[m\].
    pub start: DVec3,
    /// From the centre of mass of the first grain to that of the second, or to the contact point on the wall \[m\].
    pub branch: DVec3,
    /// Unit normal from the first to the second.
    pub normal: DVec3,
    /// Overlap \[m\].
    pub overlap: f64,
}

/// A frame.
#[derive(Clone)]
pub struct Assembly {
    /// Time \[s\].
    pub time: f64,
    /// Centres \[m\].
    pub position: Vec<DVec3>,
    /// Radii \[m\].
    pub radius: Vec<f64>,
    /// Velocities, of spheres of a rigid body that of its centre of mass \[m/s\].
    pub velocity: Vec<DVec3>,
    /// Masses, of spheres of a rigid body their shares of its mass \[kg\].
    pub mass: Vec<f64>,
    /// Which spheres are one body.
    pub grains: Grains,
    /// Contacts; `None` if the snapshots do not hold them.
    pub contacts: Option<Vec<Contact>>,
    /// Walls, cell, gravity, friction.
    pub surroundings: Arc<Surroundings>,
}

impl Assembly {
    /// From a frame of the snapshots.
    ///
    /// # Errors
    /// Columns that are missing, of another type, or hold what cannot be.
    pub fn new(frame: &Frame, surroundings: Arc<Surroundings>) -> Result<Self, AnalysisError> {
        let rows = frame.positions.len();
        let radius = numbers(&frame.point_data, "radius", rows)?.to_vec();
        let mass = numbers(&frame.point_data, "mass", rows)?.to_vec();
        let mut velocity = vectors(&frame.point_data, "velocity", rows)?;
        let position = frame.positions.clone();
        let (grains, bodies) = Grains::of_frame(frame, &radius, &mass)?;
        for (velocity, body) in velocity.iter_mut().zip(&bodies) {
            if let Some(body) = body {
                *velocity = body.velocity;
            }
        }
        let sound = |k: usize| {
            let positive = |x: f64| x > 0.0 && x.is_finite();
            // a sphere inside another one of its body has no share of the mass
            let has_mass = if grains.is_alone(k) { positive(mass[k]) } else { mass[k] >= 0.0 && mass[k].is_finite() };
            position[k].is_finite() && velocity[k].is_finite() && positive(radius[k]) && has_mass
        };
        if let Some(row) = (0..rows).find(|&row| !sound(row)) {
            let what = "whose position, velocity, radius or mass cannot be";
            return Err(AnalysisError::Snapshots(format!(
                "the frame at {} s has a particle in row {row} {what}",
                frame.time
            )));
        }
        let ids = unsigned(&frame.point_data, "id", rows)?;
        let table = frame.tables.iter().find(|table| table.name == "contacts");
        let centre = |row: usize| match &bodies[row] {
            None => position[row],
            // in the image of the sphere
            Some(OfBody { centre, .. }) => position[row] - surroundings.cell.nearest_image(position[row] - *centre),
        };
        let contacts = table.map(|table| contacts(table, ids, &centre)).transpose()?;
        Ok(Self { time: frame.time, position, radius, velocity, mass, grains, contacts, surroundings })
    }

    /// The present state of a simulation.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of(world: &World) -> Result<Self, AnalysisError> {
        let surroundings = Surroundings {
            walls: world.walls.clone(),
            up: measure::up(world),
            cell: world.cell,
            // only thresholds of rattlers ask for it
            has_friction: true,
        };
        Self::new(&frame(world, true), Arc::new(surroundings))
    }

    /// Number of spheres.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Mean diameter, of rigid bodies that of spheres of their volumes \[m\].
    pub fn mean_diameter(&self) -> f64 {
        self.grains.diameter.iter().sum::<f64>() / self.grains.count() as f64
    }

    /// Standard deviation of the diameters in proportion to their mean \[-\].
    pub fn size_spread(&self) -> f64 {
        let mean = self.mean_diameter();
        let square = self.grains.diameter.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>();
        (square / self.grains.count() as f64).sqrt() / mean
    }

    /// Volume of all grains \[m³\].
    pub fn solid_volume(&self) -> f64 {
        self.radius.iter().zip(&self.grains.filling).map(|(&r, filling)| filling * sphere(r)).sum()
    }

    /// Corners of the smallest box around all spheres \[m\]; `None` without any.
    pub fn extent(&self) -> Option<(DVec3, DVec3)> {
        let boxes = self.position.iter().zip(&self.radius).map(|(x, r)| (*x - *r, *x + *r));
        boxes.reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))
    }

    /// The contacts, none if the snapshots do not hold them.
    pub fn contact_list(&self) -> &[Contact] {
        self.contacts.as_deref().unwrap_or_default()
    }
}

fn contacts(table: &Table, ids: &[u64], centre: &dyn Fn(usize) -> DVec3) -> Result<Vec<Contact>, AnalysisError> {
    let (columns, rows) = (&table.columns, table.rows);
    let (first, second) = (unsigned(columns, "first", rows)?, unsigned(columns, "second", rows)?);
    let ColumnData::U8(partner) = &column(columns, "partner", rows)?.data else { return Err(other_type("partner")) };
    let of_bodies = columns.iter().any(|column| column.spec.name == "body_branch");
    let branch = vectors(columns, if of_bodies { "body_branch" } else { "branch" }, rows)?;
    let normal = vectors(columns, "normal", rows)?;
    let tangential = vectors(columns, "tangential_force", rows)?;
    let (normal_force, overlap) = (numbers(columns, "normal_force", rows)?, numbers(columns, "overlap", rows)?);
    let row_of = |id: u64| {
        let unknown = |_| AnalysisError::Snapshots(format!("a contact is of particle {id}, which is not in the frame"));
        ids.binary_search(&id).map_err(unknown)
    };
    (0..rows)
        .map(|k| {
            let force = tangential[k] - normal_force[k] * normal[k];
            if !(force.is_finite() && branch[k].is_finite()) {
                return Err(AnalysisError::Snapshots(format!("contact {k} has a force or branch that is not finite")));
            }
            let first = row_of(first[k])?;
            Ok(Contact {
                first,
                start: centre(first),
                second: if partner[k] == 0 { Some(row_of(second[k])?) } else { None },
                force,
                branch: branch[k],
                normal: normal[k],
                overlap: overlap[k],
            })
        })
        .collect()
}
