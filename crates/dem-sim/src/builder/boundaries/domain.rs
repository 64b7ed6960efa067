//! The domain: as it is given, or around walls, regions and tables.

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::figure::Shortest;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::table::{TableLimits, read_particle_table_in};
use dem_io::units::Quantity;

use crate::builder::loaded_scene::LoadedScene;
use crate::builder::particles::requests;
use crate::builder::particles::table_source::table_unit;
use crate::builder::values::entry_path;
use crate::error::FACES;
use crate::insertion::pouring_source::PouringSource;
use crate::scene::domain::{DomainScene, FaceScene};
use crate::scene::source::FillScene;
use crate::state::world::World;

/// The cell of a scene; `with_particles` if those of tables are needed for more than its default.
pub(crate) fn build_cell(
    loaded: &LoadedScene,
    walls: &[dem_core::wall::Wall],
    with_particles: bool,
) -> Result<Cell, SceneError> {
    let LoadedScene { document, scene, .. } = loaded;
    if let Some(domain) = &scene.domain {
        return given_cell(document, domain);
    }
    // whatever a plane or an endless cylinder carries is still there, however far away
    if walls.iter().any(|wall| wall.shape.bounds().is_none()) {
        return Ok(Cell::unbounded());
    }
    // around walls, regions and tables, with a margin of the whole size on every side
    let mut corners = requests::region_bounds(scene);
    corners.extend(walls.iter().filter_map(|wall| {
        let (low, high) = wall.shape.bounds()?;
        Some((low + wall.pose.position, high + wall.pose.position))
    }));
    if corners.is_empty() {
        return Ok(Cell::unbounded());
    }
    corners.extend(bounds_of_tables(loaded, with_particles)?);
    let low = corners.iter().map(|c| c.0).fold(DVec3::splat(f64::INFINITY), DVec3::min);
    let high = corners.iter().map(|c| c.1).fold(DVec3::splat(f64::NEG_INFINITY), DVec3::max);
    let margin = DVec3::splat((high - low).length().max(f64::MIN_POSITIVE));
    Ok(Cell::orthogonal(low - margin, high + margin, [false; 3], [[FacePolicy::Open; 2]; 3]))
}

/// Corners of boxes around the particles of tables.
fn bounds_of_tables(loaded: &LoadedScene, are_needed: bool) -> Result<Vec<(DVec3, DVec3)>, SceneError> {
    let mut bounds = Vec::new();
    for (index, source) in loaded.scene.particles.iter().enumerate() {
        let FillScene::File { path, unit, .. } = &source.fill else { continue };
        let unit = table_unit(&loaded.document, index, *unit)?;
        let rows = match read_particle_table_in(loaded.folder.join(path), unit, TableLimits::default()) {
            Ok(rows) => rows,
            // who puts particles in by himself may do without the file
            Err(_) if !are_needed => continue,
            Err(error) => {
                return Err(loaded.document.error_at(entry_path("particles", index, &["fill", "path"]), error));
            }
        };
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let around = rows
            .iter()
            .fold(none, |(low, high), row| (low.min(row.position - row.radius), high.max(row.position + row.radius)));
        bounds.extend((!rows.is_empty()).then_some(around));
    }
    Ok(bounds)
}

/// The cell that `[domain]` describes.
fn given_cell(document: &SceneDocument, domain: &DomainScene) -> Result<Cell, SceneError> {
    let low = Quantity::vector(domain.min);
    let high = Quantity::vector(domain.max);
    for k in 0..3 {
        if low[k] >= high[k] {
            return Err(document.error_at(
                &["domain", "max"],
                format!(
                    "expected every coordinate above that of domain.min, {} <= {} along {}",
                    Shortest(high[k]),
                    Shortest(low[k]),
                    ["x", "y", "z"][k]
                ),
            ));
        }
    }
    let both = [domain.x, domain.y, domain.z];
    let single = [[domain.x_min, domain.x_max], [domain.y_min, domain.y_max], [domain.z_min, domain.z_max]];
    let mut periodic = [false; 3];
    let mut faces = [[FacePolicy::Open; 2]; 3];
    for k in 0..3 {
        let given: [FaceScene; 2] = std::array::from_fn(|side| single[k][side].or(both[k]).unwrap_or_default());
        if given.contains(&FaceScene::Periodic) {
            if given[0] != given[1] {
                let side = single[k].iter().position(Option::is_some);
                let key = side.map_or(["x", "y", "z"][k], |side| FACES[k][side]);
                return Err(document.error_at(&["domain", key], "expected \"periodic\" for both faces of a direction"));
            }
            periodic[k] = true;
        }
        faces[k] = given.map(|face| match face {
            FaceScene::Reflect => FacePolicy::Reflect,
            FaceScene::Error => FacePolicy::Error,
            FaceScene::Open | FaceScene::Periodic => FacePolicy::Open,
        });
    }
    Ok(Cell::orthogonal(low, high, periodic, faces))
}

/// A sphere must not meet two images of another one.
pub(crate) fn check_periods(
    document: &SceneDocument,
    world: &World,
    sources: &[PouringSource],
) -> Result<(), SceneError> {
    let hindrance = narrowness(&world.cell, largest_radius(world, sources), world.range());
    hindrance.map_or(Ok(()), |message| Err(document.error_at(&["domain", "max"], message)))
}

/// Radius of the largest sphere, present or to come \[m\].
pub(crate) fn largest_radius(world: &World, sources: &[PouringSource]) -> f64 {
    let radii = world.particles.radius.iter().copied().chain(sources.iter().map(|source| source.largest));
    radii.fold(0.0, f64::max)
}

/// Why a periodic cell is too narrow for spheres of a radius \[m\] and forces of a range beyond their surfaces \[m\], if it is.
pub(crate) fn narrowness(cell: &Cell, largest: f64, range: f64) -> Option<String> {
    let needed = 2.0 * (2.0 * largest + range);
    let narrow = (0..3).find(|&k| cell.periodic[k] && cell.width(k) <= needed)?;
    let reach = if range > 0.0 {
        format!(", of which forces take up to {} m beyond the surfaces", Shortest(range))
    } else {
        String::new()
    };
    Some(format!(
        "the periodic cell is {} m wide along {}, expected more than {} m, twice the largest interaction distance{reach}",
        Shortest(cell.width(narrow)),
        ["x", "y", "z"][narrow],
        Shortest(needed)
    ))
}
