//! `dem info`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use dem_io::checkpoint::CheckpointReader;
use dem_io::snapshot::SnapshotReader;
use dem_sim::builder::load_scene;
use dem_sim::saved_state;

use crate::failure::Failure;

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
            println!("scene {}", path.display());
            println!("  title        {}", loaded.scene.title);
            println!("  fingerprint  {}", saved_state::scene_fingerprint(&loaded.resolved()));
            println!("  law          {}", loaded.scene.contact.law);
            println!("  materials    {}", loaded.scene.materials.keys().cloned().collect::<Vec<_>>().join(", "));
            println!("  walls        {}", loaded.scene.walls.len());
            println!("  sources      {}", loaded.scene.particles.len());
            println!("  stages       {}", loaded.scene.stages.len());
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
    println!("run {}", path.display());
    if let Ok(text) = std::fs::read_to_string(path.join("summary.json")) {
        println!("{text}");
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
    println!("checkpoint {}", path.display());
    for (name, value) in facts {
        println!("  {name:13}{value}");
    }
    Ok(())
}

fn snapshots(path: &Path) -> Result<(), Failure> {
    let reader = SnapshotReader::open(path)?;
    println!("snapshots {}", path.display());
    for (name, value) in reader.metadata() {
        if name != "scene" {
            println!("  {name:20} {}", value.replace('\n', ", "));
        }
    }
    let frames = reader.frames();
    println!("  frames               {}", frames.len());
    if let (Some(first), Some(last)) = (frames.first(), frames.last()) {
        println!("  from                 step {}, t = {} s", first.step, first.time);
        println!("  to                   step {}, t = {} s", last.step, last.time);
    }
    Ok(())
}
