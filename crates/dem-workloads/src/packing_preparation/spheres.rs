//! Spheres or bodies that pass from one phase of a preparation to the next.

use std::fmt::Write as _;
use std::path::Path;

use dem_core::DVec3;
use dem_io::atomic::write_atomically;
use dem_sim::world::World;
use serde::{Deserialize, Serialize};

use super::extent::Extent;
use crate::error::WorkloadError;

/// Name of the table of spheres between two phases.
pub const PREPARED: &str = "prepared.csv";

/// Spheres at rest in the order of their ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spheres {
    /// Centres \[m\] and radii, of bodies those of spheres of equal volume \[m\].
    pub spheres: Vec<(DVec3, f64)>,
    /// Orientations of bodies, of the frame in which they are written; none of spheres.
    #[serde(default)]
    pub orientations: Vec<[f64; 4]>,
    /// Their cell or container.
    pub extent: Extent,
}

impl Spheres {
    /// Those of a world in a cell or container, brought into the cell.
    pub fn of(world: &World, extent: Extent) -> Self {
        let p = &world.particles;
        let place = |slot: u32| {
            let mut centre = p.position[slot as usize];
            world.cell.wrap(&mut centre);
            (centre, p.radius[slot as usize])
        };
        if p.bodies.is_empty() {
            let spheres = p.slots_by_id().into_iter().map(place).collect();
            return Self { spheres, orientations: Vec::new(), extent };
        }
        let mut bodies: Vec<_> = p.bodies.all.iter().collect();
        bodies.sort_by_key(|body| body.id);
        let (mut spheres, mut orientations) = (Vec::new(), Vec::new());
        for body in bodies {
            let mut centre = body.position;
            world.cell.wrap(&mut centre);
            spheres.push((centre, body.equivalent_radius));
            let as_written = body.orientation() * p.bodies.template(body).principal.conjugate();
            orientations.push(as_written.to_array());
        }
        Self { spheres, orientations, extent }
    }

    /// All lengths multiplied by a factor.
    pub fn scaled(mut self, factor: f64) -> Self {
        for (centre, radius) in &mut self.spheres {
            *centre *= factor;
            *radius *= factor;
        }
        self.extent = self.extent.scaled(factor);
        self
    }

    /// All places multiplied by a factor, with the container; the radii remain.
    pub fn stretched(&self, factor: f64) -> Self {
        let spheres = self.spheres.iter().map(|&(centre, radius)| (centre * factor, radius)).collect();
        Self { spheres, orientations: self.orientations.clone(), extent: self.extent.scaled(factor) }
    }

    /// The table that scenes read, with every bit.
    pub fn table(&self) -> String {
        let of_bodies = if self.orientations.is_empty() { "" } else { ",qx,qy,qz,qw" };
        let mut text = format!("x,y,z,r{of_bodies}\n");
        for (number, (x, r)) in self.spheres.iter().enumerate() {
            let _ = write!(text, "{:?},{:?},{:?},{r:?}", x.x, x.y, x.z);
            for q in self.orientations.get(number).into_iter().flatten() {
                let _ = write!(text, ",{q:?}");
            }
            text.push('\n');
        }
        text
    }

    /// Writes that table.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), WorkloadError> {
        Ok(write_atomically(path, self.table().as_bytes())?)
    }
}
