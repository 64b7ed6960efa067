//! Walls that are meshes.

use std::path::Path;
use std::sync::Arc;

use dem_core::wall::Mesh;
use dem_core::{DQuat, DVec3};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::mesh_files;
use xxhash_rust::xxh3::xxh3_64;

use crate::builder::named_files::{FileKind, NamedFile};
use crate::builder::values::{direction, entry_path, positive};
use crate::scene::document::Scene;
use crate::scene::wall::{RotationScene, ShapeScene};

/// Facets \[m\] of the walls of a scene that are meshes, in order of the walls, and their files.
type Loaded = (Vec<Option<Arc<Mesh>>>, Vec<NamedFile>);

/// Reads the meshes of a scene; one place for every wall.
pub(crate) fn load(document: &SceneDocument, scene: &Scene, folder: &Path) -> Result<Loaded, SceneError> {
    let (mut meshes, mut files) = (Vec::new(), Vec::new());
    for (index, wall) in scene.walls.iter().enumerate() {
        let ShapeScene::Mesh { file, unit, scale, rotation, .. } = &wall.shape else {
            meshes.push(None);
            continue;
        };
        let path = |key: &'static str| entry_path("walls", index, &["shape", key]);
        let mut unit = positive(document, path("unit"), unit.si(), "m")?;
        if let Some(scale) = scale {
            unit *= positive(document, path("scale"), scale.si(), "-")?;
        }
        let turn = rotation.as_ref().map(|rotation| turn(document, &path("rotation"), rotation)).transpose()?;
        let (bytes, triangles) =
            mesh_files::read(folder.join(file)).map_err(|error| document.error_at(path("file"), error))?;
        let place = |x: DVec3| turn.map_or(x * unit, |turn| turn * (x * unit));
        let triangles: Vec<[DVec3; 3]> = triangles.into_iter().map(|corners| corners.map(place)).collect();
        let mesh = Mesh::new(&triangles)
            .map_err(|error| document.error_at(path("file"), format!("{}: {error}", folder.join(file).display())))?;
        if mesh.left_out() > 0 {
            tracing::warn!(
                "wall \"{}\": {} of {} facets of {} have no area and are left out",
                wall.name,
                mesh.left_out(),
                triangles.len(),
                file.display()
            );
        }
        meshes.push(Some(Arc::new(mesh)));
        files.push(NamedFile::new(FileKind::Mesh, path("file"), folder, file, xxh3_64(&bytes)));
    }
    Ok((meshes, files))
}

/// The rotation that a scene gives.
fn turn(document: &SceneDocument, path: &KeyPath, given: &RotationScene) -> Result<DQuat, SceneError> {
    let axis = direction(document, path.child("axis"), Some(given.axis))?;
    let half = 0.5 * given.angle.si();
    let v = axis * libm::sin(half);
    Ok(DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(half)).normalize())
}
