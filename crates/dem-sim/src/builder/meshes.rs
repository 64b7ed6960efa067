//! Files of walls that are meshes.
//!
//! A scene is the same as long as the contents of its meshes are, wherever they lie. So the resolved scene names a mesh by its contents, in a
//! folder beside it, where a run puts a copy: a run directory can be moved, and a mesh that was changed makes another scene.

use std::path::Path;
use std::sync::Arc;

use dem_core::DVec3;
use dem_core::wall::Mesh;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::{atomic, stl};
use xxhash_rust::xxh3::xxh3_64;

use super::{LoadedScene, entry_path, positive};
use crate::scene::{Scene, ShapeScene};

/// Folder of the copies in a run directory.
const FOLDER: &str = "meshes";

/// A mesh of a scene.
pub struct WallMesh {
    /// Path of its copy relative to a resolved scene: the name of the file and the hash of its contents.
    pub copy: String,
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Facets \[m\].
    pub mesh: Arc<Mesh>,
}

/// Reads the meshes of a scene; one place for every wall.
pub(super) fn load(
    document: &SceneDocument,
    scene: &Scene,
    folder: &Path,
) -> Result<Vec<Option<WallMesh>>, SceneError> {
    let walls = scene.walls.iter().enumerate();
    walls
        .map(|(index, wall)| {
            let ShapeScene::Mesh { file, unit, .. } = &wall.shape else { return Ok(None) };
            let path = |key: &'static str| entry_path("walls", index, &["shape", key]);
            let unit = positive(document, path("unit"), unit.si(), "m")?;
            let (bytes, triangles) =
                stl::read(folder.join(file)).map_err(|error| document.error_at(path("file"), error))?;
            let triangles: Vec<[DVec3; 3]> = triangles.into_iter().map(|corners| corners.map(|x| x * unit)).collect();
            let mesh = Mesh::new(&triangles).map_err(|error| {
                document.error_at(path("file"), format!("{}: {error}", folder.join(file).display()))
            })?;
            Ok(Some(WallMesh { copy: copy_name(file, &bytes), bytes, mesh: Arc::new(mesh) }))
        })
        .collect()
}

/// Writes the copies of the meshes of a scene into a run directory.
///
/// # Errors
/// What the system refuses.
pub fn write_copies(loaded: &LoadedScene, directory: &Path) -> dem_io::Result<()> {
    let folder = directory.join(FOLDER);
    for mesh in loaded.meshes.iter().flatten() {
        std::fs::create_dir_all(&folder).map_err(dem_io::Error::system("create", &folder))?;
        atomic::write_atomically(&directory.join(&mesh.copy), &mesh.bytes)?;
    }
    Ok(())
}

/// Removes the copies of meshes from a run directory, and nothing else.
///
/// # Errors
/// What the system refuses.
pub fn remove_copies(directory: &Path) -> dem_io::Result<()> {
    let folder = directory.join(FOLDER);
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(&folder).map_err(dem_io::Error::system("read", &folder))? {
        let path = entry.map_err(dem_io::Error::system("read", &folder))?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let hash = stem.rsplit_once('-').map_or("", |(_, hash)| hash);
        let is_copy = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_copy && path.extension().is_some_and(|extension| extension == "stl") {
            std::fs::remove_file(&path).map_err(dem_io::Error::system("remove", &path))?;
        }
    }
    Ok(())
}

/// The same for a copy of a copy.
fn copy_name(file: &Path, bytes: &[u8]) -> String {
    let hash = format!("-{:016x}", xxh3_64(bytes));
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_suffix(&hash).unwrap_or(&stem);
    let harmless = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let stem: String = stem.chars().take(64).map(harmless).collect();
    format!("{FOLDER}/{stem}{hash}.stl")
}

impl LoadedScene {
    /// The scene with all overrides, as a run directory holds it: meshes are named by their copies.
    pub fn resolved(&self) -> toml::Table {
        let mut table = self.document.resolved().clone();
        for (index, mesh) in self.meshes.iter().enumerate() {
            let shape = table.get_mut("walls").and_then(|walls| walls.get_mut(index)?.get_mut("shape")?.as_table_mut());
            if let (Some(mesh), Some(shape)) = (mesh, shape) {
                shape.insert("file".to_owned(), mesh.copy.as_str().into());
            }
        }
        table
    }
}
