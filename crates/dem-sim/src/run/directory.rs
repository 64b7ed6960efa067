//! What is in the directory of a run from its beginning.

use std::collections::BTreeMap;
use std::path::Path;

use dem_io::atomic;

use super::error::RunError;
use super::own_files::{CHECKPOINTS, SCENE};
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::named_files::NamedFile;
use crate::environment::machine::{self, Machine};
use crate::simulation::components::Simulation;
use crate::{builder, measure};

/// Removes what a process has left that was killed while it wrote, in a directory that no other process writes to now.
pub(super) fn remove_strays(directory: &Path) -> Result<(), RunError> {
    for folder in ["", CHECKPOINTS].into_iter().chain(builder::copy_folders()) {
        atomic::remove_unfinished(&directory.join(folder))?;
    }
    Ok(())
}

/// Writes the scene with all overrides, and copies of the files that it names.
pub(super) fn write_scene(resolved: &str, files: &[NamedFile], directory: &Path) -> Result<(), RunError> {
    builder::write_copies(files, directory)?;
    atomic::write_atomically(&directory.join(SCENE), resolved.as_bytes())?;
    Ok(())
}

/// Provenance of the frames.
pub(super) fn metadata(loaded: &LoadedScene, fingerprint: &str, simulation: &Simulation) -> BTreeMap<String, String> {
    let materials: Vec<&str> = simulation.world.materials.iter().map(|m| m.name.as_str()).collect();
    let walls: Vec<&str> = simulation.world.walls.iter().map(|w| w.name.as_str()).collect();
    let mut texts = BTreeMap::from([
        ("engine".to_owned(), machine::engine()),
        ("title".to_owned(), loaded.scene.title.clone()),
        ("scene_fingerprint".to_owned(), fingerprint.to_owned()),
        ("scene".to_owned(), loaded.resolved().to_string()),
        ("machine".to_owned(), Machine::here(simulation.pipeline.forces.width.name()).to_string()),
        ("seed".to_owned(), loaded.scene.seed.to_string()),
        ("materials".to_owned(), materials.join("\n")),
        ("walls".to_owned(), walls.join("\n")),
        ("sources".to_owned(), simulation.world.provenance.names().join("\n")),
        ("time_step_criterion".to_owned(), simulation.state.time_step_criterion.clone()),
    ]);
    if measure::has_bodies(&simulation.world) {
        let templates = simulation.world.particles.bodies.templates.iter();
        let names: Vec<&str> = templates.map(|template| template.name.as_str()).collect();
        texts.insert("templates".to_owned(), names.join("\n"));
    }
    texts
}
