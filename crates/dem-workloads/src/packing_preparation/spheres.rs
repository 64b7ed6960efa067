//! Spheres that pass from one phase of a preparation to the next.

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
    /// Centres \[m\] and radii \[m\].
    pub spheres: Vec<(DVec3, f64)>,
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
        Self { spheres: p.slots_by_id().into_iter().map(place).collect(), extent }
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
        Self { spheres, extent: self.extent.scaled(factor) }
    }

    /// The table that scenes read, with every bit.
    pub fn table(&self) -> String {
        let mut text = String::from("x,y,z,r\n");
        for (x, r) in &self.spheres {
            let _ = writeln!(text, "{:?},{:?},{:?},{r:?}", x.x, x.y, x.z);
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
