//! Particles of tables.

use std::path::Path;
use std::sync::Arc;

use dem_core::figure::ShortestVector;
use dem_core::{DQuat, DVec3};
use dem_io::document::{SceneDocument, SceneError};
use dem_io::table::{ParticleRow, TableLimits, read_particle_table_in};
use dem_io::units::{Length, Quantity};

use super::site::Site;
use crate::builder::checks::table_overlaps::{self, Overlap, TableSphere};
use crate::builder::values::{entry_path, positive};
use crate::insertion::body_source::{BodySource, NewGrain};
use crate::insertion::pouring_source::Kind;
use crate::state::insertion::insert_grain;
use crate::state::wall_overlaps::deepest;
use crate::state::world::World;

/// The sphere or body of a row.
fn grain(kind: &Kind, number: usize, row: &ParticleRow) -> NewGrain {
    let default = || kind.bodies.as_ref().map_or(DQuat::IDENTITY, |bodies| bodies.orientations.of(number as u64));
    NewGrain { centre: row.position, radius: row.radius, orientation: row.orientation.unwrap_or_else(default) }
}

/// The spheres of all rows: one of each, or the members of its body.
fn spheres_of(kind: &Kind, grains: &[NewGrain]) -> Vec<TableSphere> {
    let mut all = Vec::new();
    for (row, grain) in grains.iter().enumerate() {
        match &kind.bodies {
            None => all.push(TableSphere { position: grain.centre, radius: grain.radius, row }),
            Some(bodies) => {
                let members = bodies.members(grain).into_iter();
                all.extend(members.map(|(position, radius)| TableSphere { position, radius, row }));
            }
        }
    }
    all
}

/// Length of one unit of the table of a source \[m\].
pub(crate) fn table_unit(
    document: &SceneDocument,
    index: usize,
    unit: Option<Quantity<Length>>,
) -> Result<f64, SceneError> {
    let place = || entry_path("particles", index, &["fill", "unit"]);
    unit.map_or(Ok(1.0), |unit| positive(document, place(), unit.si(), "m"))
}

impl Site<'_> {
    /// Reads a table of particles whose lengths are in `unit` \[m\].
    pub fn read(
        &self,
        index: usize,
        path: &Path,
        unit: f64,
        kind: Kind,
        limit: f64,
        world: &mut World,
    ) -> Result<(), SceneError> {
        let key = || entry_path("particles", index, &["fill", "path"]);
        let rows = read_particle_table_in(path, unit, TableLimits::default());
        let rows = rows.map_err(|error| self.document().error_at(key(), error))?;
        let (low, high) = (world.cell.origin, world.cell.origin + world.cell.matrix() * DVec3::ONE);
        for (number, row) in rows.iter().enumerate() {
            let outside = (0..3).any(|k| !world.cell.periodic[k] && !(low[k]..=high[k]).contains(&row.position[k]));
            if outside {
                return Err(self.document().error_at(
                    key(),
                    format!(
                        "{}: particle {} at {} m, expected inside the domain from {} to {} m",
                        path.display(),
                        number + 1,
                        ShortestVector(row.position),
                        ShortestVector(low),
                        ShortestVector(high)
                    ),
                ));
            }
        }
        let grains: Vec<NewGrain> = rows.iter().enumerate().map(|(number, row)| grain(&kind, number, row)).collect();
        if let Some(largest) = grains.iter().map(|grain| grain.radius).reduce(f64::max) {
            self.check_period(index, &kind, largest)?;
        }
        let spheres = spheres_of(&kind, &grains);
        self.refuse_overlaps(index, path, &spheres, limit, world)?;
        self.refuse_cuts(index, path, &spheres, limit, world)?;
        for (row, grain) in rows.into_iter().zip(grains) {
            let mut own = kind.clone();
            if let Some(name) = &row.material {
                let material = self.contact.material(name).ok_or_else(|| {
                    self.document()
                        .error_at(key(), format!("{}: material \"{name}\" is not in the scene", path.display()))
                })?;
                let clump = self.clump(index, &self.loaded.scene.particles[index])?;
                if clump.is_some_and(|clump| clump.has_materials) {
                    let message =
                        format!("{}: expected no materials of bodies whose spheres have some", path.display());
                    return Err(self.document().error_at(key(), message));
                }
                let of_material = self.contact.materials[material as usize].density;
                own.material = material;
                own.density = clump.map_or(of_material, |clump| clump.density(of_material));
                own.bodies = own.bodies.map(|bodies| {
                    let material = Some(material);
                    Arc::new(BodySource { material, ..BodySource::clone(&bodies) })
                });
            }
            self.check_mass(key(), own.density, row.radius)?;
            own.angular_velocity += row.angular_velocity;
            insert_grain(world, &own, grain, row.velocity);
        }
        Ok(())
    }

    /// Compares the particles of a table with the walls that are there.
    fn refuse_cuts(
        &self,
        index: usize,
        path: &Path,
        spheres: &[TableSphere],
        limit: f64,
        world: &World,
    ) -> Result<(), SceneError> {
        for (number, wall) in world.walls.iter().enumerate().filter(|(_, wall)| wall.active) {
            let own = self.loaded.scene.walls[number].max_overlap.map_or(0.0, |x| x.si());
            let limit = limit.max(own);
            let spheres = spheres.iter().map(|sphere| (sphere.row as u64 + 1, sphere.position, sphere.radius));
            let Some(cut) = deepest(wall, spheres, |_, _| 0.0, limit) else { continue };
            let message = format!("{}: particle {} {}", path.display(), cut.particle, cut.describe(&wall.name, limit));
            let help = "max_overlap beside path, or of the wall, raises the limit, for example for a settled packing";
            let path = entry_path("particles", index, &["fill", "path"]);
            return Err(self.document().error_at(path, message).with_help(help));
        }
        Ok(())
    }

    /// Compares the particles of a table with each other and with those already there.
    fn refuse_overlaps(
        &self,
        index: usize,
        path: &Path,
        spheres: &[TableSphere],
        limit: f64,
        world: &World,
    ) -> Result<(), SceneError> {
        let there = &world.particles;
        let Some(overlap) = table_overlaps::worst(there, spheres, &world.cell, limit) else { return Ok(()) };
        let name = |k: usize| {
            let first = there.len();
            if k >= first {
                format!("particle {}", spheres[k - first].row + 1)
            } else {
                "a particle already there".to_owned()
            }
        };
        let Overlap { ratio, first, second, among_many } = overlap;
        let many = among_many.map_or_else(String::new, |most| format!("more than {most} pairs overlap, "));
        Err(self
            .document()
            .error_at(
                entry_path("particles", index, &["fill", "path"]),
                format!(
                    "{}: {many}{} and {} overlap by {ratio:.3e} of the radius, expected at most {limit:e}",
                    path.display(),
                    name(first),
                    name(second)
                ),
            )
            .with_help("max_overlap beside path raises the limit, for example for a settled packing"))
    }
}
