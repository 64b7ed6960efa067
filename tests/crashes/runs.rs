//! Kills of a run that writes all the time, with a look at every frame and checkpoint that is left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dem_io::checkpoint::CheckpointReader;
use dem_io::checkpoint_folder;
use dem_io::snapshot::{Frame, SnapshotReader};
use dem_sim::checkpoint;

use super::{Random, number_of};
use crate::command::{checkpoints, collect, contents, last_checkpoint, run, run_command, scenes, series, start};

const STEPS: &str = "--steps 4000 --threads 1";

/// What was found after the kills.
#[derive(Debug, Default)]
struct Tally {
    kills: u64,
    /// Kills before the run had made its snapshot file, or its first checkpoint: it begins anew.
    before_snapshots: u64,
    before_checkpoint: u64,
    /// Kills that left a file under its temporary name: something was being written.
    during_a_checkpoint: u64,
    checkpoints_read: u64,
    frames_read: u64,
    /// Runs that came to their end, whatever the number of kills on the way, and were compared with the straight run.
    finished: u64,
}

fn tray() -> PathBuf {
    scenes().join("restart/tray.toml")
}

fn all_frames(path: &Path) -> Vec<Frame> {
    let reader = SnapshotReader::open(path).unwrap();
    (0..reader.frames().len()).map(|index| reader.read(index).unwrap()).collect()
}

/// Looks at what a kill left; returns the step of the latest checkpoint.
fn look(out: &Path, expected: &[Frame], first_checkpoint: u64, tally: &mut Tally) -> u64 {
    let left = if out.exists() { contents(out) } else { BTreeMap::new() };
    let unfinished = left.keys().any(|path| path.to_string_lossy().contains("unfinished"));
    tally.during_a_checkpoint += u64::from(unfinished);
    // every file under a final name is whole
    let states = checkpoint_folder::list(&out.join("checkpoints")).unwrap();
    for (step, path) in &states {
        let reader = CheckpointReader::open(path).unwrap();
        let facts = checkpoint::describe(&reader).unwrap();
        assert!(facts.iter().any(|(name, value)| *name == "step" && *value == step.to_string()), "{facts:?}");
        tally.checkpoints_read += 1;
    }
    let latest = states.last().map_or(0, |(step, _)| *step);
    let path = out.join("snapshots.vtkhdf");
    let frames = if path.exists() { all_frames(&path) } else { Vec::new() };
    tally.before_snapshots += u64::from(frames.is_empty());
    tally.frames_read += frames.len() as u64;
    assert!(frames.len() <= expected.len() && frames == expected[..frames.len()], "frames are not those of the run");
    let due = expected.iter().filter(|frame| frame.step <= latest && latest > 0).count();
    assert!(frames.len() >= due, "{} of {due} frames up to step {latest}", frames.len());
    if states.is_empty() {
        tally.before_checkpoint += 1;
        assert!(frames.last().is_none_or(|frame| frame.step <= first_checkpoint), "a checkpoint was lost");
    }
    latest
}

#[test]
#[ignore = "kills 200 runs, minutes: cargo test -p dem-cli --test all crashes -- --ignored --nocapture"]
fn whatever_the_instant_of_a_kill_the_run_goes_on_to_the_same_end() {
    let wanted = number_of("DEM_KILLS", 200);
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let begin = Instant::now();
    run(&tray(), &whole, STEPS).expect_code(0);
    let length = begin.elapsed();
    let expected = all_frames(&whole.join("snapshots.vtkhdf"));
    let first = folder.path().join("first");
    run(&tray(), &first, "--steps 401").expect_code(0);
    let first_checkpoint = checkpoint_folder::list(&first.join("checkpoints")).unwrap()[0].0;

    let mut tally = Tally::default();
    let mut random = Random::new();
    let out = folder.path().join("parts");
    let mut latest = 0;
    while tally.kills < wanted || latest > 0 {
        let further = if checkpoints(&out).is_empty() { "--force" } else { "--restart latest" };
        let mut child = start(run_command(&tray(), &out, &format!("{STEPS} {further}")));
        let ends = tally.kills >= wanted;
        if !ends {
            // the straight run is as long as the longest wait: two or three kills on the way
            std::thread::sleep(length.mul_f64(random.next()));
        }
        if ends || child.try_wait().unwrap().is_some() {
            collect(child).expect_code(0);
            assert!(last_checkpoint(&whole) == last_checkpoint(&out), "the ends differ");
            assert_eq!(series(&whole), series(&out));
            assert!(all_frames(&out.join("snapshots.vtkhdf")) == expected, "the frames differ");
            std::fs::remove_dir_all(&out).unwrap();
            (tally.finished, latest) = (tally.finished + 1, 0);
            continue;
        }
        child.kill().unwrap();
        let _ = collect(child);
        tally.kills += 1;
        let now = look(&out, &expected, first_checkpoint, &mut tally);
        assert!(now >= latest, "it fell back from step {latest} to {now}");
        latest = now;
    }
    println!("{tally:#?}\nstraight run {length:.1?}, campaign {:.0?}", begin.elapsed());
    assert!(tally.finished > 0);
}
