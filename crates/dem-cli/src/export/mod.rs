//! `dem export`

mod arguments;
mod drawings;
mod files;
mod frames;
mod particles;
mod selection;

use dem_io::snapshot::SnapshotReader;

pub use self::arguments::Arguments;
use crate::failure::{ExitCode, Failure};
use crate::render::refuse_scene;

/// Writes what a run has as files for other programs.
pub fn export(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = &arguments.source;
    let path = if source.is_dir() { source.join("snapshots.vtkhdf") } else { source.clone() };
    refuse_scene(&path, "export")?;
    let reader = SnapshotReader::open(&path)?;
    match (&arguments.surface, arguments.format) {
        (Some(file), _) => drawings::export_surface(&reader, &path, file, arguments),
        (None, Some(format)) => particles::export_particles(&reader, &path, format, arguments),
        (None, None) => drawings::export_drawings(&reader, &path, arguments),
    }
}
