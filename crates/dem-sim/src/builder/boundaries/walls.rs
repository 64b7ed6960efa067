//! Walls.

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::wall::{Mesh, Shape, Wall};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::units::Quantity;
use glam::DVec2;

use super::motions;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::{direction, entry_path, positive};
use crate::measure::names::column_name;
use crate::scene::wall::{BoxFace, ShapeScene};
use crate::state::contact_parameters::ContactDefinition;

/// Builds the walls of a scene.
pub(crate) fn build(loaded: &LoadedScene, contact: &ContactDefinition) -> Result<Vec<Wall>, SceneError> {
    let LoadedScene { document, scene, meshes, motion_tables, .. } = loaded;
    let mut walls: Vec<Wall> = Vec::with_capacity(scene.walls.len());
    for (index, given) in scene.walls.iter().enumerate() {
        let path = |key: &'static str| entry_path("walls", index, &[key]);
        if given.name.is_empty() || walls.iter().any(|wall| wall.name == given.name) {
            return Err(document.error_at(path("name"), "expected a name that no other wall has"));
        }
        // two such names would share their columns of the series
        if let Some(other) = walls.iter().find(|wall| column_name(&wall.name) == column_name(&given.name)) {
            let message = format!(
                "expected a name that differs from \"{}\" in letters or digits: both become \"{}\" in series.csv",
                other.name,
                column_name(&given.name)
            );
            return Err(document.error_at(path("name"), message));
        }
        let material = contact.require_material(document, path("material"), &given.material)?;
        let (shape, reference) =
            build_shape(document, &path("shape"), &given.shape, meshes.get(index).and_then(Option::as_ref))?;
        let motion = given.motion.clone().unwrap_or_default();
        let reference = motion.origin.map_or(reference, Quantity::vector);
        let motion = motions::build(document, motion_tables, &path("motion"), &motion)?;
        motions::check_surface_velocity(document, &path("motion"), &shape, &motion)?;
        let mut wall = Wall::new(&given.name, shape, reference, material, motion);
        wall.active = given.active;
        wall.curved_contact = given.curved_contact;
        if given.near_field && !contact.has_near_field(material) {
            let message = format!(
                "expected false where nothing acts at a distance from material \"{}\": contact.near_field is \"none\"",
                given.material
            );
            return Err(document.error_at(path("near_field"), message));
        }
        wall.near_field = given.near_field;
        walls.push(wall);
    }
    Ok(walls)
}

/// Number of a face of a box, and of the feature that it is.
pub(crate) fn face_number(face: BoxFace) -> usize {
    match face {
        BoxFace::XMin => 0,
        BoxFace::XMax => 1,
        BoxFace::YMin => 2,
        BoxFace::YMax => 3,
        BoxFace::ZMin => 4,
        BoxFace::ZMax => 5,
    }
}

fn point(given: Option<[Quantity<dem_io::units::Length>; 3]>) -> DVec3 {
    given.map_or(DVec3::ZERO, Quantity::vector)
}

/// Shape in the space frame and its own reference point.
fn build_shape(
    document: &SceneDocument,
    path: &KeyPath,
    given: &ShapeScene,
    mesh: Option<&Arc<Mesh>>,
) -> Result<(Shape, DVec3), SceneError> {
    let length = |key: &str, x: Quantity<dem_io::units::Length>| positive(document, path.child(key), x.si(), "m");
    Ok(match given {
        ShapeScene::Plane { point: p, normal } => {
            let normal = direction(document, path.child("normal"), Some(*normal))?;
            (Shape::Plane { point: point(*p), normal }, point(*p))
        }
        ShapeScene::Rectangle { centre, edge_u, edge_v } => {
            let (centre, u, v) = (Quantity::vector(*centre), Quantity::vector(*edge_u), Quantity::vector(*edge_v));
            if u.length() == 0.0 || v.length() == 0.0 || u.dot(v).abs() > 1e-9 * u.length() * v.length() {
                return Err(
                    document.error_at(path.child("edge_v"), "expected two edges that are perpendicular and not zero")
                );
            }
            (Shape::Rectangle { centre, half_u: 0.5 * u, half_v: 0.5 * v }, centre)
        }
        ShapeScene::Box { min, max, open } => {
            let (low, high) = (Quantity::vector(*min), Quantity::vector(*max));
            if low.cmpge(high).any() {
                return Err(document.error_at(path.child("max"), "expected every coordinate above that of min"));
            }
            let mut closed = [true; 6];
            for face in open {
                closed[face_number(*face)] = false;
            }
            (Shape::Box { low, high, closed }, 0.5 * (low + high))
        }
        ShapeScene::Cylinder { base, axis, radius, height } => {
            let axis = direction(document, path.child("axis"), *axis)?;
            let radius = length("radius", *radius)?;
            let (start, end) = match height {
                Some(height) => (0.0, length("height", *height)?),
                None => (f64::NEG_INFINITY, f64::INFINITY),
            };
            let shape = Shape::Revolution {
                base: point(*base),
                axis,
                start: DVec2::new(radius, start),
                end: DVec2::new(radius, end),
            };
            (shape, point(*base))
        }
        ShapeScene::Frustum { base, axis, base_radius, top_radius, height } => {
            let axis = direction(document, path.child("axis"), *axis)?;
            let height = length("height", *height)?;
            let (a, b) = (base_radius.si(), top_radius.si());
            if a < 0.0 || b < 0.0 || a + b <= 0.0 {
                return Err(document.error_at(path.child("base_radius"), "expected radii >= 0, one of them above 0"));
            }
            let shape =
                Shape::Revolution { base: point(*base), axis, start: DVec2::new(a, 0.0), end: DVec2::new(b, height) };
            (shape, point(*base))
        }
        ShapeScene::Disc { centre, normal, radius, inner_radius } => {
            let axis = direction(document, path.child("normal"), *normal)?;
            let radius = length("radius", *radius)?;
            let inner = inner_radius.map_or(0.0, |r| r.si());
            if !(0.0..radius).contains(&inner) {
                return Err(document.range_error(path.child("inner_radius"), "m", format!("0 <= value < {radius}")));
            }
            let shape = Shape::Revolution {
                base: point(*centre),
                axis,
                start: DVec2::new(inner, 0.0),
                end: DVec2::new(radius, 0.0),
            };
            (shape, point(*centre))
        }
        ShapeScene::Sphere { centre, radius } => {
            (Shape::Sphere { centre: point(*centre), radius: length("radius", *radius)? }, point(*centre))
        }
        ShapeScene::Mesh { position, .. } => {
            let mesh = mesh.cloned().unwrap_or_default();
            (Shape::Mesh { mesh, at: point(*position) }, point(*position))
        }
    })
}
