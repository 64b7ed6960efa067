//! What the folder of a run tells about it.

use std::path::{Path, PathBuf};

use dem_io::checkpoint_folder;
use dem_io::directory_lock::is_claimed;
use dem_io::document::{Override, SceneDocument};
use dem_io::series::Series;
use dem_report::output_directory::MEMBERS;
use dem_report::table::Value;
use dem_sim::run::Beginning;
use dem_sim::simulation::StopReason;
use serde_json::Value as Json;

use super::averages::Averages;
use crate::error::AnalysisError;

/// File in the folder of a member that names the keys that are swept.
pub const MEMBER_FILE: &str = "member.json";

/// Entries of `summary.json` that tell of the machine or of one call, not of the run.
const OF_THE_CALL: [&str; 9] = [
    "wall_seconds",
    "output_seconds",
    "particle_steps_per_second",
    "time_by_phase",
    "threads",
    "iterations_per_step",
    "halvings",
    "machine",
    // it is what the members are told apart by
    "seed",
];

/// Tables and keys of a scene that do not change what a run comes to, once it has come to its end: members that differ in them belong together, as
/// when the limit of one that failed was raised.
const NO_PART_OF_THE_RESULT: [&str; 4] = ["title", "output", "limits", "contact_search"];

/// How far a run has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not to its own end, or there is none.
    Unfinished,
    /// To its own end.
    Finished,
    /// A step failed.
    Failed(String),
}

/// Tells how far the run of a folder has come.
///
/// # Errors
/// A summary that cannot be read.
pub fn standing(directory: &Path) -> Result<Standing, AnalysisError> {
    let Some(summary) = summary(directory)? else { return Ok(Standing::Unfinished) };
    let reason = summary.get("stop_reason").and_then(Json::as_str).unwrap_or_default();
    // a checkpoint of another step is that of a run that has gone on, or of one that was killed before that of its end
    let step = summary.get("steps").and_then(Json::as_u64);
    let latest = checkpoint_folder::latest(&directory.join("checkpoints"))?;
    // without one it was removed afterwards, or the run was killed before its first
    let is_of_the_end = latest.map_or(!is_claimed(directory), |(latest, _)| Some(latest) == step);
    Ok(if StopReason::ALL.iter().any(|known| known.describe() == reason) {
        if is_of_the_end { Standing::Finished } else { Standing::Unfinished }
    } else if let Some(why) = reason.strip_prefix("failed") {
        Standing::Failed(why.trim_start_matches([':', ' ']).to_owned())
    } else {
        Standing::Unfinished
    })
}

/// Whether a directory is that of an ensemble.
pub fn is_ensemble(directory: &Path) -> bool {
    directory.join(MEMBERS).is_dir()
}

/// Folders of the members of an ensemble, in order of their names.
///
/// # Errors
/// A directory that cannot be read.
pub fn member_directories(ensemble: &Path) -> Result<Vec<PathBuf>, AnalysisError> {
    let folder = ensemble.join(MEMBERS);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(dem_io::Error::system("list", &folder))? {
        let path = entry.map_err(dem_io::Error::system("list", &folder))?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The scene of a run directory with some values replaced; none if there is none.
///
/// # Errors
/// A scene that cannot be read.
pub fn resolved_scene(directory: &Path, set: &[Override]) -> Result<Option<toml::Table>, AnalysisError> {
    let path = directory.join("scene.resolved.toml");
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(SceneDocument::load(&path, set)?.resolved().clone()))
}

/// The summary of a run directory; none if there is none.
///
/// # Errors
/// A file that cannot be read or is no JSON.
pub fn summary(directory: &Path) -> Result<Option<Json>, AnalysisError> {
    let path = directory.join("summary.json");
    let refused = dem_io::Error::system("read", &path);
    match dem_io::regular_file::read_to_string(&path) {
        Ok(text) => match serde_json::from_str(&text) {
            Ok(summary) => Ok(Some(summary)),
            Err(error) => Err(refused(std::io::Error::other(error)).into()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(error).into()),
    }
}

/// A run that has come to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its folder.
    pub directory: PathBuf,
    /// Name of the folder.
    pub name: String,
    /// Keys that are swept.
    pub keys: Vec<String>,
    /// Their values in its scene.
    pub parameters: Vec<Value>,
    /// Seed.
    pub seed: u64,
    /// Why it stopped.
    pub stop_reason: String,
    /// Sources that found no room for what they were to pour.
    pub short_of_room: Vec<String>,
    /// Its scene without what members may differ in: values of keys, seed, title, output, limits and the search of contacts.
    pub common: toml::Table,
    /// Version of the engine.
    pub engine: String,
    /// Whether it began from a saved state.
    pub branched: bool,
    /// Numbers of its summary (`summary.NAME`), of the last row of its series (`series.COLUMN`) and means (`mean.COLUMN`), in their order.
    pub quantities: Vec<(String, f64)>,
    /// Columns of the series over time, those that were asked for and exist.
    pub curves: Vec<(String, Vec<[f64; 2]>)>,
}

impl Finished {
    /// Reads a run directory, with some columns of the series over time and the means of some.
    ///
    /// # Errors
    /// Files that are missing or damaged.
    pub fn read(directory: &Path, columns: &[&str], averages: &Averages) -> Result<Self, AnalysisError> {
        let damaged = |what: &str| AnalysisError::Ensemble(format!("{}: {what}", directory.display()));
        let keys = keys(directory)?;
        let path = directory.join("scene.resolved.toml");
        let document = SceneDocument::load(&path, &[])?;
        let parameters = keys
            .iter()
            .map(|key| Ok(parameter(document.required_value(Override::parse(&format!("{key}=0"))?.path())?)))
            .collect::<Result<Vec<_>, AnalysisError>>()?;
        let replaced: Vec<Override> = keys
            .iter()
            .map(String::as_str)
            .chain(["seed"])
            .map(|key| Override::parse(&format!("{key}=0")))
            .collect::<Result<_, _>>()?;
        let mut common = resolved_scene(directory, &replaced)?.unwrap_or_default();
        for key in NO_PART_OF_THE_RESULT {
            common.remove(key);
        }
        let seed = document.value(&["seed"]).and_then(toml::Value::as_integer).unwrap_or(0);
        let summary = summary(directory)?.ok_or_else(|| damaged("there is no summary.json"))?;
        let word = |key: &str| summary.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let (stop_reason, engine) = (word("stop_reason"), word("engine"));
        let sources = summary.get("pouring").and_then(Json::as_array).into_iter().flatten();
        let short_of_room = sources
            .filter(|source| source.get("lacks_room").and_then(Json::as_bool) == Some(true))
            .filter_map(|source| source.get("source")?.as_str().map(str::to_owned))
            .collect();
        let mut quantities = Vec::new();
        flatten("summary", &summary, &mut quantities);
        let series = Series::read(directory.join("series.csv"))?;
        for name in series.names() {
            let last = series.column(name).and_then(<[f64]>::last);
            quantities.extend(last.map(|&last| (format!("series.{name}"), last)));
        }
        quantities.extend(averages.of(&series));
        let time = series.column("time").unwrap_or_default();
        let curve = |&name: &&str| {
            let values = series.column(name)?;
            Some((name.to_owned(), time.iter().zip(values).map(|(&t, &y)| [t, y]).collect()))
        };
        Ok(Self {
            directory: directory.to_path_buf(),
            name: directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            keys,
            parameters,
            seed: u64::try_from(seed).unwrap_or(0),
            stop_reason,
            short_of_room,
            common,
            engine,
            branched: Beginning::read(directory)?.is_some_and(|beginning| beginning.branched.is_some()),
            quantities,
            curves: columns.iter().filter_map(curve).collect(),
        })
    }

    /// Says so if it waited for rest in vain, or sources found no room.
    pub fn shortfall(&self) -> Option<String> {
        let reason = StopReason::NotAtRest.describe();
        if self.stop_reason == reason {
            return Some(format!("{}: {reason}", self.name));
        }
        let sources = self.short_of_room.join(", ");
        (!sources.is_empty()).then(|| format!("{}: no room for all that was to be poured ({sources})", self.name))
    }

    /// A quantity by its name; not a number if the run has none.
    pub fn quantity(&self, name: &str) -> f64 {
        self.quantities.iter().find(|(known, _)| known == name).map_or(f64::NAN, |&(_, value)| value)
    }
}

/// Keys that are swept in the ensemble of a member; none for a run of its own.
fn keys(directory: &Path) -> Result<Vec<String>, AnalysisError> {
    let path = directory.join(MEMBER_FILE);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = dem_io::regular_file::read_to_string(&path).map_err(dem_io::Error::system("read", &path))?;
    let keys = serde_json::from_str::<Json>(&text).ok().and_then(|file| {
        file.get("keys")?.as_array()?.iter().map(|key| key.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    });
    keys.ok_or_else(|| AnalysisError::Ensemble(format!("{} does not list keys", path.display())))
}

fn parameter(value: &toml::Value) -> Value {
    match value {
        toml::Value::Integer(number) => u64::try_from(*number).map_or(Value::Number(*number as f64), Value::Count),
        toml::Value::Float(number) => Value::Number(*number),
        toml::Value::Boolean(flag) => Value::Flag(*flag),
        toml::Value::String(text) => Value::Text(text.clone()),
        other => Value::Text(other.to_string()),
    }
}

/// Numbers of a JSON value under names joined by dots; elements of a list by their name, or as x, y and z.
fn flatten(name: &str, value: &Json, numbers: &mut Vec<(String, f64)>) {
    match value {
        Json::Number(number) => numbers.extend(number.as_f64().map(|number| (name.to_owned(), number))),
        Json::Object(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| !OF_THE_CALL.contains(&key.as_str())) {
                flatten(&format!("{name}.{key}"), value, numbers);
            }
        }
        Json::Array(elements) => {
            for (k, element) in elements.iter().enumerate() {
                match element.get("name").and_then(Json::as_str) {
                    Some(own) => flatten(&format!("{name}.{own}"), element, numbers),
                    None if elements.len() == 3 => flatten(&format!("{name}_{}", ["x", "y", "z"][k]), element, numbers),
                    None => flatten(&format!("{name}.{k}"), element, numbers),
                }
            }
        }
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_that_was_killed_before_the_checkpoint_of_its_end_is_not_finished() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let expect = |standing_now| assert_eq!(standing(folder.path()).unwrap(), standing_now);
        expect(Standing::Unfinished);
        let reason = StopReason::ALL[0].describe();
        write("summary.json", &format!("{{\"stop_reason\": \"{reason}\", \"steps\": 400}}"));
        // its checkpoints were removed to save space
        expect(Standing::Finished);
        write(".lock", "");
        expect(Standing::Unfinished);
        std::fs::create_dir(folder.path().join("checkpoints")).unwrap();
        write("checkpoints/step_000000000200.ckpt", "");
        expect(Standing::Unfinished);
        write("checkpoints/step_000000000400.ckpt", "");
        expect(Standing::Finished);
        write("summary.json", "{\"stop_reason\": \"failed: an overlap\", \"steps\": 400}");
        expect(Standing::Failed("an overlap".into()));
    }
}
