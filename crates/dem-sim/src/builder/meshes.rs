//! Walls that are meshes.

use std::path::Path;
use std::sync::Arc;

use dem_core::DVec3;
use dem_core::wall::Mesh;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::stl;
use xxhash_rust::xxh3::xxh3_64;

use super::named_files::{FileKind, NamedFile};
use super::{entry_path, positive};
use crate::scene::{Scene, ShapeScene};

/// Facets \[m\] of the walls of a scene that are meshes, in order of the walls, and their files.
type Loaded = (Vec<Option<Arc<Mesh>>>, Vec<NamedFile>);

/// Reads the meshes of a scene; one place for every wall.
pub(super) fn load(document: &SceneDocument, scene: &Scene, folder: &Path) -> Result<Loaded, SceneError> {
    let (mut meshes, mut files) = (Vec::new(), Vec::new());
    for (index, wall) in scene.walls.iter().enumerate() {
        let ShapeScene::Mesh { file, unit, .. } = &wall.shape else {
            meshes.push(None);
            continue;
        };
        let path = |key: &'static str| entry_path("walls", index, &["shape", key]);
        let unit = positive(document, path("unit"), unit.si(), "m")?;
        let (bytes, triangles) =
            stl::read(folder.join(file)).map_err(|error| document.error_at(path("file"), error))?;
        let triangles: Vec<[DVec3; 3]> = triangles.into_iter().map(|corners| corners.map(|x| x * unit)).collect();
        let mesh = Mesh::new(&triangles)
            .map_err(|error| document.error_at(path("file"), format!("{}: {error}", folder.join(file).display())))?;
        meshes.push(Some(Arc::new(mesh)));
        files.push(NamedFile::new(FileKind::Mesh, index, folder, file, xxh3_64(&bytes)));
    }
    Ok((meshes, files))
}
