//! Files of clumps that a scene names.

use std::path::Path;

use dem_io::clump_files::{self, ClumpFormat, ClumpShape};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use xxhash_rust::xxh3::xxh3_64;

use crate::builder::named_files::{FileKind, NamedFile};
use crate::scene::clump::ClumpFormatScene;
use crate::scene::document::Scene;

/// Shapes that files have, in the order of the clumps of the scene.
pub(crate) type ClumpShapes = Vec<Option<ClumpShape>>;

/// Reads the files of the clumps of a scene.
pub(crate) fn load(
    document: &SceneDocument,
    scene: &Scene,
    folder: &Path,
) -> Result<(ClumpShapes, Vec<NamedFile>), SceneError> {
    let (mut shapes, mut files) = (Vec::new(), Vec::new());
    for (name, given) in &scene.clumps {
        let path = KeyPath::from(&["clumps", name]);
        let Some(file) = &given.file else {
            shapes.push(None);
            continue;
        };
        let Some(format) = given.format else {
            let known: Vec<&str> = ClumpFormat::ALL.iter().map(|format| format.name()).collect();
            let message = format!("expected a format beside it: {}", known.join(", "));
            return Err(document.error_at(path.child("file"), message));
        };
        let format = match format {
            ClumpFormatScene::Liggghts => ClumpFormat::Liggghts,
            ClumpFormatScene::DemEngine => ClumpFormat::DemEngine,
            ClumpFormatScene::LammpsMolecule => ClumpFormat::LammpsMolecule,
            ClumpFormatScene::Yade => ClumpFormat::Yade,
        };
        let fail = |error: String| document.error_at(path.child("file"), error);
        let (text, all) = clump_files::read_file(folder.join(file), format).map_err(|error| fail(error.to_string()))?;
        let numbers: Vec<String> = all.iter().filter_map(|shape| shape.id).map(|id| id.to_string()).collect();
        let listed = || format!("{} has the clumps {}", file.display(), numbers.join(", "));
        let shape = match given.number {
            Some(number) => all.into_iter().find(|shape| shape.id == Some(number)).ok_or_else(|| {
                let known =
                    if numbers.is_empty() { format!("{} does not number clumps", file.display()) } else { listed() };
                document.error_at(path.child("number"), format!("expected none or that of a clump: {known}"))
            })?,
            None if all.len() > 1 => return Err(fail(format!("expected a number beside it: {}", listed()))),
            None => all.into_iter().next().ok_or_else(|| fail("expected a file with a clump".to_owned()))?,
        };
        shapes.push(Some(shape));
        files.push(NamedFile::new(FileKind::Clump, path.child("file"), folder, file, xxh3_64(text.as_bytes())));
    }
    Ok((shapes, files))
}
