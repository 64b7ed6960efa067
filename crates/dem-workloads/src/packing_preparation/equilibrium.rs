//! Spheres that are put to rest and look for equilibrium.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::effort::Effort;
use super::phase::{Outcome, Phase, Running};
use super::preparation::Preparation;
use super::scene_text::{Source, Stage};
use super::spheres::{PREPARED, Spheres};
use crate::error::WorkloadError;

/// Spheres in equilibrium.
pub struct Equilibrium {
    /// The spheres with which the phase began that has found it: it can be repeated from them.
    pub start: Spheres,
    /// What it came to.
    pub end: Outcome,
}

/// What becomes of spheres that are put to rest in a new scene that looks for equilibrium.
///
/// # Errors
/// A table that cannot be written, a scene that is refused, a phase that fails or does not end.
pub fn run_from_rest(
    preparation: &Preparation,
    spheres: &Spheres,
    friction: f64,
    effort: &mut Effort,
    run: impl FnOnce(&mut Running) -> Result<(), WorkloadError>,
) -> Result<Outcome, WorkloadError> {
    let folder = tempfile::tempdir().map_err(dem_io::Error::system("create", Path::new("a temporary folder")))?;
    spheres.write(&folder.path().join(PREPARED))?;
    let source = Source::Table { folder: folder.path(), name: PREPARED, spheres };
    let loaded = preparation.text(friction).load(&source, Stage::Equilibrium)?;
    // from what pressure on spheres count as loose is nowhere in the scene
    let pressure = preparation.layout.pressure;
    let settings = format!("of {:032x} for {pressure:?}", xxh3_128(spheres.table().as_bytes()));
    let phase =
        Phase { preparation, name: "equilibrium", loaded: &loaded, settings: &settings, container: spheres.extent };
    phase.carry_out(effort, run)
}
