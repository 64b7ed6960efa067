//! Files that a scene names: meshes of walls, tables of particles and of motions, clumps.
//!
//! A scene is the same as long as the contents of its files are, wherever they lie. So the resolved scene names a file
//! by its contents, in a folder next to it, where a run puts a copy: a run directory can be moved, and a file that was
//! changed makes another scene.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use dem_io::atomic;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::mesh_files;
use dem_io::table::{TableError, TableLimits};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::values::entry_path;
use crate::scene::document::Scene;
use crate::scene::source::FillScene;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// Facets of a wall.
    Mesh,
    /// Particles of a source.
    ParticleTable,
    /// Motion of a wall.
    MotionTable,
    /// Spheres of a clump.
    Clump,
}

impl FileKind {
    const ALL: [Self; 4] = [Self::Mesh, Self::ParticleTable, Self::MotionTable, Self::Clump];

    /// Folder of the copies in a run directory.
    fn folder(self) -> &'static str {
        match self {
            Self::Mesh => "meshes",
            Self::ParticleTable => "tables",
            Self::MotionTable => "motions",
            Self::Clump => "clumps",
        }
    }

    /// Endings of the names of copies; the last one is that of any other file.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Mesh => &mesh_files::ENDINGS,
            Self::ParticleTable | Self::MotionTable => &[".csv.gz", ".csv"],
            Self::Clump => &[".csv", ".txt"],
        }
    }
}

/// Folders of copies in a run directory.
pub fn copy_folders() -> impl Iterator<Item = &'static str> {
    FileKind::ALL.into_iter().map(FileKind::folder)
}

/// A file of a scene.
#[derive(Debug, Clone)]
pub struct NamedFile {
    /// Key of the scene that names it; entries of lists by their numbers.
    pub(super) place: KeyPath,
    /// Where it lies.
    path: PathBuf,
    /// Hash of its contents when the scene was read.
    hash: u64,
    /// Path of its copy relative to a resolved scene: the name of the file and the hash of its contents.
    pub(super) copy: String,
}

impl NamedFile {
    /// A file that the key at `place` names by a path relative to `folder`.
    pub(super) fn new(kind: FileKind, place: KeyPath, folder: &Path, file: &Path, hash: u64) -> Self {
        Self { place, path: folder.join(file), hash, copy: copy_name(kind, file, hash) }
    }

    /// What it holds.
    fn contents(&self) -> dem_io::Result<Vec<u8>> {
        let bytes = dem_io::regular_file::read(&self.path).map_err(dem_io::Error::system("read", &self.path))?;
        if xxh3_64(&bytes) != self.hash {
            let changed = io::Error::other("it was changed after the scene was read");
            return Err(dem_io::Error::system("copy", &self.path)(changed));
        }
        Ok(bytes)
    }
}

/// What becomes of a table that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingTables {
    /// A scene in a file needs what it names.
    Refused,
    /// Who has a scene as a text may put the particles in without a file, or write it later. Until then its path is its name.
    Allowed,
}

/// The tables of particles of a scene. They are read when a simulation is built: here only their kind is checked.
pub(super) fn particle_tables(
    document: &SceneDocument,
    scene: &Scene,
    folder: &Path,
    missing: MissingTables,
) -> Result<Vec<NamedFile>, SceneError> {
    let mut tables = Vec::new();
    for (index, source) in scene.particles.iter().enumerate() {
        let FillScene::File { path, .. } = &source.fill else { continue };
        let place = entry_path("particles", index, &["fill", "path"]);
        let hash = match hash_of_table(&folder.join(path)) {
            Ok(hash) => hash,
            Err(TableError::Io { source, .. })
                if missing == MissingTables::Allowed && source.kind() == io::ErrorKind::NotFound =>
            {
                continue;
            }
            Err(error) => return Err(document.error_at(place, error)),
        };
        tables.push(NamedFile::new(FileKind::ParticleTable, place, folder, path, hash));
    }
    Ok(tables)
}

/// Hash of the contents, with the errors of reading a table.
pub(super) fn hash_of_table(path: &Path) -> Result<u64, TableError> {
    let failed = |source| TableError::Io { path: path.into(), source };
    let about = std::fs::metadata(path).map_err(failed)?;
    // checked before opening: opening a pipe would wait for a writer
    if !about.is_file() {
        return Err(TableError::NotAFile { path: path.into() });
    }
    let limit = TableLimits::default().bytes;
    if about.len() > limit {
        return Err(TableError::TooLarge { path: path.into(), limit });
    }
    let mut file = File::open(path).map_err(failed)?;
    let (mut hasher, mut bytes) = (Xxh3::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut bytes).map_err(failed)? {
            0 => return Ok(hasher.digest()),
            read => hasher.update(&bytes[..read]),
        }
    }
}

/// Names of copies of the [files of a scene](super::LoadedScene::files) within a directory that gets its resolved form, and what they hold, one after
/// the other.
///
/// # Errors
/// What the system refuses, and a file that was changed since the scene was read.
pub fn copies(files: &[NamedFile]) -> impl Iterator<Item = dem_io::Result<(String, Vec<u8>)>> {
    files.iter().map(|file| Ok((file.copy.clone(), file.contents()?)))
}

/// Writes these copies.
///
/// # Errors
/// As [`copies`], and a file that cannot be written.
pub fn write_copies(files: &[NamedFile], directory: &Path) -> dem_io::Result<()> {
    for copy in copies(files) {
        let (name, bytes) = copy?;
        let path = directory.join(name);
        let folder = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(folder).map_err(dem_io::Error::system("create", folder))?;
        atomic::write_atomically(&path, &bytes)?;
    }
    Ok(())
}

/// Names of the copies that a directory holds, of whatever scene; no other file.
///
/// # Errors
/// What the system refuses.
pub fn copies_in(directory: &Path) -> dem_io::Result<Vec<String>> {
    let mut found = Vec::new();
    for kind in FileKind::ALL {
        let folder = directory.join(kind.folder());
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(dem_io::Error::system("read", &folder))? {
            let path = entry.map_err(dem_io::Error::system("read", &folder))?.path();
            if is_copy(kind, &path)
                && let Some(name) = path.file_name().and_then(|name| name.to_str())
            {
                found.push(format!("{}/{name}", kind.folder()));
            }
        }
    }
    Ok(found)
}

/// Whether a name is one that [`copy_name`] gives.
fn is_copy(kind: FileKind, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = kind.endings().iter().find_map(|ending| name.strip_suffix(ending));
    let hash = stem.and_then(|stem| stem.rsplit_once('-')).map_or("", |(_, hash)| hash);
    hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A name without an ending in letters of either case.
fn without<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let (stem, found) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    found.eq_ignore_ascii_case(ending).then_some(stem)
}

/// The same for a copy of a copy.
fn copy_name(kind: FileKind, file: &Path, hash: u64) -> String {
    let hash = format!("-{hash:016x}");
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let known = kind.endings().iter().find_map(|ending| Some((without(&name, ending)?, *ending)));
    let other = || (file.file_stem().unwrap_or_default().to_string_lossy(), kind.endings().last().copied());
    let (stem, ending) = known.map_or_else(other, |(stem, ending)| (stem.into(), Some(ending)));
    let stem = stem.strip_suffix(&hash).unwrap_or(&stem);
    let harmless = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let stem: String = stem.chars().take(64).map(harmless).collect();
    format!("{}/{stem}{hash}{}", kind.folder(), ending.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_their_names_and_are_known_by_them() {
        let name = |kind, file: &str| copy_name(kind, Path::new(file), 0xab);
        let table = FileKind::ParticleTable;
        assert_eq!(name(FileKind::Mesh, "parts/a b.STL"), "meshes/a_b-00000000000000ab.stl");
        assert_eq!(name(FileKind::Mesh, "part.Obj"), "meshes/part-00000000000000ab.obj");
        assert_eq!(name(table, "../packing.csv.gz"), "tables/packing-00000000000000ab.csv.gz");
        assert_eq!(name(table, "spheres.txt"), "tables/spheres-00000000000000ab.csv");
        for (kind, file) in
            [(FileKind::Mesh, "a.stl"), (FileKind::Mesh, "a.ply"), (table, "a.csv"), (table, "a.csv.gz")]
        {
            let copy = name(kind, file);
            assert_eq!(name(kind, &copy), copy);
            assert!(is_copy(kind, Path::new(&copy)), "{copy}");
            assert!(!is_copy(kind, Path::new(file)), "{file}");
        }
        assert!(!is_copy(table, Path::new("tables/packing-00000000000000ab.stl")));
    }
}
