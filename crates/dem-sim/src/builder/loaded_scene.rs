//! A scene that has been read, with the files that it names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_core::wall::Mesh;
use dem_io::clump_files::ClumpShape;
use dem_io::document::{Override, SceneDocument, SceneError};

use super::named_files::{self, MissingTables, NamedFile};
use crate::builder::boundaries::meshes;
use crate::builder::boundaries::motions::{self, MotionTables};
use crate::builder::particles::clump_files;
use crate::scene::document::Scene;

/// A scene file read and checked for its form.
pub struct LoadedScene {
    /// Text with the places of its keys.
    pub document: SceneDocument,
    /// Typed contents.
    pub scene: Scene,
    /// Folder that paths in the scene are relative to.
    pub folder: PathBuf,
    /// Facets \[m\] of the walls that are meshes, in order of the walls.
    pub meshes: Vec<Option<Arc<Mesh>>>,
    /// Shapes of the clumps that files have, in order of the clumps.
    pub clump_shapes: Vec<Option<ClumpShape>>,
    /// Tables of motions.
    pub motion_tables: MotionTables,
    /// Files that the scene names.
    pub files: Vec<NamedFile>,
}

/// Reads a scene file.
///
/// # Errors
/// A file that cannot be read or is not a scene, meshes and tables that cannot be read.
pub fn load_scene(path: &Path, overrides: &[Override]) -> Result<LoadedScene, SceneError> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    with_files(SceneDocument::load(path, overrides)?, folder, MissingTables::Refused)
}

/// Reads a scene from a text; paths in it are relative to the present folder.
///
/// # Errors
/// As [`parse_scene_in`].
pub fn parse_scene(name: &str, text: &str, overrides: &[Override]) -> Result<LoadedScene, SceneError> {
    parse_scene_in(Path::new(""), name, text, overrides)
}

/// Reads a scene from a text; paths in it are relative to `folder`.
///
/// # Errors
/// A text that is not a scene, meshes and tables that cannot be read. Tables need not exist before a simulation is built from them.
pub fn parse_scene_in(
    folder: &Path,
    name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<LoadedScene, SceneError> {
    with_files(SceneDocument::from_text(name, text, overrides)?, folder.to_path_buf(), MissingTables::Allowed)
}

pub(crate) fn with_files(
    document: SceneDocument,
    folder: PathBuf,
    missing: MissingTables,
) -> Result<LoadedScene, SceneError> {
    let scene = document.deserialize()?;
    let (meshes, mut files) = meshes::load(&document, &scene, &folder)?;
    let (motion_tables, of_motions) = motions::load(&document, &scene, &folder)?;
    files.extend(of_motions);
    let (clump_shapes, of_clumps) = clump_files::load(&document, &scene, &folder)?;
    files.extend(of_clumps);
    files.extend(named_files::particle_tables(&document, &scene, &folder, missing)?);
    Ok(LoadedScene { document, scene, folder, meshes, clump_shapes, motion_tables, files })
}

impl LoadedScene {
    /// The scene with all overrides, as a run directory holds it: files are named by their copies.
    pub fn resolved(&self) -> toml::Table {
        let mut table = self.document.resolved().clone();
        for file in &self.files {
            let Some((first, rest)) = file.place.segments().split_first() else { continue };
            let named = rest.iter().try_fold(table.get_mut(first), |value, segment| {
                let value = value?;
                Some(match segment.parse::<usize>() {
                    Ok(index) if value.is_array() => value.get_mut(index),
                    _ => value.get_mut(segment),
                })
            });
            if let Some(Some(value)) = named {
                *value = file.copy.as_str().into();
            }
        }
        table
    }
}
