//! What goes wrong outside the scene: directories, disks, checkpoints, interruptions, and simulations that cannot go on.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::path::{Path, PathBuf};

use crate::command::{
    checkpoints, collect, contents, dem, expect_rows, finish, last_checkpoint, run, run_command, scenes, series, start,
    wait_until,
};

/// A tray that is shaken for as long as it takes.
fn tray() -> PathBuf {
    scenes().join("restart/tray.toml")
}

fn mill() -> PathBuf {
    scenes().join("restart/mill.toml")
}

/// Writes a scene into a folder.
fn write_scene(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    path
}

// --- directories ---

#[test]
fn directory_below_a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"mine").unwrap();
    for out in [file.join("out"), file.clone()] {
        run(&tray(), &out, "").expect_code(2).expect_message(&["error: cannot", &out.display().to_string()]);
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
}

#[test]
fn existing_directory_is_refused_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&tray(), &out, "--steps 20").expect_code(0);
    let before = contents(&out);
    run(&tray(), &out, "--steps 20").expect_code(2).expect_message(&[
        &out.display().to_string(),
        "exists already",
        "--force",
        "--restart latest",
        "--out",
    ]);
    // a bad scene does not cost the run that is there, either
    run(&tray(), &out, "--force --set contact.friction=-1").expect_code(2);
    run(&tray(), &out, "--force --restart latest").expect_code(2);
    assert!(contents(&out) == before);
}

#[test]
fn force_replaces_the_run_and_keeps_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&tray(), &out, "--steps 400").expect_code(0);
    std::fs::write(out.join("notes.txt"), b"mine").unwrap();
    std::fs::write(out.join("checkpoints/notes.txt"), b"mine too").unwrap();
    std::fs::write(out.join(".unfinished-abc"), b"left by a run that was killed").unwrap();
    run(&tray(), &out, "--steps 20 --force").expect_code(0);
    assert_eq!(std::fs::read(out.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(std::fs::read(out.join("checkpoints/notes.txt")).unwrap(), b"mine too");
    assert!(!out.join(".unfinished-abc").exists());
    assert!(out.join("checkpoints/step_000000000020.ckpt").is_file());
    assert!(!out.join("checkpoints/step_000000000400.ckpt").exists());
    assert_eq!(series(&out).into_keys().max(), Some(20));
}

#[test]
fn empty_directory_may_be_used() {
    let folder = tempfile::tempdir().unwrap();
    run(&tray(), folder.path(), "--steps 20").expect_code(0);
}

// --- checkpoints ---

/// Restarts from the latest checkpoint; nothing in the directory may change.
#[track_caller]
fn restart_is_refused(out: &Path, further: &str, messages: &[&str]) {
    let before = contents(out);
    run(&tray(), out, &format!("--restart latest {further}")).expect_code(2).expect_message(messages);
    assert!(contents(out) == before, "something was written");
}

#[test]
fn damaged_checkpoint_is_refused_wherever_the_damage_is() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&tray(), &out, "--steps 30").expect_code(0);
    let path = checkpoints(&out).pop().unwrap();
    let sound = std::fs::read(&path).unwrap();
    let name = path.display().to_string();
    let length = sound.len();
    for place in [8, 13, 20, 60, 300, length / 2, length - 9, length - 1] {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x10;
        std::fs::write(&path, damaged).unwrap();
        restart_is_refused(&out, "", &["error: ", &name]);
        finish(dem("info", &[&path])).expect_code(2).expect_message(&[&name]);
    }
    std::fs::write(&path, &sound[..length - 100]).unwrap();
    restart_is_refused(&out, "", &[&name, "truncated"]);
    std::fs::write(&path, b"").unwrap();
    restart_is_refused(&out, "", &[&name, "not a checkpoint"]);
    // nothing else is wrong
    std::fs::write(&path, sound).unwrap();
    run(&tray(), &out, "--steps 40 --restart latest").expect_code(0);
}

#[test]
fn foreign_file_is_refused_as_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&tray(), &out, "--steps 10").expect_code(0);
    let before = contents(&out);
    for (option, target) in [("--restart", out.clone()), ("--from", folder.path().join("branch"))] {
        let mut command = run_command(&tray(), &target, "");
        command.arg(option).arg(out.join("series.csv"));
        finish(command).expect_code(2).expect_message(&["series.csv", "not a checkpoint of this engine"]);
    }
    assert!(!folder.path().join("branch").exists());
    assert!(contents(&out) == before);
}

#[test]
fn checkpoint_of_another_scene_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&tray(), &out, "--steps 10").expect_code(0);
    restart_is_refused(&out, "--set contact.friction=0.1", &["written by another scene", "--from"]);
    restart_is_refused(&out, "--set seed=2", &["written by another scene"]);
    // title and output are no part of what is simulated
    run(&tray(), &out, "--restart latest --steps 20 --set title=other --set output.series=1ms").expect_code(0);
}

#[test]
fn missing_checkpoint_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let name = out.display().to_string();
    run(&tray(), &out, "--restart latest").expect_code(2).expect_message(&[&name, "holds no checkpoint"]);
    assert!(!out.exists());
    run(&tray(), &out, "--restart nowhere.ckpt").expect_code(2).expect_message(&["nowhere.ckpt"]);
    run(&tray(), &out, "--from nowhere.ckpt").expect_code(2).expect_message(&["nowhere.ckpt"]);
    assert!(!out.exists());
    run(&tray(), &out, "--steps 20").expect_code(0);
    std::fs::remove_dir_all(out.join("checkpoints")).unwrap();
    run(&tray(), &out, "--restart latest").expect_code(2).expect_message(&[&name, "give --force to begin it anew"]);
}

// --- simulations that cannot go on ---

const FALLING: &str = r#"
[time]
end = "1 s"

[domain]
min = ["-1 m", "-1 m", "0 m"]
max = ["1 m", "1 m", "1 m"]
z_min = "error"

[materials.glass]
density = "2500 kg/m^3"
young_modulus = "10 MPa"
poisson_ratio = 0.25

[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5

[[particles]]
name = "beads"
material = "glass"
fill = { type = "file", path = "beads.csv" }

[output]
series = "1 ms"

[output.picture]
zoom = 0.05
"#;

/// Whether everything that a run leaves is there; returns the summary.
#[track_caller]
fn expect_results(out: &Path, step: u64) -> String {
    assert_eq!(series(out).into_keys().max(), Some(step));
    assert!(last_checkpoint(out).0.contains(&format!("{step:012}")));
    let frames = finish(dem("info", &[&out.join("snapshots.vtkhdf")])).expect_code(0).stdout;
    assert!(frames.contains(&format!("step {step},")), "{frames}");
    std::fs::read_to_string(out.join("summary.json")).unwrap()
}

/// Step that a message names.
#[track_caller]
fn step_in(message: &str) -> u64 {
    let rest = message.split("step ").nth(1).expect("the message names a step");
    rest.split(':').next().and_then(|number| number.parse().ok()).expect("it is a number")
}

#[test]
fn escape_through_an_error_face_stops_the_run_with_id_and_step() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write_scene(folder.path(), FALLING);
    std::fs::write(folder.path().join("beads.csv"), "x,y,z,r\n0,0,0.9,0.01\n0.1,0,0.05,0.01\n").unwrap();
    let out = folder.path().join("out");
    let outcome = run(&scene, &out, "")
        .expect_code(3)
        .expect_message(&["particle 1 left the domain through z_min at ", "was saved in"]);
    let message = outcome.stderr.lines().last().unwrap();
    // from a height of 5 cm
    let summary = expect_results(&out, step_in(message));
    assert!(summary.contains("failed: step") && summary.contains("particle 1 left"), "{summary}");
    let time: f64 = series(&out).into_values().next_back().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((time - (2.0 * 0.05 / 9.81f64).sqrt()).abs() < 1e-3, "{time}");
    assert!(out.join("picture.png").is_file());
}

#[test]
fn overlap_beyond_the_limit_stops_the_run_with_both_partners() {
    let folder = tempfile::tempdir().unwrap();
    let text = FALLING.replace("[[particles]]", "[limits]\noverlap = 0.02\n\n[[particles]]");
    let scene = write_scene(folder.path(), &text);
    std::fs::write(
        folder.path().join("beads.csv"),
        "x,y,z,r,vx,vy,vz\n0.5,0,0.9,0.01,0,0,0\n0,0,0.5,0.01,20,0,0\n0.03,0,0.5,0.01,-20,0,0\n",
    )
    .unwrap();
    let out = folder.path().join("out");
    let outcome = run(&scene, &out, "")
        .expect_code(3)
        .expect_message(&["overlap of particle 1 and particle 2 is ", "limit 0.02"]);
    expect_results(&out, step_in(outcome.stderr.lines().last().unwrap()));
}

#[test]
fn force_that_nothing_bears_stops_the_run_and_saves_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().join("good/pressing_walls.toml");
    let out = folder.path().join("out");
    let outcome = run(&scene, &out, "--set walls.piston.motion.servo.max_travel=1mm --set output.picture.zoom=0.05")
        .expect_code(3)
        .expect_message(&["the servo of wall \"piston\" exerts ", "limit 1.0000e-3 m", "was saved in"]);
    expect_results(&out, step_in(outcome.stderr.lines().last().unwrap()));
}

#[test]
fn number_that_overflows_stops_the_run_and_keeps_the_last_sound_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let text = FALLING
        .replace("z_min = \"error\"", "")
        .replace("0 m\"]\n", "-1e100 m\"]\n")
        .replace("end = \"1 s\"", "step = \"1 s\"")
        .replace("[[particles]]", "[fields]\ngravity = [0, 0, 1e98]\n\n[[particles]]")
        .replace("max = [\"1 m\", \"1 m\", \"1 m\"]", "max = [\"1 m\", \"1 m\", \"1e100 m\"]")
        .replace("series = \"1 ms\"", "series = 1\ncheckpoints = 1");
    let scene = write_scene(folder.path(), &text);
    std::fs::write(folder.path().join("beads.csv"), "x,y,z,r\n0,0,0.9,0.01\n").unwrap();
    let out = folder.path().join("out");
    run(&scene, &out, "--steps 100")
        .expect_code(3)
        .expect_message(&["step 14: particle 0 has a non-finite force or velocity"]);
    assert!(last_checkpoint(&out).0.contains("000000000014"));
    assert!(series(&out).contains_key(&14));
    assert!(out.join("summary.json").is_file());
}

#[test]
fn world_that_has_run_empty_is_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write_scene(folder.path(), &FALLING.replace("\"error\"", "\"open\"").replace("\"1 s\"", "\"0.2 s\""));
    std::fs::write(folder.path().join("beads.csv"), "x,y,z,r\n0,0,0.05,0.01\n").unwrap();
    let out = folder.path().join("out");
    run(&scene, &out, "").expect_code(0).expect_message(&["no picture"]);
    let rows = dem_io::series::Series::read(out.join("series.csv")).unwrap();
    assert_eq!(rows.column("particles").and_then(<[f64]>::last), Some(&0.0));
}

// --- interruptions ---

#[cfg(unix)]
mod unix {
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use super::*;
    use crate::command::send;

    /// Steps of the runs that are interrupted.
    const STEPS: &str = "--steps 12000";

    /// A reader that has heard enough, as `head` has.
    #[test]
    fn closed_standard_output_ends_no_command_and_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        run(&tray(), &out, "--steps 400").expect_code(0);
        let scene = scenes().join("good/stages.toml");
        let commands = [
            dem("schema", &[]),
            dem("laws", &[]),
            dem("laws hertz-mindlin", &[]),
            dem("info", &[&out]),
            dem("check", &[&scene]),
            dem("methods", &[&out]),
            dem("diff", &[&out, &out]),
            run_command(&tray(), &folder.path().join("other"), "--steps 40 --json"),
        ];
        for mut command in commands {
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let outcome = collect(child).expect_code(0);
            assert!(!outcome.stderr.contains("panicked") && !outcome.stderr.contains("error"), "{}", outcome.stderr);
        }
        assert!(folder.path().join("other/summary.json").is_file());
    }

    #[test]
    fn closed_standard_error_ends_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut child = run_command(&tray(), &out, "--steps 400").stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(out.join("summary.json").is_file());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn output_that_is_lost_is_a_failure() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = dem("schema", &[]);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        collect(child).expect_code(2).expect_message(&["error: cannot write to standard output: No space left"]);
    }

    fn start_tray(out: &Path, further: &str) -> Child {
        start(run_command(&tray(), out, &format!("{STEPS} {further}")))
    }

    #[test]
    fn ctrl_c_saves_a_checkpoint_says_how_to_resume_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        run(&tray(), &whole, STEPS).expect_code(0);
        let child = start_tray(&parts, "--set title=tray");
        wait_until("a checkpoint", || !checkpoints(&parts).is_empty());
        send("INT", &child);
        let outcome = collect(child).expect_code(130).expect_message(&["interrupted at step ", "continue with: "]);
        let hint = outcome.stderr.lines().last().unwrap();
        let step: u64 = hint["interrupted at step ".len()..].split(';').next().unwrap().parse().unwrap();
        assert!(step < 12_000, "it was not interrupted");
        assert!(last_checkpoint(&parts).0.contains(&format!("{step:012}")));
        assert!(std::fs::read_to_string(parts.join("summary.json")).unwrap().contains("\"interrupted\""));
        // the command that is proposed does what it says
        let proposed = hint.split("continue with: ").nth(1).unwrap().replacen("dem", env!("CARGO_BIN_EXE_dem"), 1);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{proposed} {STEPS}"));
        finish(shell).expect_code(0);
        assert_eq!(last_checkpoint(&whole), last_checkpoint(&parts));
        expect_rows(&series(&whole), &series(&parts));
    }

    #[test]
    fn killed_run_ends_with_the_same_bytes_after_restarts() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        run(&tray(), &whole, STEPS).expect_code(0);
        // instants nobody chose, different in each run of the test
        let mut random = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().subsec_nanos();
        let mut child = start_tray(&parts, "");
        wait_until("a checkpoint", || !checkpoints(&parts).is_empty());
        for _ in 0..5 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            std::thread::sleep(Duration::from_micros(u64::from(random >> 8) % 60_000));
            child.kill().unwrap();
            child.wait().unwrap();
            for path in checkpoints(&parts) {
                finish(dem("info", &[&path])).expect_code(0);
            }
            child = start_tray(&parts, "--restart latest");
        }
        collect(child).expect_code(0);
        assert_eq!(last_checkpoint(&whole), last_checkpoint(&parts));
        // no row was written twice, none is missing, and the frames are those of the whole run
        assert_eq!(series(&whole), series(&parts));
        let frames = |out: &Path| {
            let told = finish(dem("info", &[&out.join("snapshots.vtkhdf")])).expect_code(0).stdout;
            told.split_once("frames ").expect("it tells the frames").1.to_owned()
        };
        assert_eq!(frames(&whole), frames(&parts));
        let left: Vec<_> =
            contents(&parts).into_keys().filter(|path| path.to_string_lossy().contains("unfinished")).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn second_run_in_a_directory_is_refused_while_the_first_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let first = start(run_command(&tray(), &out, ""));
        wait_until("a checkpoint", || !checkpoints(&out).is_empty());
        for further in ["--force", "--restart latest"] {
            run(&tray(), &out, further)
                .expect_code(2)
                .expect_message(&[&out.display().to_string(), "is in use by another process"]);
        }
        run(&tray(), &out, "").expect_code(2).expect_message(&["exists already"]);
        send("INT", &first);
        collect(first).expect_code(130);
        run(&tray(), &out, "--restart latest --steps 1").expect_code(0);
    }

    /// Files larger than the limit cannot be written, as on a full disk.
    fn limited(blocks: u32, out: &Path, further: &str) -> Child {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -f {blocks}; exec \"$@\"")).arg("sh");
        let run = run_command(&tray(), out, further);
        shell.arg(run.get_program()).args(run.get_args()).stdin(Stdio::null());
        start(shell)
    }

    #[test]
    fn full_disk_ends_the_run_with_one_message_and_the_last_checkpoint_can_be_used() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        run(&tray(), &whole, STEPS).expect_code(0);
        // the snapshots outgrow it, the checkpoints do not
        let outcome = collect(limited(400, &parts, STEPS))
            .expect_code(2)
            .expect_message(&["error: ", "the last checkpoint is that of step "]);
        assert_eq!(outcome.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("File too large") && !outcome.stderr.contains("rust-hdf5:"),
            "{}",
            outcome.stderr
        );
        run(&tray(), &parts, &format!("{STEPS} --restart latest")).expect_code(0);
        assert_eq!(last_checkpoint(&whole), last_checkpoint(&parts));
        assert_eq!(series(&whole), series(&parts));
    }

    #[test]
    fn disk_that_is_full_from_the_start_is_one_message() {
        let folder = tempfile::tempdir().unwrap();
        let outcome =
            collect(limited(0, &folder.path().join("out"), STEPS)).expect_code(2).expect_message(&["error: "]);
        assert_eq!(outcome.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{}", outcome.stderr);
    }
}

#[test]
fn checkpoint_that_cannot_be_written_ends_the_run_and_the_one_before_survives() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&mill(), &out, "--steps 100").expect_code(0);
    let kept = last_checkpoint(&out);
    // a folder in the place of the next one
    std::fs::create_dir(out.join("checkpoints/step_000000000200.ckpt")).unwrap();
    let mut command = run_command(&mill(), &out, "--steps 200");
    command.arg("--restart").arg(out.join("checkpoints").join(&kept.0));
    finish(command).expect_code(2).expect_message(&[
        "error: cannot ",
        "step_000000000200.ckpt",
        "the last checkpoint is",
    ]);
    std::fs::remove_dir(out.join("checkpoints/step_000000000200.ckpt")).unwrap();
    assert_eq!(last_checkpoint(&out), kept);
    run(&mill(), &out, "--restart latest --steps 200").expect_code(0);
}
