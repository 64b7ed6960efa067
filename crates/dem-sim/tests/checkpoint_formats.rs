//! Checkpoints of earlier days: one of the present format is read and gives its bytes again, one of a former format is refused by name.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use dem_io::checkpoint::{CheckpointReader, FORMAT_VERSION};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::differing_sections;
use dem_sim::checkpoint::{restore, save, scene_fingerprint};
use dem_sim::simulation::Simulation;

/// Steps after which the fixture was saved: in the second stage.
const STEPS: u32 = 300;

fn fixture(version: u32, ending: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    folder.join(format!("checkpoint_format_{version}.{ending}"))
}

fn scene() -> (LoadedScene, String) {
    let loaded = builder::load_scene(&fixture(FORMAT_VERSION, "toml"), &[]).unwrap();
    let fingerprint = scene_fingerprint(loaded.document.resolved());
    (loaded, fingerprint)
}

fn bytes(simulation: &Simulation, fingerprint: &str) -> CheckpointReader {
    CheckpointReader::from_bytes(save(simulation, fingerprint).unwrap()).unwrap()
}

/// A change of what a section holds makes this fail: the format needs another number, and this file another fixture, written by the
/// test below.
#[test]
fn the_checkpoint_of_this_format_is_read_and_written_again_byte_by_byte() {
    let (loaded, fingerprint) = scene();
    let committed = CheckpointReader::open(&fixture(FORMAT_VERSION, "ckpt")).unwrap();
    let mut simulation = builder::build_empty(&loaded).unwrap();
    restore(&mut simulation, &committed, &fingerprint).unwrap();
    assert_eq!(simulation.world.step, u64::from(STEPS));
    let mut differing = differing_sections(&committed, &bytes(&simulation, &fingerprint)).unwrap();
    // the version of the engine, which does not belong to the state
    differing.retain(|name| name != "engine");
    assert!(differing.is_empty(), "{differing:?}");
    simulation.advance().unwrap();
}

#[test]
fn former_formats_are_refused_with_both_numbers() {
    for former in 1..FORMAT_VERSION {
        let message = CheckpointReader::open(&fixture(former, "ckpt")).unwrap_err().to_string();
        let expected = format!(
            "checkpoint has format {former}, this engine reads format {FORMAT_VERSION}: continue with the engine version"
        );
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
#[ignore = "writes the fixture of a new format: cargo test -p dem-sim --test all checkpoint_formats::write -- --ignored"]
fn write_the_checkpoint_of_this_format() {
    let (loaded, fingerprint) = scene();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    for _ in 0..STEPS {
        simulation.advance().unwrap();
    }
    std::fs::write(fixture(FORMAT_VERSION, "ckpt"), save(&simulation, &fingerprint).unwrap()).unwrap();
}
