//! `dem info`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use dem_io::checkpoint::CheckpointReader;
use dem_io::snapshot::SnapshotReader;
use dem_sim::builder::load_scene;
use dem_sim::saved_state;

use crate::failure::Failure;
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Run directory, checkpoint, snapshot file or scene.
    path: PathBuf,
}

/// Shows what a file holds.
pub fn info(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = &arguments.path;
    if path.is_dir() {
        return directory(path);
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("ckpt") => checkpoint(path)?,
        Some("vtkhdf" | "hdf5" | "h5") => snapshots(path)?,
        Some("toml") => {
            let loaded = load_scene(path, &[])?;
            say!("scene {}", path.display());
            say!("  title        {}", loaded.scene.title);
            say!("  fingerprint  {}", saved_state::scene_fingerprint(&loaded.resolved()));
            say!("  law          {}", loaded.scene.contact.law);
            say!("  materials    {}", loaded.scene.materials.keys().cloned().collect::<Vec<_>>().join(", "));
            say!("  walls        {}", loaded.scene.walls.len());
            say!("  sources      {}", loaded.scene.particles.len());
            say!("  stages       {}", loaded.scene.stages.len());
        }
        _ => {
            return Err(Failure::input(format!(
                "{}: expected a run directory, a .ckpt, a .vtkhdf or a .toml file",
                path.display()
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn directory(path: &Path) -> Result<ExitCode, Failure> {
    say!("run {}", path.display());
    if let Ok(text) = dem_io::regular_file::read_to_string(&path.join("summary.json")) {
        say!("{text}");
    }
    let frames = path.join("snapshots.vtkhdf");
    if frames.exists() {
        snapshots(&frames)?;
    }
    for (_, state) in dem_io::checkpoint_folder::list(&path.join("checkpoints"))? {
        checkpoint(&state)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn checkpoint(path: &Path) -> Result<(), Failure> {
    let reader =
        CheckpointReader::open(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let facts =
        saved_state::describe(&reader).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    say!("checkpoint {}", path.display());
    for (name, value) in facts {
        say!("  {name:13}{value}");
    }
    Ok(())
}

fn snapshots(path: &Path) -> Result<(), Failure> {
    let reader = SnapshotReader::open(path)?;
    say!("snapshots {}", path.display());
    for (name, value) in reader.metadata() {
        if name != "scene" {
            say!("  {name:20} {}", value.replace('\n', ", "));
        }
    }
    let frames = reader.frames();
    say!("  frames               {}", frames.len());
    if let (Some(first), Some(last)) = (frames.first(), frames.last()) {
        say!("  from                 step {}, t = {} s", first.step, first.time);
        say!("  to                   step {}, t = {} s", last.step, last.time);
    }
    Ok(())
}
