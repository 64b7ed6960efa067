//! Runs the `dem` command as a user does and looks at what it says and leaves behind.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What a command said and how it ended.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// Fails with everything that was said unless the exit code is `code`.
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Fails unless each of the texts is in the error output.
    #[track_caller]
    pub fn expect_message(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.stderr.contains(text), "expected `{text}` in:\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The command with arguments separated by spaces, then paths and texts that may contain some.
pub fn dem(words: &str, rest: &[&dyn AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dem"));
    command.args(words.split_whitespace()).args(rest).stdin(Stdio::null());
    command
}

/// Runs to the end.
pub fn finish(mut command: Command) -> Outcome {
    command.output().expect("the command starts").into()
}

/// `dem run SCENE --out OUT` with further arguments.
pub fn run(scene: &Path, out: &Path, further: &str) -> Outcome {
    finish(run_command(scene, out, further))
}

/// The command of [`run`].
pub fn run_command(scene: &Path, out: &Path, further: &str) -> Command {
    let mut command = dem("run", &[&scene, &"--out", &out]);
    command.args(further.split_whitespace());
    command
}

/// Starts a command whose output is collected when it ends.
pub fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts")
}

/// Waits for a started command.
pub fn collect(child: Child) -> Outcome {
    child.wait_with_output().expect("the command ends").into()
}

/// Folder of the test scenes.
pub fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes")
}

/// All files below a folder with their bytes.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("folder can be read") {
        let path = entry.expect("entry can be read").path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).expect("file can be read"));
        }
    }
    found
}

/// Checkpoints of a run, oldest first.
pub fn checkpoints(out: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(out.join("checkpoints")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("entry can be read").path()).collect();
    paths.sort();
    paths
}

/// Name and bytes of the latest checkpoint.
#[track_caller]
pub fn last_checkpoint(out: &Path) -> (String, Vec<u8>) {
    let all = checkpoints(out);
    let path = all.last().expect("there is a checkpoint");
    let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
    (name, std::fs::read(path).expect("it can be read"))
}

/// Rows of the series by step, as written. Fails if the steps do not increase.
#[track_caller]
pub fn series(out: &Path) -> BTreeMap<u64, String> {
    let text = std::fs::read_to_string(out.join("series.csv")).expect("series can be read");
    let mut rows = BTreeMap::new();
    for line in text.lines().skip(1) {
        let step: u64 =
            line.split(',').next().and_then(|field| field.parse().ok()).expect("a row begins with its step");
        let last = rows.last_key_value().map(|(&step, _)| step);
        assert!(last.is_none_or(|last| last < step), "step {step} follows {last:?} in series.csv");
        rows.insert(step, line.to_owned());
    }
    rows
}

/// Fails unless every row of `expected` is in `found`, character by character.
#[track_caller]
pub fn expect_rows(expected: &BTreeMap<u64, String>, found: &BTreeMap<u64, String>) {
    assert!(!expected.is_empty());
    for (step, row) in expected {
        assert_eq!(found.get(step), Some(row), "row of step {step}");
    }
}

/// Waits until something holds, and fails after half a minute.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(30), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal, for example "INT".
#[cfg(unix)]
pub fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
    assert!(status.expect("kill starts").success());
}
