//! Kills of every command that works for long: what is left is sound, and the same command comes to the end of one that was never killed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use dem_io::checkpoint::CheckpointReader;
use dem_io::series::Series;
use dem_io::snapshot::{Frame, SnapshotReader};

use super::{Random, number_of};
use crate::command::{checkpoints, collect, contents, dem, finish, run, scenes, start};

/// Scenes and what is made of them once.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Self { folder };
        let tray = std::fs::read_to_string(scenes().join("restart/tray.toml")).unwrap();
        let ends = tray.replace("until = { time = \"1 h\" }", "until = { time = \"8 ms\" }");
        std::fs::write(place.at("tray.toml"), ends).unwrap();
        let sample = std::fs::read_to_string(scenes().join("../../examples/triaxial_small.toml")).unwrap();
        let small = sample.replace("\"25 mm\"", "\"9.8 mm\"").replace("count = 1000", "count = 60");
        std::fs::write(place.at("sample.toml"), small).unwrap();
        let sheared = "--threads 1 --set stages.shear.until={strain={zz=0.002}}";
        run(&place.at("sample.toml"), &place.at("sample"), sheared).expect_code(0);
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// A command that is killed and called again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Run,
    Ensemble,
    Compare,
    Probe,
    Triaxial,
    Pack,
    /// In place of the results of an earlier call with other options.
    ForcedRun,
    ForcedPack,
}

impl Subject {
    const ALL: [Self; 8] = [
        Self::Run,
        Self::Ensemble,
        Self::Compare,
        Self::Probe,
        Self::Triaxial,
        Self::Pack,
        Self::ForcedRun,
        Self::ForcedPack,
    ];

    /// The command, to be called until it has come to its end.
    fn command(self, place: &Place, out: &Path) -> Command {
        let (tray, sample) = (place.at("tray.toml"), place.at("sample.toml"));
        match self {
            Self::Run if checkpoints(out).is_empty() => dem("run --threads 1 --force", &[&tray, &"--out", &out]),
            Self::Run => dem("run --threads 1 --restart latest", &[&tray, &"--out", &out]),
            Self::Ensemble => dem("run --seeds 1..3 --threads 2", &[&tray, &"--out", &out]),
            Self::Compare => dem("compare --laws hertz-mindlin,mindlin --threads 2", &[&tray, &"--out", &out]),
            Self::Probe => {
                let words = "probe --directions 6 --steps 4 --relax 10 --unload 10 --threads 1";
                dem(words, &[&place.at("sample"), &"--out", &out])
            }
            Self::Triaxial => {
                let words = "triaxial --once --strain 0.002 --fraction 0.5 --points 10 --threads 1";
                dem(words, &[&sample, &"--out", &out])
            }
            Self::Pack => dem("pack compression --count 60 --seed 3 --threads 1 --out", &[&out]),
            Self::ForcedRun => dem("run --threads 1 --steps 200 --force --set seed=7", &[&tray, &"--out", &out]),
            Self::ForcedPack => dem("pack random-sequential --count 60 --seed 4 --threads 1 --force --out", &[&out]),
        }
    }

    /// What is there before it is called.
    fn prepare(self, place: &Place, out: &Path) {
        match self {
            Self::ForcedRun => {
                run(&place.at("tray.toml"), out, "--threads 1 --steps 600").expect_code(0);
            }
            Self::ForcedPack => {
                let words = "pack random-sequential --count 50 --seed 3 --threads 1 --out";
                finish(dem(words, &[&out])).expect_code(0);
            }
            _ => {}
        }
    }

    fn is_forced(self) -> bool {
        matches!(self, Self::ForcedRun | Self::ForcedPack)
    }
}

/// Times of a call and what of the machine is in summaries, records and tables.
const OF_THE_CALL: [&str; 7] = [
    "wall_seconds",
    "output_seconds",
    "particle_steps_per_second",
    "time_by_phase",
    "cost_ns_per_particle_step",
    "threads",
    "machine",
];

/// A file, with everything in it that may differ between two calls of one command taken out.
#[derive(Debug, PartialEq)]
enum File {
    Bytes(Vec<u8>),
    Frames(Vec<Frame>),
    Json(serde_json::Value),
    /// Fields of a table.
    Table(Vec<Vec<String>>),
    /// A page, figure or log that shows such times.
    Shown,
}

impl File {
    fn read(path: &Path, bytes: Vec<u8>) -> Self {
        let name = path.file_name().unwrap().to_string_lossy();
        if name == "snapshots.vtkhdf" {
            let reader = SnapshotReader::open(path).unwrap();
            return Self::Frames((0..reader.frames().len()).map(|index| reader.read(index).unwrap()).collect());
        }
        // times of the clock, and how often it was killed
        if name == "run.log" {
            return Self::Shown;
        }
        // pages and figures of a comparison tell what each law costs
        let is_of_costs = path.parent().is_some_and(|folder| folder.join("stiffness.csv").exists());
        match name.rsplit_once('.').map_or("", |(_, suffix)| suffix) {
            "json" => Self::Json(without_times(serde_json::from_slice(&bytes).unwrap())),
            "csv" => Self::Table(table_without_times(&String::from_utf8(bytes).unwrap())),
            "html" | "png" | "svg" if is_of_costs && !bytes.is_empty() => Self::Shown,
            _ => Self::Bytes(bytes),
        }
    }
}

fn without_times(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    let is_of_the_call = |value: &Value| value.as_str().is_some_and(|text| OF_THE_CALL.contains(&text));
    match value {
        Value::Object(entries) => {
            let kept = entries.into_iter().filter(|(key, _)| !OF_THE_CALL.contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key, without_times(value))).collect())
        }
        // the rows of such a quantity
        Value::Array(elements) => {
            let is_row = |element: &Value| element.as_object().is_some_and(|row| row.values().any(is_of_the_call));
            Value::Array(elements.into_iter().filter(|element| !is_row(element)).map(without_times).collect())
        }
        other => other,
    }
}

fn table_without_times(text: &str) -> Vec<Vec<String>> {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let is_kept = |column: usize| rows[0].get(column).is_none_or(|name| !OF_THE_CALL.contains(name));
    let is_of_the_call = |row: &&Vec<&str>| row.iter().any(|field| OF_THE_CALL.contains(field));
    let fields = |row: &Vec<&str>| {
        let kept = row.iter().enumerate().filter(|(column, _)| is_kept(*column));
        kept.map(|(_, field)| (*field).to_owned()).collect()
    };
    let body = rows.iter().skip(1).filter(|row| !is_of_the_call(row));
    rows.iter().take(1).chain(body).map(fields).collect()
}

/// Whether a path is that of a file that is being written, or that tells how far a command is.
fn is_passing(path: &Path) -> bool {
    path.iter().any(|part| {
        let part = part.to_string_lossy();
        part.starts_with(".unfinished-")
            || part.ends_with(".vtkhdf.new")
            || [".lock", ".replacement", "unfinished", "unfinished_packing"].contains(&part.as_ref())
    })
}

/// Files of a directory by their paths in it.
fn files(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if !out.exists() {
        return BTreeMap::new();
    }
    let within = |path: PathBuf| path.strip_prefix(out).unwrap().to_path_buf();
    contents(out).into_iter().map(|(path, bytes)| (within(path), bytes)).collect()
}

fn results(out: &Path) -> BTreeMap<PathBuf, File> {
    files(out).into_iter().map(|(path, bytes)| (path.clone(), File::read(&out.join(path), bytes))).collect()
}

/// Makes sure that every file under its final name is whole, and is one that a straight call makes, too. Checkpoints on the way have other
/// names than those of the end.
fn look(subject: Subject, out: &Path, expected: &BTreeMap<PathBuf, File>) {
    for (path, bytes) in files(out) {
        if is_passing(&path) {
            continue;
        }
        let at = || format!("{subject:?}: {}", path.display());
        let suffix = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if suffix == "ckpt" {
            CheckpointReader::from_bytes(bytes).unwrap_or_else(|error| panic!("{}: {error}", at()));
            continue;
        }
        assert!(expected.contains_key(&path), "{} is a stray", at());
        match suffix.as_str() {
            "csv" if path.ends_with("series.csv") => {
                Series::read(out.join(&path)).unwrap_or_else(|error| panic!("{}: {error}", at()));
            }
            "json" | "vtkhdf" => _ = File::read(&out.join(&path), bytes),
            "png" => assert!(bytes.ends_with(b"IEND\xaeB`\x82"), "{} is cut off", at()),
            _ => {}
        }
    }
}

fn compare(subject: Subject, found: &BTreeMap<PathBuf, File>, expected: &BTreeMap<PathBuf, File>) {
    let names = |all: &BTreeMap<PathBuf, File>| all.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{subject:?}");
    for (path, file) in expected {
        assert!(found[path] == *file, "{subject:?}: {} differs", path.display());
    }
}

/// Kills of one command.
#[derive(Debug, Default)]
struct Tally {
    kills: u64,
    /// Directories in which nothing was begun, or nothing of an earlier result was gone.
    untouched: u64,
    /// Those with something that was being written.
    in_writing: u64,
    /// Calls that came to the end of one that was never killed.
    finished: u64,
}

/// Kills a command so many times at random moments.
fn campaign(subject: Subject, place: &Place, wanted: u64, random: &mut Random) -> Tally {
    let whole = place.at(&format!("{subject:?} whole"));
    subject.prepare(place, &whole);
    let earlier = results(&whole);
    let begin = Instant::now();
    let straight = finish(subject.command(place, &whole));
    // 3: everything is written, and not what was asked for
    assert!(matches!(straight.code, Some(0 | 3)), "{subject:?}: {straight:?}");
    let length = begin.elapsed();
    let expected = results(&whole);
    let mut tally = Tally::default();
    let out = place.at(&format!("{subject:?} parts"));
    let mut is_new = true;
    while tally.kills < wanted || !is_new {
        if std::mem::take(&mut is_new) {
            subject.prepare(place, &out);
        }
        let mut child = start(subject.command(place, &out));
        let ends = tally.kills >= wanted;
        if !ends {
            std::thread::sleep(length.mul_f64(random.next()));
        }
        if ends || child.try_wait().unwrap().is_some() {
            let outcome = collect(child);
            // the call before may have been killed when everything was written
            if !outcome.stderr.contains("exists already") {
                assert_eq!(outcome.code, straight.code, "{subject:?}: {outcome:?}");
            }
            compare(subject, &results(&out), &expected);
            std::fs::remove_dir_all(&out).unwrap();
            tally.finished += 1;
            is_new = true;
            continue;
        }
        child.kill().unwrap();
        let _ = collect(child);
        tally.kills += 1;
        let left = files(&out);
        tally.in_writing += u64::from(left.keys().any(|path| is_passing(path) && !path.ends_with(".lock")));
        let is_pending = left.keys().any(|path| path.iter().any(|part| part == ".replacement"));
        let is_whole = |path: &PathBuf, file: &File| {
            left.get(path).is_some_and(|bytes| File::read(&out.join(path), bytes.clone()) == *file)
        };
        let is_as_before = earlier.iter().all(|(path, file)| is_whole(path, file))
            && left.keys().filter(|path| !is_passing(path)).count() == earlier.len();
        tally.untouched += u64::from(is_as_before);
        if subject.is_forced() && !is_as_before && !is_pending {
            // the new results are there, or begun
            let scene = Path::new("scene.resolved.toml");
            let new = File::read(&out.join(scene), left[scene].clone());
            assert!(new == expected[scene], "{subject:?} left half of the earlier results");
        }
        if !is_pending && !is_as_before {
            look(subject, &out, &expected);
        }
    }
    tally
}

fn all_campaigns(kills: u64) {
    let place = Place::new();
    let mut random = Random::new();
    for subject in Subject::ALL {
        let begin = Instant::now();
        let tally = campaign(subject, &place, kills, &mut random);
        println!("{subject:?}: {tally:?}, {:.0?}", begin.elapsed());
        assert!(tally.finished > 0);
    }
}

#[test]
fn no_command_that_is_killed_loses_or_leaves_anything() {
    all_campaigns(3);
}

#[test]
#[ignore = "kills 200 commands, minutes: cargo test -p dem-cli --test all crashes -- --ignored --nocapture"]
fn no_command_of_a_long_campaign_loses_or_leaves_anything() {
    all_campaigns(number_of("DEM_KILLS", 200).div_ceil(Subject::ALL.len() as u64));
}
