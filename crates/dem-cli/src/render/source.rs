//! The frames of a run, and what stands around them.

use std::path::{Path, PathBuf};

use dem_core::DVec3;
use dem_io::snapshot::{Frame, SnapshotReader};
use dem_sim::builder;
use dem_sim::run::Scenery;

use crate::failure::Failure;
use crate::run::default_directory;
use crate::shell;

/// Snapshots that are drawn.
pub struct Source {
    pub path: PathBuf,
    pub reader: SnapshotReader,
    pub scenery: Scenery,
}

impl Source {
    /// Those of a file or a run directory.
    pub fn open(given: &Path) -> Result<Self, Failure> {
        let path = if given.is_dir() { given.join("snapshots.vtkhdf") } else { given.to_path_buf() };
        refuse_scene(&path, "render")?;
        let reader = SnapshotReader::open(&path)?;
        let text = |name: &str| reader.metadata().get(name).map_or("", String::as_str);
        let scenery = scenery_of(text("scene"), folder_of(&path));
        if scenery.is_none() {
            tracing::warn!("the snapshot does not hold a readable scene: walls are left out");
        }
        let without = Scenery { up: DVec3::Z, ..Scenery::default() };
        let scenery = Scenery { title: text("title").to_owned(), ..scenery.unwrap_or(without) };
        Ok(Self { path, reader, scenery })
    }

    /// Folder of the snapshots.
    pub fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// Times of all frames \[s\].
    pub fn times(&self) -> Vec<f64> {
        self.reader.frames().iter().map(|frame| frame.time).collect()
    }

    /// Chosen columns of a frame.
    pub fn read(&self, index: usize, choose: &dyn Fn(Option<&str>, &str) -> bool) -> Result<Frame, Failure> {
        Ok(self.reader.read_chosen(index, choose)?)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// What the scene stored in the file puts around the particles; meshes are next to the file.
fn scenery_of(scene: &str, folder: &Path) -> Option<Scenery> {
    let loaded = builder::parse_scene_in(folder, "snapshot", scene, &[]);
    loaded.and_then(|loaded| builder::scenery(&loaded)).ok()
}

/// Says of a scene that it is none of the results that a command takes.
pub fn refuse_scene(path: &Path, command: &str) -> Result<(), Failure> {
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(());
    }
    let (scene, out) = (shell::path(path), shell::path(&default_directory(path, "")));
    Err(Failure::input(format!(
        "{} is a scene, expected the results of a run of it: dem run {scene}, then dem {command} {out}",
        path.display()
    )))
}
